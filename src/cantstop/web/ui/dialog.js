/** Dialogs, toasts, and announcements to screen readers (aria-live). */

import { h } from "../core/dom.js";
import { icon } from "./icons.js";
import { t } from "../words/i18n.js";

const TOAST = 4500;

/**
 * Open a modal dialog; Escape, its close button and a click outside close it.
 * @param {string} title
 * @param {import("../core/dom.js").Child[]} content
 * @param {string} [className]
 */
export function openDialog(title, content, className = "") {
  const dialog = h(
    "dialog",
    { class: `sheet ${className}`, "aria-labelledby": "sheet-title" },
    h(
      "div",
      { class: "sheet-head" },
      h("h2", { id: "sheet-title" }, title),
      h(
        "button",
        {
          type: "button",
          class: "icon-button",
          "aria-label": t("Close"),
          on: { click: () => dialog.close() },
        },
        icon("close"),
      ),
    ),
    h("div", { class: "sheet-body" }, content),
  );
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.querySelector("dialog.sheet")?.remove();
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Close the dialog that is open, if one is. */
export function closeDialog() {
  /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog.sheet"))?.close();
}

/**
 * Show a toast.
 * @param {string} text
 * @param {"plain" | "bad"} [kind]
 */
export function toast(text, kind = "plain") {
  const host = document.querySelector("#toasts");
  const note = h("p", { class: `toast ${kind}`, role: kind === "bad" ? "alert" : "status" }, text);
  host?.replaceChildren(note);
  setTimeout(() => note.remove(), TOAST);
}

const KEPT = 6;

/** @param {string} text */
export function announce(text) {
  const live = document.querySelector("#live");
  if (!live || !text) return;
  live.append(h("p", {}, text));
  while (live.childElementCount > KEPT) live.firstElementChild?.remove();
}
