/** Reducer: the state of a table after an event. Pure, so that a replay can use it. */

import { PLAYED } from "../core/played-events.js";

/** @typedef {import("./protocol.js").TableEvent} TableEvent */

/**
 * A seat; `expected` while its player is gone, but not for long enough that a bot may play, and
 * `idle` where the player is there, but has let the table wait for so long that it may.
 * @typedef {import("./protocol.js").SeatView & {expected?: boolean, idle?: boolean}} Seat
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
function changeBy(event, { seats, salts }) {
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
    case "revealed":
      return { salts: salts.map((salt, at) => (at === event.seat ? event.data.salt : salt)) };
    case "ordered":
      return { seats: withSeat(seats, event.seat, { order: event.data.order }) };
    case "revoked":
      return { seats: withSeat(seats, event.seat, { order: undefined }) };
    case "substituted": {
      const change = { substitute: event.data.bot, order: undefined };
      return { seats: withSeat(seats, event.seat, change) };
    }
    case "resigned":
      return { seats: withSeat(seats, event.seat, { resigned: true, order: undefined }) };
    case "returned":
      return { seats: withSeat(seats, event.seat, { substitute: null }) };
    case "finished": {
      const free = seats.map((seat) => ({ ...seat, order: undefined }));
      return { stage: "over", secret: event.data.secret, seats: free };
    }
    case "takenback": // with entered dice the end of the game can be taken back
      return { stage: "playing", seats: withSeat(seats, event.seat, { order: undefined }) };
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
 * The seat of this browser that may take its last decision back, or null: the server tells whose.
 * @param {State} state
 * @param {number[]} mine
 */
export function takeBackSeat({ view }, mine) {
  return view.take_back !== null && mine.includes(view.take_back) ? view.take_back : null;
}

/**
 * Who asks to take a decision back, and who has agreed; null where nobody does.
 * @param {TableEvent[]} log
 */
export function pendingAsk(log) {
  const over = ["declined", "takenback", "finished", ...PLAYED];
  const since = log.slice(log.findLastIndex(({ kind }) => over.includes(kind)) + 1);
  const asked = since.find(({ kind }) => kind === "asked");
  if (asked?.kind !== "asked") return null;
  const agreed = since.flatMap((event) => (event.kind === "agreed" ? [event.seat] : []));
  return { n: asked.n, seat: asked.seat, agreed };
}

/**
 * @param {State} state
 * @param {import("./protocol.js").Presence} presence
 * @returns {State}
 */
export function withPresence(state, { seats: present, expected, idle = [] }) {
  return {
    ...state,
    seats: state.seats.map((seat, i) => ({
      ...seat,
      present: present[i] ?? seat.present,
      expected: expected.includes(i),
      idle: idle?.includes(i),
    })),
  };
}
