/**
 * Exact odds of the next rolls, by counting all 1,296: what `cantstop.odds` knows, at once.
 *
 * @typedef {object} Situation
 * @property {number[]} runners  columns with a runner
 * @property {number[]} topped  those of them whose runner is on the top
 * @property {number[]} won  columns that nobody can use any more
 */

import { columnsShown, SIDES } from "../core/odds.js";
import { parseRules } from "../core/rules.js";
import { Game } from "../verify/game.js";

const RULES = parseRules("v1,players=1");
export const RUNNERS = RULES.most;
export const COLUMNS = RULES.lengths.map((_, at) => at + 2);

/** As many spaces as the moves of one roll can take, and one more: no runner comes to the top. */
const FAR = 4;

/** @typedef {{dice: number[], ways: number}} Roll */

/** @type {Roll[]} every roll that differs in more than its order */
const ROLLS = countRolls();

export const ALL = ROLLS.reduce((sum, { ways }) => sum + ways, 0);

/** @returns {Roll[]} */
function countRolls() {
  /** @type {Map<string, Roll>} */
  const found = new Map();
  const faces = Array.from({ length: SIDES }, (_, at) => at + 1);
  const pairs = faces.flatMap((a) => faces.map((b) => [a, b]));
  for (const dice of pairs.flatMap((one) => pairs.map((two) => [...one, ...two]))) {
    const key = [...dice].sort().join();
    const roll = found.get(key);
    if (roll) roll.ways += 1;
    else found.set(key, { dice, ways: 1 });
  }
  return [...found.values()];
}

/**
 * A game in a situation, for what the rules allow in it: where the runners stand is of no account.
 * @param {Situation} situation
 */
function gameIn({ runners, topped, won }) {
  const game = new Game({ ...RULES, lengths: RULES.lengths.map(() => FAR) });
  for (const column of runners) game.runners[column] = 1;
  for (const column of topped) game.runners[column] = FAR;
  for (const column of won) game.tokens[0][column] = FAR;
  return game;
}

/**
 * The columns that a roll has to show one of.
 * @param {Situation} situation
 */
export function usefulColumns(situation) {
  const game = gameIn(situation);
  return COLUMNS.filter((column) => game.isUseful(column));
}

/**
 * How many of all rolls are of use.
 * @param {Situation} situation
 */
export function usableRolls(situation) {
  return rollsShowing(usefulColumns(situation));
}

/**
 * How many of all rolls show at least one of these columns.
 * @param {number[]} columns
 */
export function rollsShowing(columns) {
  const showing = ROLLS.filter(({ dice }) => {
    const shown = columnsShown(dice);
    return columns.some((column) => shown.has(column));
  });
  return showing.reduce((sum, { ways }) => sum + ways, 0);
}

/**
 * The chances to get through one roll, two and so on, with the moves that last longest; runners are
 * taken never to come to a further top.
 * @param {Situation} situation
 * @param {number} most
 * @returns {number[]}
 */
export function survival(situation, most) {
  /** @type {Map<string, number>} */
  const known = new Map();
  /** @type {Map<string, number>} how likely three runners get through one roll */
  const placed = new Map();
  /** @type {Map<string, {ways: number, afters: number[][]}[]>} where the rolls lead from runners */
  const led = new Map();

  /**
   * @param {number[]} runners
   * @param {number} rolls
   * @returns {number}
   */
  function chance(runners, rolls) {
    if (rolls === 0) return 1;
    const columns = runners.join();
    if (runners.length === RUNNERS)
      return remember(placed, columns, () => usableRolls({ ...situation, runners }) / ALL) ** rolls;
    return remember(known, `${columns} ${rolls}`, () => mean(runners, rolls));
  }

  /**
   * @param {number[]} runners
   * @param {number} rolls
   */
  function mean(runners, rolls) {
    const ahead = remember(led, runners.join(), () => {
      const game = gameIn({ ...situation, runners });
      return ROLLS.map(({ dice, ways }) => ({ ways, afters: afterRoll(game, runners, dice) }));
    });
    let sum = 0;
    for (const { ways, afters } of ahead)
      if (afters.length) sum += ways * Math.max(...afters.map((after) => chance(after, rolls - 1)));
    return sum / ALL;
  }

  const first = [...situation.runners].sort((a, b) => a - b);
  return Array.from({ length: most }, (_, at) => chance(first, at + 1));
}

/**
 * What is known under a key, or else is worked out now.
 * @template T
 * @param {Map<string, T>} known
 * @param {string} key
 * @param {() => T} find
 * @returns {T}
 */
function remember(known, key, find) {
  const found = known.get(key) ?? find();
  known.set(key, found);
  return found;
}

/**
 * The columns that have a runner after each move that a roll allows.
 * @param {Game} game
 * @param {number[]} runners
 * @param {number[]} dice
 */
function afterRoll(game, runners, dice) {
  game.dice = dice;
  return game.moves().map((move) => [...new Set([...runners, ...move])].sort((a, b) => a - b));
}
