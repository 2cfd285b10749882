// @ts-check
/** What is wrong with a record: one sentence for the player, and the line it is about. */

export class RecordProblem extends Error {
  /** @type {number | null} */
  line = null;
}
