/** How this device stands against the animals of the ladder. */

import { playedGames, soleBot } from "./history.js";

/** From the one that is beaten first to the strongest: `cantstop.bots.LADDER`, which a test compares. */
export const LADDER = [
  "chick",
  "magpie",
  "tortoise",
  "ibex",
  "monkey",
  "fox",
  "falcon",
  "champion",
];

/**
 * Games against one animal alone.
 * @typedef {object} Score
 * @property {number} won
 * @property {number} lost
 * @property {import("./history.js").Played | null} first  the one in which it was beaten first
 */

/** @returns {Map<string, Score>} by animal, all of them */
export function ladderScores() {
  /** @type {Map<string, Score>} */
  const scores = new Map(LADDER.map((bot) => [bot, { won: 0, lost: 0, first: null }]));
  for (const game of playedGames()) {
    const score = scores.get(soleBot(game) ?? "");
    if (!score) continue;
    if (game.won) score.first ??= game;
    score[game.won ? "won" : "lost"] += 1;
  }
  return scores;
}

/**
 * The lowest animal that has not been beaten; null once all are.
 * @param {Map<string, Score>} scores
 */
export function nextOnLadder(scores) {
  return LADDER.find((bot) => !scores.get(bot)?.won) ?? null;
}
