/** My page: what a year of games leaves on this device, and the way to take it to another one. */

import { dailyStreak } from "../core/played-days.js";
import { h, s } from "../core/dom.js";
import { FEATS, notedFeats } from "../core/feats.js";
import { playedGames } from "../core/history.js";
import { LADDER, ladderScores } from "../core/ladder.js";
import { knownPlayer } from "../core/player-key.js";
import { load } from "../core/prefs.js";
import { link, redraw } from "../core/router.js";
import { isSite } from "../core/site.js";
import { useStyle } from "../core/styles.js";
import { botFace } from "../ui/bot-faces.js";
import { dayCalendar } from "../ui/day-calendar.js";
import { icon } from "../ui/icons.js";
import { pageFrame } from "../ui/layout.js";
import { personFields } from "../ui/player-fields.js";
import { date, number, percent, plural, t } from "../words/i18n.js";
import { botName } from "../words/sentences.js";
import { featWords } from "../words/feats.js";
import { noteMissed } from "./missed-games.js";
import { profileCard } from "../club/profile-card.js";
import { takeAlong } from "./take-along.js";

useStyle("me");

/** @typedef {import("../core/history.js").Played} Played */
/** @typedef {{name: string, face: Node, won: number, lost: number}} Rival */

/** A sum of luck that is no more than half of this is none. */
const EVEN = 0.1;
/** The number of games that an accuracy is the mean of. */
const SMOOTH = 10;
const MOST_FRIENDS = 12;

/** @returns {Promise<import("../core/router.js").Page>} */
export default async function mePage() {
  const title = t("My page");
  const [profile] = await Promise.all([profileCard(redraw), noteMissed()]);
  const games = playedGames();
  const element = pageFrame("me", [
    h("h1", { tabindex: -1 }, title),
    h(
      "section",
      { class: "me-head", "aria-label": t("You") },
      personFields(),
      h("p", { class: "muted" }, countText(games)),
      !isSite && turnLinks(),
    ),
    h(
      "div",
      { class: "me-parts" },
      profile,
      luckCard(games),
      games.length > 0 && rivalsCard(games),
      !isSite && calendarCard(),
      curvesCard(games),
      featsCard(games),
      takeAlong(),
    ),
  ]);
  return { title, element };
}

/** The games with others that go on; and the notifications of one's turn. */
function turnLinks() {
  return h(
    "nav",
    { class: "actions", "aria-label": t("Games with others") },
    link("/turns", { class: "button small" }, icon("clock"), t("My turn")),
    knownPlayer() &&
      link("/notifications", { class: "button small" }, icon("bell"), t("Notifications")),
  );
}

/** @param {Played[]} games */
function countText(games) {
  if (!games.length)
    return knownPlayer()
      ? t("No finished game on this device yet.")
      : t("No finished game yet: what you play here is counted from now on.");
  const won = games.filter((game) => game.won).length;
  const fields = {
    count: number(games.length),
    won: number(won),
    lost: number(games.length - won),
  };
  return plural(
    games.length,
    t("{count} game: {won} won, {lost} lost", fields),
    t("{count} games: {won} won, {lost} lost", fields),
  );
}

// The dice

/** @param {Played[]} games */
function luckCard(games) {
  const known = games.filter(({ luck }) => luck !== undefined);
  if (!known.length) return null;
  const sums = known.reduce(
    (/** @type {number[]} */ all, { luck }) => [...all, (all.at(-1) ?? 0) + (luck ?? 0)],
    [],
  );
  const sum = sums.at(-1) ?? 0;
  const won = known.filter((game) => game.won).length;
  const fields = {
    count: number(known.length),
    won: number(won),
    fair: number(Math.max(0, won - sum), 1),
  };
  const changed = fields.fair !== fields.won;
  return h(
    "section",
    { class: "card luck-card" },
    h("h2", {}, owedText(sum)),
    h(
      "p",
      {},
      changed &&
        plural(
          known.length,
          t(
            "With average dice your play would have won {fair} of the {count} reviewed game, not {won}.",
            fields,
          ),
          t(
            "With average dice your play would have won {fair} of the {count} reviewed games, not {won}.",
            fields,
          ),
        ),
      changed && " ",
      t("The next roll knows nothing of it."),
    ),
    known.length > 1 && curve([0, ...sums], t("Luck, game by game, in wins"), 0),
  );
}

/** @param {number} sum  of luck, in wins */
export function owedText(sum) {
  const wins = number(Math.abs(sum), 1);
  if (Math.abs(sum) < EVEN / 2 || wins === number(0, 1)) return t("You and the dice are even");
  const fields = { wins };
  return sum < 0
    ? plural(
        -sum,
        t("The dice owe you {wins} win", fields),
        t("The dice owe you {wins} wins", fields),
        1,
      )
    : plural(
        sum,
        t("You owe the dice {wins} win", fields),
        t("You owe the dice {wins} wins", fields),
        1,
      );
}

// Whom one has played

/** @param {Played[]} games */
function rivalsCard(games) {
  const scores = ladderScores();
  const animals = LADDER.flatMap((bot) => {
    const { won, lost } = scores.get(bot) ?? { won: 0, lost: 0 };
    return won + lost ? [{ name: botName(bot), face: botFace(bot), won, lost }] : [];
  });
  const people = friends(games);
  return h(
    "section",
    { class: "card rivals" },
    animals.length > 0 && rivalList(t("Against the animals"), animals),
    people.length > 0 && rivalList(t("Against people"), people),
    link("/ladder", { class: "button small" }, icon("flag"), t("The way up")),
  );
}

/**
 * Everybody who was played, those first that were played most.
 * @param {Played[]} games
 * @returns {Rival[]}
 */
