// @ts-check
/** The keyboard at the table: what each key does, and the list of them. */

import { h } from "../dom.js";
import { openDialog } from "../dialog.js";
import { t } from "../i18n.js";

/**
 * Listen until told otherwise. Returns how to stop listening.
 * @param {Record<string, () => void>} keys  by `KeyboardEvent.key`, letters in lower case
 */
export function listenToKeys(keys) {
  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const target = /** @type {Element} */ (event.target);
    const typing = target.closest?.("input:not([type=range]), select, textarea");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (document.querySelector("dialog[open]")) return;
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

/** Show what the keys do. */
export function showKeys() {
  const rows = [
    ["1 – 6", t("Play the move with that number")],
    ["R", t("Roll")],
    ["S", t("Stop")],
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
