/** What a table's state becomes when an event happens: pure, so that it can be replayed. */

/** @typedef {import("./protocol.js").State} State */
/** @typedef {import("./protocol.js").TableEvent} TableEvent */
/** @typedef {import("./protocol.js").Seat} Seat */

/**
 * @param {State} state
 * @param {TableEvent} event
 * @returns {State}
 */
export function afterEvent(state, event) {
  const { view, ...plain } = event;
  const next = { ...state, n: event.n, log: [...state.log, plain], view: view ?? state.view };
  const change = CHANGES[event.kind];
  return change ? { ...next, ...change(state, event) } : next;
}

/** @type {Record<string, (state: State, event: TableEvent) => Partial<State>>} */
const CHANGES = {
  seated: (state, { seat, data }) => ({
    seats: withSeat(state.seats, seat, {
      kind: data.bot ? "bot" : "human",
      name: data.name,
      colour: data.colour,
      bot: data.bot,
      present: true,
      substitute: null,
    }),
  }),
  started: (_, { data }) => ({ stage: "playing", salts: data.salts }),
  substituted: (state, { seat, data }) => ({
    seats: withSeat(state.seats, seat, { substitute: data.bot }),
  }),
  returned: (state, { seat }) => ({ seats: withSeat(state.seats, seat, { substitute: null }) }),
  finished: (_, { data }) => ({ stage: "over", secret: data.secret }),
  rematched: (_, { data }) => ({ next: data.table }),
};

/**
 * @param {Seat[]} seats
 * @param {number | null} which
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
