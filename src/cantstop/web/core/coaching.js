/** How many games the coach still looks on: three after the first lesson, fewer with each of them. */

import { load, save } from "./prefs.js";

const GAMES = 3;

/** @typedef {{left: number, ids: string[]}} Coaching  the games that were coached, and how many are left */

/** @returns {Coaching} */
function coaching() {
  return load("coach", { left: 0, ids: [] });
}

/** After the first lesson; whoever has had their games does not get them again. */
export function beginCoaching() {
  const { left, ids } = coaching();
  if (!left && !ids.length) save("coach", { left: GAMES, ids });
}

export function endCoaching() {
  save("coach", { ...coaching(), left: 0 });
}

/**
 * Which of the three a table's game is, from 1; null where the coach is not there.
 * @param {string} table
 */
export function coachedGame(table) {
  const { left, ids } = coaching();
  if (!left) return null;
  const known = ids.indexOf(table);
  const game = known < 0 ? ids.length + 1 : known + 1;
  return game <= GAMES ? game : null;
}

/** The coach sits down at a table: its game counts. @param {string} table */
export function noteCoached(table) {
  const { left, ids } = coaching();
  if (!ids.includes(table)) save("coach", { left, ids: [...ids, table] });
}
