/** The games saved on this device: the secrets that hold its seats, and how each game stands. */

import { load, save } from "./prefs.js";

const MOST = 100;
const BEST = 10;

/**
 * @typedef {object} Game
 * @property {string} id
 * @property {string | null} secret  null for a game that is only watched
 * @property {string | null} [asked]  the secret by which a seat was asked for, without an answer yet
 * @property {number[] | null} mine  the seats that the secret holds; null while that is not known
 * @property {string} at  when it was last seen
 * @property {string} mode
 * @property {string} edition
 * @property {{name: string | null, bot: string | null}[]} seats
 * @property {"open" | "playing" | "over"} stage
 * @property {number[]} winners  their seats
 * @property {boolean} lesson
 * @property {string | null} commitment  as it was first seen here
 * @property {string} salt  what this device adds to the dice
 * @property {number} [seen]  at a slow table, the last event that was shown here
 * @property {import("../net/salts.js").BoundSeat[] | null} [bound]
 *   what every seat was bound to when this device revealed its salt
 * @property {number} [boundTurn]  the turn of the dice in which that was
 */

/** @returns {Game[]} newest first */
export function myGames() {
  return load("games", /** @type {Game[]} */ ([]));
}

/**
 * @param {string} id
 * @returns {Game | undefined}
 */
export function myGame(id) {
  return myGames().find((game) => game.id === id);
}

/**
 * Note what is known of a game; what is not given stays as it was.
 * @param {string} id
 * @param {Partial<Game>} known
 */
export function saveGame(id, known) {
  /** @type {Game} */
  const before = myGame(id) ?? {
    id,
    secret: null,
    mine: null,
    at: "",
    mode: "online",
    edition: "",
    seats: [],
    stage: "open",
    winners: [],
    lesson: false,
    commitment: null,
    salt: newSalt(),
  };
  const game = { ...before, ...known, at: new Date().toISOString() };
  save("games", [game, ...myGames().filter((other) => other.id !== id)].slice(0, MOST));
}

/**
 * What a table's state tells about the game. The commitment is kept as it was first seen.
 * @param {import("../net/state.js").State} state
 * @param {number[]} mine  the seats of this device
 */
export function saveState(state, mine) {
  saveGame(state.id, {
    mode: state.mode,
    edition: state.edition,
    seats: state.seats.map(({ name, bot }) => ({ name, bot })),
    stage: state.stage,
    winners: state.view.outcome?.winners ?? [],
    lesson: state.lesson !== null,
    commitment: myGame(state.id)?.commitment ?? state.commitment,
    mine,
  });
}

/** A salt that nobody can foresee, nor guess from a commitment to it: 128 bits. */
export function newSalt() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A secret to hold a seat with: 192 bits. */
export function newSecret() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} id */
export function forgetGame(id) {
  save(
    "games",
    myGames().filter((game) => game.id !== id),
  );
}

/**
 * Put a forgotten game back where it was in the list, with the secret of its seat.
 * @param {Game} game
 * @param {number} place
 */
export function restoreGame(game, place) {
  const others = myGames().filter(({ id }) => id !== game.id);
  save("games", others.toSpliced(Math.max(0, place), 0, game));
}

/** @typedef {{id: string, turns: number, name: string, rules: string, at: string}} Solo */

/** @returns {Solo[]} fewest turns first, of all rules */
export function bestSolos() {
  return load("solos", /** @type {Solo[]} */ ([]));
}

/**
 * Enter a finished solo game into the list of its rules. Returns its place there from 1, or null if
 * it has none.
 * @param {Solo} solo
 */
export function enterSolo(solo) {
  const others = bestSolos().filter((other) => other.id !== solo.id);
  const ranked = [...others, solo].sort((a, b) => a.turns - b.turns || a.at.localeCompare(b.at));
  const same = ranked.filter(({ rules }) => rules === solo.rules);
  const beyond = new Set(same.slice(BEST));
  save(
    "solos",
    ranked.filter((each) => !beyond.has(each)),
  );
  const place = same.indexOf(solo) + 1;
  return place <= BEST ? place : null;
}
