/** A review's figures in words: grades, counts of mistakes, how luck and skill add up. */

import { signed, turnsText } from "../../words/counts.js";
import { number, percent, plural, t } from "../../words/i18n.js";
import { changeText, errorText } from "../../words/win-chances.js";

/** @typedef {import("../../net/protocol.js").SeatReviewView} SeatReview */

/**
 * What a seat's position is worth: a chance to win, or the turns that the game will have had.
 * @param {number} worth
 * @param {boolean} solo
 */
export function levelText(worth, solo) {
  return solo ? turnsText(-worth, 1) : percent(worth, 1);
}

/** @param {string} grade */
export function gradeText(grade) {
  /** @type {Record<string, string>} */
  const names = {
    best: t("Best"),
    fine: t("Fine"),
    inaccuracy: t("Inaccuracy"),
    mistake: t("Mistake"),
    blunder: t("Blunder"),
    lucky: t("Lucky roll"),
    unlucky: t("Unlucky roll"),
  };
  return names[grade];
}

/**
 * “1 blunder, 2 mistakes”
 * @param {Record<string, number>} grades
 */
export function mistakesText({ blunder = 0, mistake = 0, inaccuracy = 0 }) {
  const parts = [
    blunder &&
      plural(
        blunder,
        t("{count} blunder", { count: blunder }),
        t("{count} blunders", { count: blunder }),
      ),
    mistake &&
      plural(
        mistake,
        t("{count} mistake", { count: mistake }),
        t("{count} mistakes", { count: mistake }),
      ),
    inaccuracy &&
      plural(
        inaccuracy,
        t("{count} inaccuracy", { count: inaccuracy }),
        t("{count} inaccuracies", { count: inaccuracy }),
      ),
  ].filter(Boolean);
  return parts.length ? parts.join(", ") : t("no mistakes");
}

/**
 * A seat's game in one line: “Accuracy 84% · 1 mistake · luck −31 points”.
 * @param {SeatReview} seat
 * @param {boolean} solo
 */
export function summaryText({ accuracy, grades, luck }, solo) {
  const mistake = grades.mistake + grades.blunder;
  return [
    accuracy !== null && t("Accuracy {accuracy}", { accuracy: percent(accuracy / 100) }),
    mistakesText({ mistake }),
    luckText(luck, solo),
  ]
    .filter(Boolean)
    .join(" · ");
}

/**
 * @param {number} luck
 * @param {boolean} solo
 */
function luckText(luck, solo) {
  const value = solo ? luck : 100 * luck;
  const fields = { luck: signed(value, solo ? 1 : 0) };
  return solo
    ? plural(Math.abs(value), t("luck: {luck} turn", fields), t("luck: {luck} turns", fields), 1)
    : plural(
        Math.abs(value),
        t("luck: {luck} point of win chance", fields),
        t("luck: {luck} points of win chance", fields),
      );
}

/**
 * How luck and skill add up to the result, in one sentence.
 * @param {SeatReview} seat
 * @param {boolean} solo
 */
export function sumText({ start, luck, skill, drift, result }, solo) {
  const fields = {
    start: levelText(start, solo),
    luck: changeText(luck, solo),
    skill: changeText(skill, solo),
    drift: changeText(drift, solo),
    result: levelText(result, solo),
  };
  return Math.abs(drift) < (solo ? 0.005 : 0.0005)
    ? t("{start} at the start, luck {luck}, skill {skill}: {result}.", fields)
    : t(
        "{start} at the start, luck {luck}, skill {skill}, drift of the estimate {drift}: {result}.",
        fields,
      );
}

/**
 * What a seat's own decisions gave away; the rate names its denominator.
 * @param {SeatReview} seat
 * @param {boolean} solo
 */
export function errorSumText({ error, decisions, error_per_decision: each }, solo) {
  if (!decisions) return t("There was nothing to decide.");
  const fields = {
    count: number(decisions),
    error: errorText(error, solo),
    each: solo ? number(each, 2) : number(100 * each, 1),
  };
  return plural(
    decisions,
    t("{count} decision gave away {error}.", fields),
    t("{count} decisions gave away {error}, {each} each.", fields),
  );
}

/**
 * The rating that such play goes with; so few decisions leave much open.
 * @param {Record<string, number>} like
 */
export function playedLikeText({ rating, low, high }) {
  return t("Played like a rating of {rating} ({low} to {high}).", {
    rating: number(rating),
    low: number(low),
    high: number(high),
  });
}
