/** The ladder as a journey: eight animals on a path up a mountain, and the one that waits. */

import { fill, h, s } from "../core/dom.js";
import { LADDER, ladderScores, nextOnLadder } from "../core/ladder.js";
import { useStyle } from "../core/styles.js";
import { fetchOffers } from "../net/api.js";
import { ladderStep, playAnimal } from "../ui/ladder-step.js";
import { pageFrame } from "../ui/layout.js";
import { dayText, number, percent, plural, t } from "../words/i18n.js";
import { botName } from "../words/sentences.js";

useStyle("ladder");

/** @typedef {import("../core/ladder.js").Score} Score */

/** Where each animal stands, in percent of the width, from the lowest up. */
const PLACES = [20, 78, 22, 80, 20, 76, 24, 70];
/** A win chance below which a win is worth telling. */
const LOW = 0.3;

/** @returns {Promise<import("../core/router.js").Page>} */
export default async function ladderPage() {
  const scores = ladderScores();
  const next = nextOnLadder(scores);
  const beaten = LADDER.filter((bot) => scores.get(bot)?.won).length;
  const about = new Map(LADDER.map((bot) => [bot, h("p", { class: "animal-about" })]));
  const stops = LADDER.map((bot, at) => stop(bot, at, scores, next, about.get(bot)));
  const title = t("The way up");
  const element = pageFrame("ladder", [
    h("h1", { tabindex: -1 }, title),
    h("p", { class: "lead" }, next ? beatenText(beaten) : t("You have beaten them all")),
    h("div", { class: "mountain" }, landscape(), h("ol", { class: "journey" }, stops)),
    h("p", { class: "muted journey-hint" }, t("You may challenge any of them: tap a face.")),
  ]);
  await describe(about); // before it is shown, so that nothing moves
  requestAnimationFrame(() =>
    element.querySelector(".stop-next")?.scrollIntoView({ block: "center", behavior: "instant" }),
  );
  return { title, element };
}

/**
 * Why each of them is hard; the server has the words.
 * @param {Map<string, HTMLElement>} places
 */
async function describe(places) {
  try {
    for (const { name, about, rating } of (await fetchOffers()).bots) {
      const place = places.get(name);
      if (place)
        fill(
          place,
          about,
          h("span", { class: "muted" }, ` ${t("Rating {rating}", { rating: rating ?? 0 })}`),
        );
    }
  } catch {
    // without the server nobody can be played, either: the path is there all the same
  }
}

/** @param {number} count */
function beatenText(count) {
  const fields = { count: number(count), all: number(LADDER.length) };
  return plural(
    count,
    t("{count} of {all} animals is beaten.", fields),
    t("{count} of {all} animals are beaten.", fields),
  );
}

/**
 * @param {string} bot
 * @param {number} at
 * @param {Map<string, Score>} scores
 * @param {string | null} next
 * @param {HTMLElement} [about]
 */
function stop(bot, at, scores, next, about) {
  const score = scores.get(bot) ?? { won: 0, lost: 0, first: null };
  const isNext = bot === next;
  const left = PLACES[at] < 50;
  const item = h(
    "li",
    { class: `stop-at ${left ? "left" : "right"}${isNext ? " stop-next" : ""}` },
    trail(at, scores),
    ladderStep(bot, score, isNext),
    isNext ? waitingCard(bot, score, about) : words(bot, score, about),
  );
  item.style.setProperty("--x", String(left ? PLACES[at] : 100 - PLACES[at]));
  return item;
}

/**
 * @param {string} bot
 * @param {Score} score
 * @param {HTMLElement} [about]
 */
function words(bot, { won, lost, first }, about) {
  return h(
    "div",
    { class: "animal" },
    h(
      "h2",
      {},
      botName(bot),
      won + lost > 0 && h("span", { class: won ? "score-tag won" : "score-tag" }, `${won}–${lost}`),
    ),
    first ? h("p", { class: "muted" }, beatenOn(first)) : about,
  );
}

/** @param {import("../core/history.js").Played} first */
function beatenOn({ at, low }) {
  const fields = { day: dayText(at), chance: percent(low ?? 0) };
  return low !== undefined && low < LOW
    ? t("beaten on {day}, from {chance}", fields)
    : t("beaten on {day}", fields);
}

/**
 * @param {string} bot
 * @param {Score} score
 * @param {HTMLElement} [about]
 */
function waitingCard(bot, { won, lost }, about) {
  const name = botName(bot);
  return h(
    "div",
    { class: "animal-card" },
    h("h2", {}, t("{name} is waiting", { name })),
    about,
    lost > 0 && h("p", { class: "muted" }, t("It leads {lost}–{won}.", { lost, won })),
    h(
      "button",
      { type: "button", class: "primary wide", on: { click: () => playAnimal(bot) } },
      t("Play {name}", { name }),
    ),
  );
}

/**
 * The path through one animal's place: walked up to whoever is next, and to be walked beyond.
 * @param {number} at
 * @param {Map<string, Score>} scores
 */
function trail(at, scores) {
  const walked = (/** @type {number} */ index) => Boolean(scores.get(LADDER[index])?.won);
  const here = PLACES[at];
  const below = at > 0 && `M${(PLACES[at - 1] + here) / 2} 100C${here} 100 ${here} 98 ${here} 50`;
  const above =
    at + 1 < PLACES.length && `M${here} 50C${here} 2 ${here} 0 ${(PLACES[at + 1] + here) / 2} 0`;
  return s(
    "svg",
    { class: "trail", viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" },
    below && part(below, walked(at - 1)),
    above && part(above, walked(at)),
  );
}

/**
 * @param {string} d
 * @param {boolean} walked
 */
function part(d, walked) {
  const path = (/** @type {string} */ name) =>
    s("path", { class: name, d, "vector-effect": "non-scaling-stroke" });
  return walked ? s("g", {}, path("trail-edge"), path("trail-walked")) : path("trail-ahead");
}

/** Meadows below, rock above, snow on top. */
function landscape() {
  const shapes = [
    ["rock", "M0 92L14 64 30 44 44 20 56 2 68 20 78 42 100 70V100H0z"],
    ["snow", "M56 2L64 14 60 13 57 16 53 13 48 14z"],
    ["far-meadow", "M0 84Q22 66 52 74T100 68V100H0z"],
    ["meadow", "M0 94Q30 80 62 88T100 84V100H0z"],
  ];
  return s(
    "svg",
    {
      class: "landscape",
      viewBox: "0 0 100 100",
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    },
    shapes.map(([name, d]) => s("path", { class: name, d })),
  );
}
