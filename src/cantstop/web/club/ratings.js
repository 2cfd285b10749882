/** Ratings in words: what one is made of, its interval, and how many games by counting it replaces. */

import { h } from "../core/dom.js";
import { number, plural, t } from "../words/i18n.js";

/** @typedef {import("../net/protocol.js").RatingView} RatingView */

/**
 * @param {RatingView["kind"]} kind
 */
export function kindName(kind) {
  return kind === "play" ? t("Play without luck") : t("Results");
}

/** @param {RatingView["size"]} size */
export function sizeName(size) {
  return size === "two" ? t("Two players") : t("Three or four");
}

/**
 * The one number that stands behind a name: how well a player chooses, between two.
 * @param {RatingView[]} ratings
 */
export function shortRating(ratings) {
  const one = ratings.find(({ kind, size }) => kind === "play" && size === "two") ?? ratings[0];
  return one ? number(Math.round(one.value)) : "";
}

/** @param {RatingView} rating */
export function rangeText({ low, high }) {
  return t("{low} to {high}", { low: number(Math.round(low)), high: number(Math.round(high)) });
}

/**
 * All ratings, each with its interval on a common scale.
 * @param {RatingView[]} ratings
 */
export function ratingList(ratings) {
  if (!ratings.length) return h("p", { class: "muted" }, t("No rating yet: it takes rated games."));
  const low = Math.min(...ratings.map((one) => one.low));
  const high = Math.max(...ratings.map((one) => one.high));
  const place = (/** @type {number} */ value) => (100 * (value - low)) / (high - low || 1);
  return h(
    "ul",
    { class: "rating-list" },
    [...ratings].sort(inOrder).map((rating) => {
      const bar = h("span", { class: "rating-range" });
      bar.style.insetInlineStart = `${place(rating.low)}%`;
      bar.style.inlineSize = `${place(rating.high) - place(rating.low)}%`;
      return h(
        "li",
        { class: `rating rating-${rating.kind}` },
        h(
          "p",
          { class: "rating-line" },
          h("span", {}, `${kindName(rating.kind)} · ${sizeName(rating.size)}`),
          h("strong", {}, number(Math.round(rating.value))),
          h("span", { class: "muted" }, rangeText(rating)),
        ),
        h("div", { class: "rating-scale", "aria-hidden": "true" }, bar),
        h("p", { class: "hint" }, kindText(rating), " ", replacesText(rating)),
      );
    }),
  );
}

/**
 * How well one plays comes first, and two players before more.
 * @param {RatingView} a
 * @param {RatingView} b
 */
function inOrder(a, b) {
  const place = (/** @type {RatingView} */ { kind, size }) =>
    (kind === "play" ? 0 : 2) + (size === "two" ? 0 : 1);
  return place(a) - place(b);
}

/** @param {RatingView} rating */
function kindText({ kind }) {
  return kind === "play"
    ? t("How well you choose: the luck of the dice is taken out.")
    : t("Whom you beat, dice and all.");
}

/** @param {RatingView} rating */
function replacesText({ games, replaces }) {
  const fields = { games: number(games), counted: number(Math.round(replaces)) };
  return plural(
    games,
    t("From {games} game; by counting wins it would take {counted}.", fields),
    t("From {games} games; by counting wins it would take {counted}.", fields),
  );
}
