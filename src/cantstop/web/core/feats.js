/** What is special about a game that one has won, by its events and by its review. */

import { soleBot } from "./history.js";
import { load, save } from "./prefs.js";
import { playedEvents } from "./played-events.js";

/** @typedef {import("../net/state.js").State} State */

/** All feats, in the order in which most people do them. */
export const FEATS = /** @type {const} */ ([
  "first-win",
  "two-at-once",
  "quick",
  "comeback",
  "stubborn",
  "nerves",
  "flawless",
  "long-shots",
  "hat-trick",
  "from-the-dead",
  "crowd",
  "week",
  "summit",
]);

/** @typedef {typeof FEATS[number]} Feat */

const QUICK = 7;
const STUBBORN = 4;

/**
 * The feats of a seat that its events show; most of them need a win.
 * @param {Pick<State, "log" | "seats" | "view">} state
 * @param {number} seat
 * @param {boolean} won
 * @returns {Feat[]}
 */
export function featsOf({ log, seats, view }, seat, won) {
  const turns = playedEvents(log).filter(
    (event) => event.seat === seat && (event.kind === "stopped" || event.kind === "busted"),
  );
  const at = turns.map((event) => (event.kind === "stopped" ? event.data.won.length : 0));
  const columns = view.owners.flatMap((owner, index) => (owner === seat ? [index + 2] : []));
  /** @type {[Feat, boolean][]} */
  const all = [
    ["first-win", won],
    ["two-at-once", at.some((count) => count >= 2)],
    ["hat-trick", at.some((count) => count >= 3)],
    ["quick", won && turns.length <= QUICK],
    ["stubborn", won && bustsInARow(turns.map(({ kind }) => kind === "busted")) >= STUBBORN],
    ["long-shots", won && columns.includes(2) && columns.includes(12)],
    ["crowd", won && seats.length === 4],
  ];
  return all.flatMap(([name, has]) => (has ? [name] : []));
}

/** @param {boolean[]} busts */
function bustsInARow(busts) {
  let [most, now] = [0, 0];
  for (const bust of busts) {
    now = bust ? now + 1 : 0;
    most = Math.max(most, now);
  }
  return most;
}

/** A win chance from which a win is a comeback, and one from which it is a wonder. */
const COMEBACK = 0.2;
const DEAD = 0.1;
/** The fewest decisions of a flawless game. */
const DECISIONS = 8;

/**
 * The feats that only a review can tell.
 * @param {import("../net/protocol.js").SeatReviewView} review
 * @param {number} low  the lowest win chance of the game
 * @param {boolean} won
 * @returns {Feat[]}
 */
export function reviewedFeats({ error, decisions }, low, won) {
  /** @type {[Feat, boolean][]} */
  const all = [
    ["comeback", won && low <= COMEBACK],
    ["from-the-dead", won && low <= DEAD],
    ["flawless", won && decisions >= DECISIONS && error < 0.01],
  ];
  return all.flatMap(([name, has]) => (has ? [name] : []));
}

/** A roll at such a risk takes nerves. */
const NERVES = 0.45;
const WEEK = 7;

/**
 * Whoever has survived such a risk has done it, whatever becomes of the game.
 * @param {State} before
 * @param {State} after
 */
export function noteNerves({ view }, after) {
  const [bad, all] = view.bust_chance ?? [0, 1];
  if (view.phase !== "choice" || bad / all < NERVES || after.view.phase !== "move") return;
  if (!load("nerves", "")) save("nerves", new Date().toISOString());
}

/**
 * All feats that were done here, with when; empty where that is not known.
 * @param {import("./history.js").Played[]} games
 * @param {number} streak  of daily games
 * @returns {Map<string, string>}
 */
export function notedFeats(games, streak) {
  /** @type {Map<string, string>} */
  const found = new Map();
  const note = (/** @type {string} */ feat, /** @type {string} */ at) =>
    found.has(feat) || found.set(feat, at);
  for (const game of games) {
    for (const feat of game.feats) note(feat, game.at);
    if (game.won && soleBot(game) === "champion") note("summit", game.at);
  }
  const nerves = load("nerves", "");
  if (nerves) note("nerves", nerves);
  if (streak >= WEEK || load("week", false)) {
    save("week", true);
    note("week", "");
  }
  return found;
}
