/** What positions and options are worth, in words: chances to win; alone, turns still to come. */

import { signed, turnsText } from "./counts.js";
import { language, number, plural, t } from "./i18n.js";

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
  return solo ? turnsText(-worth, 2) : chanceText(worth);
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
 * What a decision gives away, in a sentence that names the unit.
 * @param {number} error
 * @param {boolean} solo
 * @param {boolean} [all]  whether all digits are shown, zeros too
 */
export function errorText(error, solo, all = false) {
  if (solo) return turnsText(error, 2, all ? 2 : 0);
  const points = 100 * error;
  const least = all ? 1 : 0;
  const fields = { points: number(points, 1, least) };
  return plural(
    points,
    t("{points} point of win chance", fields),
    t("{points} points of win chance", fields),
    1,
    least,
  );
}

/**
 * Whether what a decision gives away is too little to be shown.
 * @param {number} error
 * @param {boolean} solo
 */
export function isNothing(error, solo) {
  return Number((solo ? error : 100 * error).toFixed(solo ? 2 : 1)) === 0;
}

/**
 * A change without its unit, which is said once a page: points of win chance, or turns. Plus is
 * good, alone too.
 * @param {number} change
 * @param {boolean} solo
 */
export function changeText(change, solo) {
  return solo ? signed(change, 2) : signed(100 * change, 1);
}

/**
 * A change and how far it may be off: “+30.3 ± 1.2”; without the latter where it rounds to nothing.
 * @param {number} change
 * @param {number} uncertainty
 * @param {boolean} solo
 */
export function uncertainText(change, uncertainty, solo) {
  const [size, places] = solo ? [uncertainty, 2] : [100 * uncertainty, 1];
  const shown = changeText(change, solo);
  return Number(size.toFixed(places)) ? `${shown} ± ${number(size, places, places)}` : shown;
}

/**
 * The unit of such figures, once a page.
 * @param {boolean} solo
 */
export function unitText(solo) {
  return solo
    ? t("Luck, skill and errors are in turns: + is good.")
    : t("Luck, skill and errors are in points of win chance: + is good.");
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
