/** Reducer: the state of a table after an event. Pure, so that a replay can use it. */

/** @typedef {import("./protocol.js").TableEvent} TableEvent */

/**
 * A seat; `expected` while its player is gone, but not for long enough that a bot may play.
 * @typedef {import("./protocol.js").SeatView & {expected?: boolean}} Seat
 */

/** @typedef {Omit<import("./protocol.js").State, "seats"> & {seats: Seat[]}} State */

/**
 * @param {State} state
 * @param {TableEvent} event
 * @returns {State}
 */
export function afterEvent(state, event) {
  const { view, ...logged } = event;
  const log = [...state.log, logged];
  return { ...state, n: event.n, log, view: view ?? state.view, ...changeBy(event, state) };
}

/**
 * What an event changes besides the board.
 * @param {TableEvent} event
 * @param {State} state
 * @returns {Partial<State>}
 */
function changeBy(event, { seats }) {
  switch (event.kind) {
    case "seated": {
      const { name, colour, bot } = event.data;
      return {
        seats: withSeat(seats, event.seat, {
          kind: bot ? "bot" : "human",
          ...{ name, colour, bot, present: true, substitute: null },
        }),
      };
    }
    case "started":
      return { stage: "playing", salts: event.data.salts };
    case "substituted":
      return { seats: withSeat(seats, event.seat, { substitute: event.data.bot }) };
    case "returned":
      return { seats: withSeat(seats, event.seat, { substitute: null }) };
    case "finished":
      return { stage: "over", secret: event.data.secret };
    case "rematched":
      return { next: event.data.table };
    default:
      return {};
  }
}

/**
 * @param {Seat[]} seats
 * @param {number} which
 * @param {Partial<Seat>} change
 */
function withSeat(seats, which, change) {
  return seats.map((seat, index) => (index === which ? { ...seat, ...change } : seat));
}

/**
 * @param {State} state
 * @param {boolean[]} present
 * @param {number[]} expected
 * @returns {State}
 */
export function withPresence(state, present, expected) {
  return {
    ...state,
    seats: state.seats.map((seat, i) => ({
      ...seat,
      present: present[i] ?? seat.present,
      expected: expected.includes(i),
    })),
  };
}
