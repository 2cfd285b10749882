/** Resigning: the menu's button, and the question before it. */

import { h } from "../../core/dom.js";
import { closeDialog, openDialog } from "../../ui/dialog.js";
import { icon } from "../../ui/icons.js";
import { t } from "../../words/i18n.js";

/** @typedef {import("../../net/session.js").Session} Session */
/** @typedef {import("../../net/state.js").State} State */

/**
 * The menu's way to resign, where a player at this device still plays.
 * @param {Session} session
 * @param {State} state
 */
export function resignButton(session, state) {
  const seat = session.ownSeat;
  if (state.stage !== "playing" || state.lesson || seat === null || state.seats[seat].resigned)
    return null;
  if (state.dice === "entered" && state.seats.length > 2) return null; // no bot could play on
  return h(
    "button",
    { type: "button", class: "menu-item", on: { click: () => askToResign(session, state, seat) } },
    icon("flag"),
    t("Resign"),
  );
}

/**
 * @param {Session} session
 * @param {State} state
 * @param {number} seat
 */
function askToResign(session, state, seat) {
  const resign = () => {
    closeDialog();
    session.act({ kind: "resign", seat });
  };
  const left = state.seats.filter((other, at) => at !== seat && !other.resigned);
  const consequence =
    left.length === 1
      ? t("The other player wins the game.")
      : left.some((other) => other.kind === "human")
        ? t("A bot plays your seat to the end. You cannot come back.")
        : t("The game ends, and nobody has won.");
  openDialog(t("Resign?"), [
    h("p", {}, consequence),
    h(
      "div",
      { class: "dialog-actions" },
      h("button", { type: "button", class: "primary", on: { click: closeDialog } }, t("Play on")),
      h("button", { type: "button", class: "resign", on: { click: resign } }, t("Resign")),
    ),
  ]);
}
