/** At a slow table: the seat's salt is on another device, or gone; one can play without it. */

import { h } from "../../core/dom.js";
import { closeDialog, openDialog } from "../../ui/dialog.js";
import { t } from "../../words/i18n.js";

/** @param {import("../../net/session.js").Session} session */
export function showLostSalt(session) {
  const seat = session.state?.view.seat ?? 0;
  const without = () => {
    session.act({ kind: "lose-salt", seat });
    closeDialog();
  };
  openDialog(
    t("Your number is on another device"),
    [
      h(
        "p",
        {},
        t(
          "The dice are mixed from a number of each player. Yours is on the device on which you sat down: roll there this once, or open its menu at this table, choose “{name}”, and open that link here.",
          { name: t("Continue on another device") },
        ),
      ),
      h(
        "p",
        {},
        t(
          "If that device is gone, play without it: nobody can then prove to you that the server and all the others did not steer the dice together. Everybody sees it.",
        ),
      ),
      h(
        "button",
        { type: "button", class: "primary wide not-now", on: { click: closeDialog } },
        t("Not now"),
      ),
      h(
        "button",
        { type: "button", class: "wide lose-salt", on: { click: without } },
        t("Play without it"),
      ),
    ],
    "lost-salt",
  );
}
