/** The games that were finished on this device: against whom, with what result, and what a review said. */

import { load, save } from "./prefs.js";

/** @typedef {{bot: string} | {name: string}} Opponent */

/**
 * One person's game that is over.
 * @typedef {object} Played
 * @property {string} id
 * @property {string} at  when it ended
 * @property {Opponent[]} against
 * @property {boolean} won
 * @property {number} rounds
 * @property {string[]} feats  what was special about it, by the names in `core/feats.js`
 * @property {number} [luck]  in shares of a win, once it has been reviewed
 * @property {number | null} [accuracy]  in percent
 * @property {number} [low]  the lowest win chance
 */

/** A game has some 200 bytes, and localStorage five million: the oldest ones give way. */
const MOST = 5000;

/** @returns {Played[]} oldest first */
export function playedGames() {
  return load("history", /** @type {Played[]} */ ([]));
}

/**
 * Enter a game, or what has become known of it: what is not given stays as it was.
 * @param {Pick<Played, "id"> & Partial<Played>} known
 */
export function enterGame(known) {
  const games = playedGames();
  const at = games.findIndex(({ id }) => id === known.id);
  if (at >= 0) games[at] = { ...games[at], ...known };
  else if (known.against) games.push(/** @type {Played} */ (known));
  save("history", games.slice(-MOST));
}

/** @param {Played} game */
export function soleBot({ against }) {
  const [one] = against;
  return against.length === 1 && "bot" in one ? one.bot : null;
}
