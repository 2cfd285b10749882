/** The start page: three ways to play, each one click away, and everything else beside them. */

import { h } from "../core/dom.js";
import { go, link } from "../core/router.js";
import { myGames } from "../core/saved-games.js";
import { openTable, rememberOpponent, settingsFor } from "../net/new-table.js";
import { botFace } from "../ui/bot-faces.js";
import { demoGame } from "../ui/demo-game.js";
import { toast } from "../ui/dialog.js";
import { gameRow } from "../ui/game-row.js";
import { icon } from "../ui/icons.js";
import { logo, pageFrame } from "../ui/layout.js";
import { personFields } from "../ui/player-fields.js";
import { joinList, t } from "../words/i18n.js";
import { botName } from "../words/sentences.js";

/** @typedef {import("../net/new-table.js").Way} Way */

const SHOWN = 3;

/** @returns {import("../core/router.js").Page} */
export default function startPage() {
  const element = pageFrame("start", [
    h(
      "section",
      { class: "hero" },
      h("div", { class: "demo-box" }, demoGame()),
      h("div", { class: "title" }, logo(), h("h1", { tabindex: -1 }, "Can’t Stop")),
      h("p", { class: "tagline" }, t("Roll, climb, and stop in time. Or don’t.")),
      personFields(),
      h("p", { class: "hint" }, t("Your name, and the pieces you play with")),
    ),
    h("section", { class: "ways", "aria-label": t("Play") }, wayCards()),
    h("nav", { class: "more-ways", "aria-label": t("More") }, moreLinks()),
    recentGames(),
  ]);
  return { title: "", element };
}

function wayCards() {
  return [
    way(
      "bot",
      "bot",
      t("Play a bot"),
      t("At once, from the chick to the champion."),
      opponentRow(),
    ),
    way("hotseat", "people", t("Pass and play"), t("Friends around one screen.")),
    way("online", "link", t("Play online"), t("Open a table and send the link.")),
  ];
}

/**
 * @param {Way} kind
 * @param {string} picture
 * @param {string} title
 * @param {string} text
 * @param {HTMLElement | null} [below]
 */
function way(kind, picture, title, text, below = null) {
  return h(
    "article",
    { class: `way way-${kind}` },
    h(
      "button",
      {
        type: "button",
        class: "way-start",
        "data-way": kind,
        on: { click: (/** @type {Event} */ event) => begin(kind, event) },
      },
      h("span", { class: "way-icon" }, icon(picture)),
      h("span", { class: "way-words" }, h("strong", {}, title), h("span", {}, text)),
    ),
    link(
      `/new?way=${kind}`,
      { class: "way-options", "aria-label": t("{way}: players and rules", { way: title }) },
      icon("gear"),
      h("span", {}, t("Players and rules")),
    ),
    below,
  );
}

/** Whom a game against a bot would be against; another one is a tap away. */
function opponentRow() {
  const bots = settingsFor("bot").seats.slice(1);
  const button = h(
    "button",
    {
      type: "button",
      class: "opponent",
      on: { click: () => (bots.length > 1 ? go("/new?way=bot") : chooseAnother()) },
    },
    h("span", { class: "opponent-face" }, botFace(bots[0].bot)),
    h(
      "span",
      { class: "opponent-name" },
      t("Against {names}", { names: joinList(bots.map(({ bot }) => botName(bot))) }),
    ),
    h("span", { class: "opponent-change" }, t("Change")),
  );

  async function chooseAnother() {
    (await import("../ui/opponents.js")).chooseOpponent(bots[0].bot, (name) => {
      rememberOpponent(name);
      const changed = opponentRow();
      button.replaceWith(changed);
      changed.focus();
    });
  }
  return button;
}

/**
 * @param {Way} kind
 * @param {Event} event
 */
async function begin(kind, event) {
  const button = /** @type {HTMLButtonElement} */ (event.currentTarget);
  button.classList.add("pressed");
  button.disabled = true;
  try {
    await openTable(kind, settingsFor(kind));
  } catch (error) {
    toast(/** @type {Error} */ (error).message, "bad");
    button.classList.remove("pressed");
    button.disabled = false;
  }
}

function moreLinks() {
  return [
    more("/learn", "school", t("Learn to play"), t("Two minutes, hands on")),
    more("/daily", "trophy", t("Daily game"), t("The same dice for everybody")),
    more("/new?way=solo", "person", t("Solo"), t("Finish in as few turns as you can")),
    more("/new?way=companion", "dice", t("Your own dice"), t("The real game, kept here")),
    more("/rules", "book", t("Rules"), t("All editions and variants")),
    more("/games", "list", t("My games"), t("On this device, and your best")),
    more("/drill", "target", t("Drills"), t("Positions with one good answer")),
    more("/analysis", "search", t("Analysis"), t("What every option is worth")),
    more("/odds", "percent", t("Odds"), t("How risky is the next roll?")),
    more("/verify", "seal", t("Check a record"), t("Are its dice honest?")),
  ];
}

/**
 * @param {string} path
 * @param {string} picture
 * @param {string} title
 * @param {string} text
 */
function more(path, picture, title, text) {
  return link(
    path,
    { class: "more-link" },
    icon(picture),
    h("strong", {}, title),
    h("span", {}, text),
  );
}

function recentGames() {
  const games = myGames()
    .filter((game) => game.seats.length && game.stage !== "over" && !game.lesson)
    .slice(0, SHOWN);
  if (!games.length) return null;
  return h(
    "section",
    { class: "recent" },
    h("h2", {}, t("Keep playing")),
    h("ul", { class: "game-list" }, games.map(gameRow)),
  );
}
