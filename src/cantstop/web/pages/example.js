// @ts-check
/** A position to explain the rules with. */

/** @type {import("../types.js").Seat[]} */
export const EXAMPLE_SEATS = [0, 1].map((colour) => ({
  kind: "human",
  name: `${colour + 1}`,
  colour,
  bot: null,
  present: true,
  substitute: null,
}));

/** @type {import("../types.js").View} */
export const EXAMPLE = {
  position: "",
  turn: 9,
  seat: 0,
  phase: "choice",
  rolls: 20,
  lengths: [3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3],
  tokens: [
    [0, 0, 2, 0, 4, 6, 0, 3, 0, 0, 1],
    [0, 1, 0, 3, 4, 2, 11, 0, 5, 0, 0],
  ],
  runners: [0, 0, 4, 3, 0, 9, 0, 0, 0, 0, 0],
  owners: [null, null, null, null, null, null, 1, null, null, null, null],
  won: [0, 1],
  dice: null,
  splits: [],
  moves: [],
  may_stop: true,
  stop_reason: null,
  shared: [],
  bust_chance: null,
  roll_off: null,
  outcome: null,
};
