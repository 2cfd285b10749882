/** The players of a reviewed game: accuracy, and luck and skill as bars that add up to the result. */

import { h } from "../../core/dom.js";
import { useStyle } from "../../core/styles.js";
import { icon } from "../../ui/icons.js";
import { seatMark } from "../../ui/seat-marks.js";
import { percent, t } from "../../words/i18n.js";
import { seatName } from "../../words/sentences.js";
import { uncertainText } from "../../words/win-chances.js";
import { errorSumText, mistakesText, playedLikeText, sumText } from "./words.js";

useStyle("bars");

/** @typedef {import("./story.js").Story} Story */
/** @typedef {import("../../net/protocol.js").SeatReviewView} SeatReview */

/** @param {Story} story */
export function seatCards(story) {
  const scale = scaleOf(story);
  return h(
    "ul",
    { class: "seat-reviews" },
    story.answer.seats.map((seat) => card(story, seat, scale)),
  );
}

/** @typedef {(worth: number) => number} Scale  from worth to percent of a track's width */

/**
 * One scale for all bars: everything between any start and any result lies on it.
 * @param {Story} story
 * @returns {Scale}
 */
function scaleOf({ answer, solo }) {
  const points = answer.seats.flatMap(({ start, luck, skill, result }) => [
    start,
    start + luck,
    start + luck + skill,
    result,
  ]);
  const low = Math.min(...points, ...(solo ? [] : [0]));
  const high = Math.max(...points, ...(solo ? [] : [1]));
  const width = high - low || 1;
  // alone, worths are minus the turns: to the right is better there too
  return (worth) => (100 * (worth - low)) / width;
}

/**
 * @param {Story} story
 * @param {SeatReview} seat
 * @param {Scale} scale
 */
function card({ answer, seats, solo }, seat, scale) {
  const { start, luck, skill, result, accuracy, uncertainty } = seat;
  const shown = seats[seat.seat];
  const middle = start + luck;
  const like = answer.played_like[seat.seat];
  return h(
    "li",
    { class: `seat-review colour-${shown.colour ?? seat.seat}`, "data-seat": seat.seat },
    h(
      "h2",
      {},
      seatMark(shown.colour ?? seat.seat),
      h("span", { class: "name" }, seatName(shown, seat.seat)),
      !solo && answer.winners?.includes(seat.seat) && icon("trophy"),
    ),
    h(
      "p",
      { class: "accuracy" },
      accuracy !== null && [h("strong", {}, percent(accuracy / 100)), ` ${t("accuracy")} · `],
      mistakesText(seat.grades),
    ),
    h(
      "div",
      { class: "shares" },
      bar(t("Luck"), start, middle, uncertainText(luck, uncertainty, solo), scale, start),
      bar(
        t("Skill"),
        middle,
        middle + skill,
        uncertainText(skill, uncertainty, solo),
        scale,
        result,
      ),
    ),
    h("p", { class: "hint" }, `${sumText(seat, solo)} ${errorSumText(seat, solo)}`),
    like && h("p", { class: "played-like" }, playedLikeText(like)),
  );
}

/**
 * A bar from one worth to another: where the luck ends, the skill begins.
 * @param {string} name
 * @param {number} from
 * @param {number} to
 * @param {string} figure
 * @param {Scale} scale
 * @param {number} tick  what is marked on the track: the start, or the result
 */
function bar(name, from, to, figure, scale, tick) {
  const filled = h("span", { class: to < from ? "share bad" : "share good" });
  const [left, right] = [scale(from), scale(to)].sort((a, b) => a - b);
  filled.style.left = `${left}%`;
  filled.style.width = `${right - left}%`;
  const line = h("span", { class: "share-tick" });
  line.style.left = `${scale(tick)}%`;
  return [
    h("span", { class: "share-name" }, name),
    h("span", { class: "share-track", "aria-hidden": "true" }, filled, line),
    h("strong", { class: "share-figure" }, figure),
  ];
}
