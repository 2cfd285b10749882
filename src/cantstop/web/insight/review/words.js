/** A review in words: figures with their sign, grades, counts of mistakes, what the game was won by. */

import { joinList, number, percent, t } from "../../words/i18n.js";
import { seatName } from "../../words/sentences.js";

/** @typedef {import("./story.js").Story} Story */
/** @typedef {import("./story.js").Mark} Mark */
/** @typedef {import("../../net/protocol.js").SeatReviewView} SeatReview */

/**
 * What somebody's position is worth: a chance to win, or the turns that the game will have had.
 * @param {number} worth
 * @param {boolean} solo
 */
export function levelText(worth, solo) {
  return solo ? t("{turns} turns", { turns: number(-worth, 1) }) : percent(worth, 1);
}

/**
 * A change of it, with its sign; alone, more turns are worse.
 * @param {number} change
 * @param {boolean} solo
 * @param {number} [digits]  of a percentage; turns have one more
 */
export function changeText(change, solo, digits = 1) {
  const shown = solo ? -change : change;
  const sign = shown < 0 ? "−" : "+";
  const size = Math.abs(shown);
  return (
    sign + (solo ? t("{turns} turns", { turns: number(size, digits + 1) }) : percent(size, digits))
  );
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
    blunder && (blunder === 1 ? t("1 blunder") : t("{count} blunders", { count: blunder })),
    mistake && (mistake === 1 ? t("1 mistake") : t("{count} mistakes", { count: mistake })),
    inaccuracy &&
      (inaccuracy === 1 ? t("1 inaccuracy") : t("{count} inaccuracies", { count: inaccuracy })),
  ].filter(Boolean);
  return parts.length ? parts.join(", ") : t("no mistakes");
}

/**
 * A seat's game in one line: “Accuracy 84% · 1 mistake · luck −31%”.
 * @param {SeatReview} seat
 * @param {boolean} solo
 */
export function summaryText({ accuracy, grades, luck }, solo) {
  const mistake = grades.mistake + grades.blunder;
  return [
    accuracy !== null && t("Accuracy {accuracy}", { accuracy: percent(accuracy / 100) }),
    mistakesText({ mistake }),
    t("luck {luck}", { luck: changeText(luck, solo, 0) }),
  ]
    .filter(Boolean)
    .join(" · ");
}

/**
 * What everybody asks first.
 * @param {Story} story
 */
export function question({ answer, seats, solo }) {
  const { winners } = answer;
  if (!winners) return t("An unfinished game");
  if (solo) return t("{turns} turns. Was it luck?", { turns: number(-answer.seats[0].result) });
  const names = winners.map((seat) => seatName(seats[seat], seat));
  return names.length === 1
    ? t("{name} wins. Was it luck?", { name: names[0] })
    : t("{names} share the win!", { names: joinList(names) });
}

/**
 * And the answer, as far as luck and skill of the winner tell.
 * @param {Story} story
 */
export function verdict({ answer, seats, solo }) {
  const { winners } = answer;
  const [seat] = solo ? [0] : winners?.length === 1 ? winners : [];
  if (seat === undefined || !winners) return "";
  const { luck, skill } = answer.seats[seat];
  if (solo) {
    return t("Luck: {luck}. Decisions that were not the best: {skill}.", {
      luck: changeText(luck, solo),
      skill: changeText(skill, solo),
    });
  }
  const name = seatName(seats[seat], seat);
  const sentence =
    skill <= 0
      ? t("Yes: {name}’s decisions were not the better ones.", { name })
      : luck <= 0
        ? t("No: {name} won against the dice.", { name })
        : luck > 2 * skill
          ? t("Mostly luck.")
          : skill > 2 * luck
            ? t("Mostly skill.")
            : t("Luck and skill, both.");
  const figures = t("The dice gave {name} {luck}, decisions {skill}.", {
    name,
    luck: changeText(luck, solo),
    skill: changeText(skill, solo),
  });
  return `${sentence} ${figures}`;
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
  return t("{count} decisions gave away {error}, {each} each.", {
    count: decisions,
    error: solo ? t("{turns} turns", { turns: number(error, 2) }) : percent(error, 1),
    each: solo ? t("{turns} turns", { turns: number(each, 2) }) : percent(each, 1),
  });
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
