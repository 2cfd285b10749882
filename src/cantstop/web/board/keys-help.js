/** The list of the table's keyboard shortcuts. */

import { h } from "../core/dom.js";
import { openDialog } from "../ui/dialog.js";
import { t } from "../words/i18n.js";

/** Show what the keys do. */
export function showKeys() {
  const own = document.querySelector("[data-dice=entered]");
  const rows = [
    ...(own ? [["1 – 6", t("Enter your dice, one after the other")]] : []),
    ["1 – 6", t("Play the move with that number")],
    ...(own ? [] : [["R", t("Roll")]]),
    ["S", t("Stop")],
    ["F", t("Skip the bot’s turn")],
    ["H", t("Hint, where the table allows it; again: why")],
    own
      ? ["U ⌫", t("Undo, as far as you like")]
      : ["U", t("Take back the last decision, until the next roll")],
    ...(own ? [] : [["G", t("Standing order, at an online table")]]),
    ["Tab", t("Go from button to button; a move in focus is shown on the board")],
    ["← →", t("Step through a finished game")],
    ["M", t("Sound on or off")],
    ["?", t("This list")],
  ];
  openDialog(t("Keys"), [
    h(
      "dl",
      { class: "keys" },
      rows.flatMap(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)]),
    ),
  ]);
}
