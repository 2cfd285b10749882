/** What both start pages offer: ways to play, an opponent to choose, and links to everything else. */

import { h } from "../core/dom.js";
import { withPart } from "../core/parts.js";
import { isSite } from "../core/site.js";
import { go, link } from "../core/router.js";
import { openTable, rememberOpponent, settingsFor } from "../net/new-table.js";
import { botFace } from "../ui/bot-faces.js";
import { toast } from "../ui/dialog.js";
import { icon } from "../ui/icons.js";
import { joinList, t } from "../words/i18n.js";
import { botName } from "../words/sentences.js";

/** @typedef {import("../net/new-table.js").Way} Way */

/**
 * Open a table for a way to play; while that takes, the button cannot be pressed again.
 * @param {Way} kind
 * @param {Event} event
 */
export async function begin(kind, event) {
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

/** Where players of this server find each other, if it lets them. */
export function lobbyPlace() {
  if (!document.documentElement.hasAttribute("data-lobby")) return null;
  const place = h("section", { class: "card lobby-now", "aria-labelledby": "lobby-title" });
  withPart(import("../club/lobby.js"), ({ showLobby }) => showLobby(place));
  return place;
}

/** With people: around one screen, or each at their own where there is a server. */
export function peopleCards() {
  return [
    way("hotseat", "people", t("Pass and play"), t("Friends around one screen.")),
    !isSite && way("online", "link", t("Play online"), t("Open a table and send the link.")),
  ];
}

/**
 * @param {Way} kind
 * @param {string} picture
 * @param {string} title
 * @param {string} text
 */
function way(kind, picture, title, text) {
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
    optionsLink(kind, title),
  );
}

/**
 * @param {Way} kind
 * @param {string} title
 */
function optionsLink(kind, title) {
  return link(
    `/new?way=${kind}`,
    { class: "way-options", "aria-label": t("{way}: players and rules", { way: title }) },
    icon("gear"),
    h("span", {}, t("Players and rules")),
  );
}

/** Whom a game against a bot would be against; another one is a tap away. */
export function opponentRow() {
  return h(
    "article",
    { class: "way way-bot" },
    opponentButton(),
    optionsLink("bot", t("Play a bot")),
  );
}

function opponentButton() {
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
      const changed = opponentButton();
      button.replaceWith(changed);
      changed.focus();
      dispatchEvent(new CustomEvent("opponent"));
    });
  }
  return button;
}

/** Everything else, each with a few words. */
export function toolLinks() {
  return [
    more("/learn", "school", t("Learn to play"), t("Two minutes, hands on")),
    !isSite && more("/daily", "trophy", t("Daily game"), t("The same dice for everybody")),
    more("/new?way=solo", "person", t("Solo"), t("Finish in as few turns as you can")),
    more("/new?way=companion", "dice", t("Your own dice"), t("The real game, kept here")),
    more("/rules", "book", t("Rules"), t("All editions and variants")),
    more("/me", "chart", t("My page"), t("Wins, luck, days, feats")),
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

/** Who runs the server, if it says so; where online tables are, if there is no server. */
export function imprintLink() {
  const notice = document.head.querySelector('link[rel="privacy-policy"]')?.getAttribute("href");
  if (!notice && !isSite) return null;
  const line = h("p", { class: "hint" });
  withPart(import("./imprint.js"), ({ fillImprint }) => fillImprint(line, notice));
  return line;
}
