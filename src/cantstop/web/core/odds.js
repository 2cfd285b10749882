/** How often fair dice offer each column, by counting every roll of four dice. */

export const SIDES = 6;

/**
 * The three ways to pair four dice into two sums, the lower one first.
 * @param {number[]} dice
 * @returns {[number, number][]}
 */
export function splitsOf([a, b, c, d]) {
  return [pair(a + b, c + d), pair(a + c, b + d), pair(a + d, b + c)];
}

/**
 * @param {number} one
 * @param {number} other
 * @returns {[number, number]}
 */
function pair(one, other) {
  return one < other ? [one, other] : [other, one];
}

/**
 * The columns that a roll offers.
 * @param {number[]} dice
 */
export function columnsShown(dice) {
  return new Set(splitsOf(dice).flat());
}

/**
 * The share of rolls that offer each column, from column 2 on.
 * @param {number[][]} rolls
 * @returns {number[]}
 */
export function columnShares(rolls) {
  const counts = Array(2 * SIDES - 1).fill(0);
  for (const roll of rolls) for (const sum of columnsShown(roll)) counts[sum - 2] += 1;
  return counts.map((count) => count / (rolls.length || 1));
}

/** What fair dice give on average. */
export function expectedColumns() {
  const faces = Array.from({ length: SIDES }, (_, at) => at + 1);
  const pairs = faces.flatMap((a) => faces.map((b) => [a, b]));
  return columnShares(pairs.flatMap((one) => pairs.map((two) => [...one, ...two])));
}

/**
 * The share of each face among all dice.
 * @param {number[][]} rolls
 */
export function faceShares(rolls) {
  const dice = rolls.flat();
  return Array.from(
    { length: SIDES },
    (_, at) => dice.filter((die) => die === at + 1).length / (dice.length || 1),
  );
}
