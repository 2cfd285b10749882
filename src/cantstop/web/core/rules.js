/** The text of rules (docs/notation.md), read in this one place. */

/** @typedef {import("../net/protocol.js").Sharing} Sharing */

/** How many spaces the columns have on the official board, from column 2 on. */
export const OFFICIAL = [3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3];

/**
 * @typedef {object} Rules
 * @property {number} players
 * @property {number} win  columns to win
 * @property {boolean} early
 * @property {Sharing} sharing
 * @property {string} start  who starts
 * @property {number[]} lengths  of the columns, from column 2 on
 * @property {number} most  runners of a turn
 */

/**
 * @param {string} text such as `v1,players=3,win=4,early`
 * @returns {Rules}
 */
export function parseRules(text) {
  const given = new Map(
    text.split(",").map((part) => /** @type {[string, string]} */ (part.split("="))),
  );
  return {
    players: Number(given.get("players") ?? 2),
    win: Number(given.get("win") ?? 3),
    early: given.has("early"),
    sharing: /** @type {Sharing} */ (given.get("sharing") ?? "free"),
    start: given.get("start") ?? "first-seat",
    lengths: given.get("lengths")?.split(".").map(Number) ?? OFFICIAL,
    most: Number(given.get("runners") ?? 3),
  };
}
