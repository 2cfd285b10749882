/** My turn: all games with other people that are not over, those that wait for the player first. */

import { fill, h, write } from "../core/dom.js";
import { knownPlayer } from "../core/player-key.js";
import { link } from "../core/router.js";
import { isSite } from "../core/site.js";
import { useStyle } from "../core/styles.js";
import { onPush } from "../device/calls.js";
import { fetchTurns } from "../net/turns.js";
import { icon } from "../ui/icons.js";
import { pageFrame } from "../ui/layout.js";
import { t } from "../words/i18n.js";
import { waitingText } from "../words/turn-text.js";
import { turnCard } from "./turn-card.js";

useStyle("turns");

/** @typedef {import("../net/protocol.js").TurnTable} TurnTable */
/** @typedef {import("../net/protocol.js").TurnList} TurnList */

/** Milliseconds between two looks at the list, while the page is looked at. */
const LOOK = 60_000;

/** @returns {Promise<import("../core/router.js").Page>} */
export default async function turnsPage() {
  if (isSite) return (await import("./error.js")).notFoundPage();
  const title = t("My turn");
  const lead = h("p", { class: "lead", role: "status" });
  const problem = h("p", { class: "problem", role: "alert" });
  const list = h("div", { class: "turn-lists" });
  let shown = "";

  async function look() {
    if (document.hidden) return;
    try {
      show(await fetchTurns());
      write(problem, "");
    } catch (error) {
      write(problem, /** @type {Error} */ (error).message);
    }
  }

  /** @param {TurnList} turns */
  function show(turns) {
    const minute = Math.floor(Date.now() / LOOK);
    const key = JSON.stringify([turns, minute]);
    if (key === shown) return;
    shown = key;
    const focused = list.contains(document.activeElement)
      ? document.activeElement?.getAttribute("href")
      : null;
    write(lead, turns.tables.length ? waitingText(turns.waiting) : "");
    fill(list, turns.tables.length ? sections(turns.tables) : emptyText());
    if (focused)
      /** @type {HTMLElement | null} */ (list.querySelector(`a[href="${focused}"]`))?.focus();
  }

  await look();
  const timer = setInterval(look, LOOK);
  const forget = onPush(look);
  document.addEventListener("visibilitychange", look);
  const element = pageFrame("turns", [
    h("h1", { tabindex: -1 }, title),
    lead,
    problem,
    list,
    afterwards(),
  ]);
  return {
    title,
    element,
    leave() {
      clearInterval(timer);
      forget();
      document.removeEventListener("visibilitychange", look);
    },
  };
}

/** @param {TurnTable[]} tables  in the order of the list */
function sections(tables) {
  const mine = tables.filter((table) => table.mine);
  const theirs = tables.filter((table) => !table.mine && table.stage !== "open");
  const open = tables.filter(({ stage }) => stage === "open");
  return [
    section("mine", t("Your turn"), mine),
    section("theirs", t("Others are to play"), theirs),
    section("open", t("Waiting for players"), open),
  ];
}

/**
 * @param {string} kind
 * @param {string} title
 * @param {TurnTable[]} tables
 */
function section(kind, title, tables) {
  if (!tables.length) return null;
  return h(
    "section",
    { class: `turns-${kind}`, "aria-labelledby": `turns-${kind}` },
    h("h2", { id: `turns-${kind}` }, title),
    h(
      "ul",
      { class: "turn-list" },
      tables.map((table, at) => h("li", {}, turnCard(table, kind === "mine" && at === 0))),
    ),
  );
}

function emptyText() {
  return h(
    "div",
    { class: "empty card" },
    icon("people"),
    h("h2", {}, t("No game with others goes on")),
    h(
      "p",
      {},
      t(
        "Open a table with a few days for a turn, send somebody the link, and play whenever you have a minute.",
      ),
    ),
    h(
      "div",
      { class: "actions" },
      link("/new?way=online&days=2", { class: "button primary" }, icon("link"), t("Open a table")),
      link("/", { class: "button" }, icon("home"), t("Go to the start page")),
    ),
  );
}

/** The way to notifications, or to the profile that they need. */
function afterwards() {
  const [path, picture, text] = knownPlayer()
    ? ["/notifications", "bell", t("Notifications, quiet hours and time away")]
    : ["/me", "person", t("With a profile you find these games on all your devices")];
  return h("p", {}, link(path, { class: "button" }, icon(picture), text));
}
