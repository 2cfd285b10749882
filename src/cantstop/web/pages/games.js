/** The games of this device, and its best solo games. */

import { h } from "../core/dom.js";
import { link } from "../core/router.js";
import { bestSolos, myGames } from "../core/saved-games.js";
import { icon } from "../ui/icons.js";
import { iconButton, pageFrame } from "../ui/layout.js";
import { date, joinList, t } from "../words/i18n.js";
import { rulesText } from "../words/rules-text.js";
import { seatName } from "../words/sentences.js";

/** @typedef {import("../core/saved-games.js").Game} Game */

/** @returns {import("../core/router.js").Page} */
export default function gamesPage() {
  const title = t("My games");
  const games = myGames().filter((game) => game.seats.length && !game.lesson);
  const element = pageFrame("games", [
    h("h1", { tabindex: -1 }, title),
    h(
      "section",
      {},
      h("h2", {}, t("On this device")),
      games.length ? h("ul", { class: "game-list" }, games.map(gameRow)) : emptyText(),
      h("p", {}, link("/review", { class: "button" }, icon("chart"), t("Review a record"))),
    ),
    h("section", {}, h("h2", {}, t("Best solo games")), soloList()),
  ]);
  return { title, element };
}

function emptyText() {
  return h(
    "div",
    { class: "empty card" },
    icon("list"),
    h("p", {}, t("No games yet. Those you play or watch on this device are kept here.")),
    h(
      "div",
      { class: "actions" },
      link("/", { class: "button primary" }, icon("play"), t("Start one")),
      link("/learn", { class: "button" }, icon("school"), t("Learn to play")),
    ),
  );
}

/** @param {Game["seats"]} seats */
function names(seats) {
  return seats.map((seat, index) => (seat.name ? seatName(seat, index) : t("Free seat")));
}

/** @param {Game} game */
export function gameRow(game) {
  const title = names(game.seats).join(" – ");
  const forget = iconButton(
    "close",
    t("Remove from this list: {names}", { names: title }),
    async () => (await import("../ui/give-up.js")).removeGame(game, title, row),
  );
  const row = h(
    "li",
    { class: "game-row" },
    link(
      `/t/${game.id}`,
      { class: "game-link" },
      h("strong", {}, title),
      h("span", { class: "muted" }, `${stageText(game)} · ${date(game.at)}`),
    ),
    game.stage === "over" &&
      link(
        `/t/${game.id}/review`,
        { class: "button icon-button", "aria-label": t("Review"), title: t("Review") },
        icon("chart"),
      ),
    forget,
  );
  return row;
}

/** @param {Game} game */
function stageText({ stage, winners, mode, seats }) {
  if (stage === "open") return t("Waiting for players");
  if (stage === "playing") return t("In progress");
  return mode === "solo"
    ? t("Finished")
    : t("Won by {names}", { names: joinList(winners.map((seat) => names(seats)[seat])) });
}

function soloList() {
  const solos = bestSolos();
  if (!solos.length) {
    return h(
      "p",
      { class: "muted" },
      t("Finish a solo game to enter the list."),
      " ",
      link("/new?way=solo", {}, t("Play solo")),
    );
  }
  const kinds = [...new Set(solos.map(({ rules }) => rules))].sort();
  return h(
    "div",
    { class: "best-lists" },
    kinds.flatMap((kind) => [
      h("h3", {}, rulesText(kind)),
      bestList(solos.filter(({ rules }) => rules === kind)),
    ]),
  );
}

/** @param {import("../core/saved-games.js").Solo[]} solos  by the same rules */
function bestList(solos) {
  return h(
    "ol",
    { class: "best-list" },
    solos.map((solo) =>
      h(
        "li",
        {},
        link(
          `/t/${solo.id}`,
          {},
          h("strong", {}, t("{turns} turns", { turns: solo.turns })),
          ` ${solo.name}`,
        ),
        h("span", { class: "muted" }, date(solo.at)),
      ),
    ),
  );
}