function friends(games) {
  /** @type {Map<string, Rival>} */
  const found = new Map();
  for (const { against, won } of games)
    for (const other of against) {
      if ("bot" in other || !other.name) continue;
      const initial = [...other.name][0].toUpperCase();
      const face = h("span", { class: "initial", "aria-hidden": "true" }, initial);
      const rival = found.get(other.name) ?? { name: other.name, face, won: 0, lost: 0 };
      rival[won ? "won" : "lost"] += 1;
      found.set(other.name, rival);
    }
  const played = (/** @type {Rival} */ { won, lost }) => won + lost;
  return [...found.values()].sort((a, b) => played(b) - played(a)).slice(0, MOST_FRIENDS);
}

/**
 * @param {string} title
 * @param {Rival[]} rivals
 */
function rivalList(title, rivals) {
  return [
    h("h2", {}, title),
    h(
      "ul",
      { class: "rival-list" },
      rivals.map(({ name, face, won, lost }) => {
        const bar = h("span", { class: "rival-bar", "aria-hidden": "true" }, h("span", {}));
        /** @type {HTMLElement} */ (bar.firstElementChild).style.width =
          `${(100 * won) / (won + lost)}%`;
        return h(
          "li",
          {},
          face,
          h("span", { class: "rival-name" }, name),
          bar,
          h("span", { class: "sr-only" }, t("{won} won, {lost} lost", { won, lost })),
          h("strong", { "aria-hidden": "true" }, `${won}–${lost}`),
        );
      }),
    ),
  ];
}

// Days

function calendarCard() {
  const today = new Date().toISOString().slice(0, 10);
  const streak = dailyStreak(today);
  return h(
    "section",
    { class: "card calendar-card" },
    h(
      "div",
      { class: "calendar-head" },
      h("h2", {}, t("The daily game")),
      streak > 0 &&
        h(
          "span",
          { class: "calendar-streak" },
          icon("flame"),
          plural(
            streak,
            t("{days} day in a row", { days: streak }),
            t("{days} days in a row", { days: streak }),
          ),
        ),
    ),
    dayCalendar(today),
  );
}

// Curves

/** @param {Played[]} games */
function curvesCard(games) {
  const accuracies = games.flatMap(({ accuracy }) =>
    typeof accuracy === "number" ? [accuracy] : [],
  );
  const smooth = accuracies.map((_, at) =>
    mean(accuracies.slice(Math.max(0, at + 1 - SMOOTH), at + 1)),
  );
  const drills = load("drill-curve", /** @type {number[]} */ ([]));
  if (smooth.length < 2 && drills.length < 2) return null;
  return h(
    "section",
    { class: "card curves" },
    smooth.length > 1 &&
      figure(
        t("Accuracy"),
        percent((smooth.at(-1) ?? 0) / 100),
        smooth,
        t("Accuracy, game by game"),
      ),
    drills.length > 1 &&
      figure(t("Drills"), number(drills.at(-1) ?? 0), drills, t("Drill rating, answer by answer")),
  );
}

/** @param {number[]} values */
function mean(values) {
  return values.reduce((sum, each) => sum + each, 0) / values.length;
}

/**
 * @param {string} title
 * @param {string} value
 * @param {number[]} values
 * @param {string} label
 */
function figure(title, value, values, label) {
  return h(
    "div",
    { class: "curve" },
    h("h2", {}, title),
    h("strong", {}, value),
    curve(values, label),
  );
}

/**
 * A line from the first value to the last.
 * @param {number[]} values
 * @param {string} label
 * @param {number} [base]  a level that is marked
 */
function curve(values, label, base) {
  const low = Math.min(...values, base ?? Infinity);
  const high = Math.max(...values, base ?? -Infinity);
  const y = (/** @type {number} */ value) => 38 - (34 * (value - low)) / (high - low || 1);
  const x = (/** @type {number} */ at) => (98 * at) / (values.length - 1) + 1;
  const d = values
    .map((value, at) => `${at ? "L" : "M"}${x(at).toFixed(2)} ${y(value).toFixed(2)}`)
    .join("");
  const last = values.at(-1) ?? 0;
  const said = `${label}: ${number(values[0], 1)} – ${number(last, 1)}`;
  return s(
    "svg",
    {
      class: "curve-drawing",
      viewBox: "0 0 100 40",
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": said,
    },
    base !== undefined &&
      s("path", {
        class: "curve-base",
        d: `M0 ${y(base)}H100`,
        "vector-effect": "non-scaling-stroke",
      }),
    s("path", { class: "curve-path", d, "vector-effect": "non-scaling-stroke" }),
  );
}

// Feats

/** @param {Played[]} games */
function featsCard(games) {
  const done = notedFeats(games, dailyStreak(new Date().toISOString().slice(0, 10)));
  // without a server there are no daily games; who had them elsewhere has the feat
  const feats = FEATS.filter((feat) => !isSite || feat !== "week" || done.has(feat));
  return h(
    "section",
    { class: "card feats" },
    h(
      "div",
      { class: "calendar-head" },
      h("h2", {}, t("Feats")),
      h("span", { class: "muted" }, t("{done} of {all}", { done: done.size, all: feats.length })),
    ),
    h(
      "ul",
      { class: "feat-list" },
      feats.map((feat) => {
        const { sign, name, how } = featWords()[feat];
        const at = done.get(feat);
        return h(
          "li",
          { class: at === undefined ? "feat" : "feat done", "data-feat": feat },
          h("span", { class: "feat-sign", "aria-hidden": "true" }, at === undefined ? "?" : sign),
          h("strong", {}, name),
          h("span", { class: "muted" }, how),
          h(
            "span",
            { class: "sr-only" },
            at === undefined ? t("not yet") : at ? date(at) : t("done"),
          ),
        );
      }),
    ),
  );
}
