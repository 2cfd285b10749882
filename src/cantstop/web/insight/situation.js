/**
 * Exact odds of the next rolls, by counting all 1,296: what `cantstop.odds` knows, at once.
 *
 * @typedef {object} Situation
 * @property {number[]} runners  columns with a runner
 * @property {number[]} topped  those of them whose runner is on the top
 * @property {number[]} won  columns that nobody can use any more
 */

import { SIDES } from "../core/odds.js";

export const RUNNERS = 3;
export const COLUMNS = Array.from({ length: 2 * SIDES - 1 }, (_, at) => at + 2);

/** @typedef {{splits: [number, number][], ways: number}} Roll */

/** @type {Roll[]} every roll that differs in more than its order */
const ROLLS = countRolls();

export const ALL = ROLLS.reduce((sum, { ways }) => sum + ways, 0);

/** @returns {Roll[]} */
function countRolls() {
  /** @type {Map<string, Roll>} */
  const found = new Map();
  const faces = Array.from({ length: SIDES }, (_, at) => at + 1);
  for (const a of faces)
    for (const b of faces)
      for (const c of faces)
        for (const d of faces) {
          const key = [a, b, c, d].sort().join();
          const roll = found.get(key);
          if (roll) roll.ways += 1;
          else found.set(key, { splits: splitsOf(a, b, c, d), ways: 1 });
        }
  return [...found.values()];
}

/**
 * @param {number} a
 * @param {number} b
 * @param {number} c
 * @param {number} d
 * @returns {[number, number][]}
 */
function splitsOf(a, b, c, d) {
  return [
    [a + b, c + d],
    [a + c, b + d],
    [a + d, b + c],
  ];
}

/**
 * The columns that a roll has to show one of.
 * @param {Situation} situation
 */
export function usefulColumns({ runners, topped, won }) {
  const reachable =
    runners.length < RUNNERS ? COLUMNS.filter((column) => !won.includes(column)) : runners;
  return reachable.filter((column) => !topped.includes(column));
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
  const wanted = new Set(columns);
  return ROLLS.filter(({ splits }) => splits.flat().some((sum) => wanted.has(sum))).reduce(
    (sum, { ways }) => sum + ways,
    0,
  );
}

/**
 * The chances to get through one roll, two and so on, with the moves that last longest; runners are
 * taken never to come to a further top.
 * @param {Situation} situation
 * @param {number} most
 * @returns {number[]}
 */
export function survival(situation, most) {
  const blocked = new Set([...situation.won, ...situation.topped]);
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
    const ahead = remember(led, runners.join(), () =>
      ROLLS.map(({ splits, ways }) => ({
        ways,
        afters: splits.flatMap((split) => next(runners, split, blocked)),
      })),
    );
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
 * The columns that have a runner after a split is used in each way that the rules allow (T2 to T6).
 * @param {number[]} runners  with at least one in hand
 * @param {[number, number]} split
 * @param {Set<number>} blocked
 * @returns {number[][]}
 */
function next(runners, split, blocked) {
  const usable = [...new Set(split)].filter((column) => !blocked.has(column));
  if (!usable.length) return [];
  const free = RUNNERS - runners.length;
  const fresh = usable.filter((column) => !runners.includes(column));
  const ways = fresh.length > free ? usable.map((column) => [column]) : [usable];
  return ways.map((columns) => [...new Set([...runners, ...columns])].sort((a, b) => a - b));
}
