/** How a decision is graded: the thresholds of `cantstop.review.grades`, which a test compares. */

/** @typedef {"best" | "fine" | "inaccuracy" | "mistake" | "blunder"} Grade */
/** @typedef {{rms: number}} Estimate  how far values are from the truth */

/** The least error of each grade, in win chance. */
export const WIN_CHANCE = { inaccuracy: 0.02, mistake: 0.05, blunder: 0.1 };

/** The same in a solo game, in turns. */
export const SOLO_TURNS = { inaccuracy: 0.06, mistake: 0.15, blunder: 0.3 };

/**
 * @param {number} error  what a decision gives away
 * @param {boolean} solo
 * @param {Estimate | null} estimate  an error that it could explain is never called one
 * @returns {Grade}
 */
export function gradeOf(error, solo, estimate) {
  const least = solo ? SOLO_TURNS : WIN_CHANCE;
  if (error <= 0) return "best";
  if (error < least.inaccuracy || (estimate && error < 2 * estimate.rms)) return "fine";
  if (error < least.mistake) return "inaccuracy";
  return error < least.blunder ? "mistake" : "blunder";
}
