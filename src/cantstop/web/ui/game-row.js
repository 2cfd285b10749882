/** A game of this device in a list: who plays, how it stands, and how to take it off the list. */

import { h } from "../core/dom.js";
import { link } from "../core/router.js";
import { icon } from "./icons.js";
import { iconButton } from "./layout.js";
import { date, joinList, t } from "../words/i18n.js";
import { seatName } from "../words/sentences.js";

/** @typedef {import("../core/saved-games.js").Game} Game */

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
    async () => (await import("./give-up.js")).removeGame(game, title, row),
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
