/** The games that are looked at here: an instance of the module for each of the last few. */

import { analyse, hint } from "./analysis.js";
import { engineModule, evaluatorFor } from "./files.js";
import { readPosition } from "./notation.js";
import { SolvedGame } from "./solver.js";

/** Instances that are kept: one of the official board has 15 MB. */
const MOST_GAMES = 2;

/** A text that cannot be read as a position, or one that no game can come to. */
export class Impossible extends Error {}

/** @type {Map<string, SolvedGame>} */
const games = new Map();

/**
 * The game by some rules, ready to be solved.
 * @param {import("./notation.js").Rules} rules
 * @returns {Promise<SolvedGame>}
 */
export async function solvedGame(rules) {
  const [module, evaluator] = await Promise.all([engineModule(), evaluatorFor(rules)]);
  const found = games.get(rules.text) ?? new SolvedGame(module, rules, evaluator);
  games.delete(rules.text);
  games.set(rules.text, found);
  for (const [text] of [...games].slice(0, -MOST_GAMES)) games.delete(text);
  return found;
}

/**
 * A position by its text, and its game.
 * @param {string} text
 */
export async function positionAt(text) {
  const placed = readPosition(text);
  if (!placed) throw new Impossible(text);
  const game = await solvedGame(placed.rules);
  const position = game.place(placed);
  if (!position) throw new Impossible(text);
  return { game, position };
}

/** @param {string} text */
export async function analysisOf(text) {
  const { game, position } = await positionAt(text);
  return analyse(game, position);
}

/** @param {string} text */
export async function hintAt(text) {
  const { game, position } = await positionAt(text);
  return hint(game, position);
}
