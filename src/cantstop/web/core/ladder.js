/** How this device stands against the animals of the ladder: games won and lost, kept by their ids. */

import { load, save } from "./prefs.js";

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

/** @typedef {{won: number, lost: number}} Score */
/** @typedef {{ids: string[], scores: Record<string, Score>}} Results */

/** The number of games whose ids are kept: none of them counts twice. */
const MOST_IDS = 500;

/** @returns {Results} */
function results() {
  return load("ladder", { ids: [], scores: {} });
}

/**
 * @param {string} bot
 * @returns {Score}
 */
export function scoreAgainst(bot) {
  return results().scores[bot] ?? { won: 0, lost: 0 };
}

/** The lowest animal that has not been beaten; null once all are. */
export function nextOnLadder() {
  return LADDER.find((bot) => !scoreAgainst(bot).won) ?? null;
}

/**
 * A game that is over, if it was one person's against one animal.
 * @param {import("../net/state.js").State} state
 * @param {number[]} mine
 */
export function noteLadderGame({ id, stage, lesson, mode, seats, view }, mine) {
  const [own] = mine;
  const bot = seats[1 - own]?.bot ?? "";
  const single = mine.length === 1 && seats.length === 2 && mode !== "online";
  if (stage !== "over" || lesson || !single || !LADDER.includes(bot)) return;
  const winners = view.outcome?.winners;
  if (!winners && !seats[own].resigned) return; // it was closed, or nobody has won
  const { ids, scores } = results();
  if (ids.includes(id)) return;
  const { won, lost } = scoreAgainst(bot);
  const score = winners?.includes(own) ? { won: won + 1, lost } : { won, lost: lost + 1 };
  save("ladder", { ids: [...ids, id].slice(-MOST_IDS), scores: { ...scores, [bot]: score } });
}
