/** What positions and options are worth, in words: chances to win; alone, turns still to come. */

import { language, number, t } from "./i18n.js";

/**
 * A chance to one place after the point, always: figures under each other can be compared.
 * @param {number} share
 */
export function chanceText(share) {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return share.toLocaleString(language(), { style: "percent", ...digits });
}

/**
 * @param {number} worth  a win chance; in a solo game minus the turns that will follow
 * @param {boolean} solo
 */
export function worthText(worth, solo) {
  return solo ? t("{turns} turns", { turns: number(-worth, 2) }) : chanceText(worth);
}

/**
 * A worth with how far it may be from the truth: “48.2% ± 0.3”.
 * @param {number} worth
 * @param {boolean} solo
 * @param {import("../core/grades.js").Estimate | null} estimate
 */
export function estimateText(worth, solo, estimate) {
  if (!estimate) return worthText(worth, solo);
  const off = solo ? number(estimate.rms, 2) : number(100 * estimate.rms, 1);
  return `${worthText(worth, solo)} ± ${off}`;
}

/**
 * What a decision gives away.
 * @param {number} error
 * @param {boolean} solo
 */
export function errorText(error, solo) {
  return solo ? t("{turns} turns", { turns: number(error, 2) }) : chanceText(error);
}

/**
 * What an option is called: “7 + 8”, “Stop”, “Roll again”.
 * @param {string} action
 * @param {boolean} [first]  whether the turn begins, so that nothing is rolled again
 */
export function actionText(action, first = false) {
  if (action === "stop") return t("Stop");
  if (action === "roll") return first ? t("Roll") : t("Roll again");
  return action.replace("+", " + ");
}

/**
 * What to do after a move.
 * @param {string | null | undefined} then
 */
export function thenText(then) {
  if (then === "stop") return t("then stop");
  return then === "roll" ? t("then roll again") : "";
}
