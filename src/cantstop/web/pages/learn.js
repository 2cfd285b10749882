/** The tutorial's front page: the basics first, then the variants of each edition. */

import { h } from "../core/dom.js";
import { load, prefs } from "../core/prefs.js";
import { go, link } from "../core/router.js";
import { saveGame } from "../core/saved-games.js";
import { useStyle } from "../core/styles.js";
import { postTable } from "../net/api.js";
import { myName, openFirstGame } from "../net/new-table.js";
import { toast } from "../ui/dialog.js";
import { icon } from "../ui/icons.js";
import { pageFrame } from "../ui/layout.js";
import { t } from "../words/i18n.js";

useStyle("learn");

/** @typedef {import("../net/protocol.js").Lesson} LessonName */
/** @typedef {{name: LessonName, title: string, text: string, editions: string}} Lesson */

/** @returns {Lesson[]} */
function lessons() {
  return [
    {
      name: "basics",
      title: t("The game in two minutes"),
      text: t("Roll, split, climb, stop: play a short game with a guide at your side."),
      editions: t("All editions"),
    },
    {
      name: "early",
      title: t("Runners out early"),
      text: t("Why some moves are missing, and what that does to you."),
      editions: "Ravensburger",
    },
    {
      name: "no-rest",
      title: t("No rest"),
      text: t("When you would like to stop, and may not."),
      editions: "Ravensburger, Asmodee",
    },
    {
      name: "leapfrog",
      title: t("Leapfrog"),
      text: t("Other people’s tokens as stepping stones."),
      editions: "Asmodee",
    },
  ];
}

/** @returns {import("../core/router.js").Page} */
export default function learnPage() {
  const title = t("Learn to play");
  const done = load("lessons", /** @type {string[]} */ ([]));
  const element = pageFrame("learn", [
    h("h1", { tabindex: -1 }, title),
    h(
      "ol",
      { class: "lessons" },
      lessons().map((lesson) => card(lesson, done.includes(lesson.name))),
    ),
    h(
      "section",
      { class: "card first-game" },
      h("h2", {}, t("Your first real game")),
      h("p", {}, t("The easiest bot has just read the rules, too. Beat it!")),
      h(
        "button",
        { type: "button", class: "primary", "data-first-game": true, on: { click: firstGame } },
        icon("play"),
        t("Play the easiest bot"),
      ),
    ),
    h("p", {}, link("/drill", {}, t("Practise with drills"))),
    h("p", {}, link("/guide", {}, t("Strategy guide"))),
    h("p", {}, link("/rules", {}, t("Read the rules instead"))),
  ]);
  return { title, element };
}

/**
 * @param {Lesson} lesson
 * @param {boolean} done
 */
function card({ name, title, text, editions }, done) {
  return h(
    "li",
    {},
    h(
      "button",
      { type: "button", class: "lesson", "data-lesson": name, on: { click: () => begin(name) } },
      h(
        "span",
        { class: "lesson-words" },
        h("strong", {}, title),
        h("span", {}, text),
        h("span", { class: "tag" }, editions),
      ),
      h(
        "span",
        { class: done ? "lesson-state done" : "lesson-state" },
        icon(done ? "check" : "play"),
        done && h("span", { class: "sr-only" }, t("done")),
      ),
    ),
  );
}

/** @param {LessonName} lesson */
async function begin(lesson) {
  try {
    const { id, secret, seats } = await postTable({
      lesson,
      name: myName(),
      colour: prefs().colour,
    });
    saveGame(id, { secret, mine: seats });
    await go(`/t/${id}`);
  } catch (error) {
    toast(/** @type {Error} */ (error).message, "bad");
  }
}

async function firstGame() {
  try {
    await openFirstGame();
  } catch (error) {
    toast(/** @type {Error} */ (error).message, "bad");
  }
}
