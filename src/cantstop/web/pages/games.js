/** The games of this device, and its best solo games. */

import { h } from "../core/dom.js";
import { parseRules } from "../core/rules.js";
import { link } from "../core/router.js";
import { bestSolos } from "../core/saved-games.js";
import { allGames } from "../local/kept-games.js";
import { gameRow } from "../ui/game-row.js";
import { icon } from "../ui/icons.js";
import { pageFrame } from "../ui/layout.js";
import { turnsText } from "../words/counts.js";
import { date, t } from "../words/i18n.js";
import { rulesText } from "../words/rules-text.js";

/** @returns {Promise<import("../core/router.js").Page>} */
export default async function gamesPage() {
  const title = t("My games");
  const games = (await allGames()).filter((game) => game.seats.length && !game.lesson);
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
      h("h3", {}, rulesText(parseRules(kind))),
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
        link(`/t/${solo.id}`, {}, h("strong", {}, turnsText(solo.turns)), ` ${solo.name}`),
        h("span", { class: "muted" }, date(solo.at)),
      ),
    ),
  );
}
