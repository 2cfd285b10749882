/** The tutor's setting, for games against bots and alone: what it offers back; kept on this device. */

import { h } from "../core/dom.js";
import { prefs, remember } from "../core/prefs.js";
import { useStyle } from "../core/styles.js";
import { t } from "../words/i18n.js";

useStyle("forms");

/** @typedef {import("../core/prefs.js").Prefs["tutor"]} Tutor */

export function tutorChoice() {
  /** @type {[Tutor, string][]} */
  const choices = [
    ["off", t("Off")],
    ["mistakes", t("Mistakes")],
    ["blunders", t("Blunders")],
  ];
  const chosen = prefs().tutor;
  return h(
    "div",
    { class: "choice tutor-choice", role: "radiogroup", "aria-label": t("Tutor") },
    h("span", { class: "choice-name" }, t("Tutor")),
    h(
      "div",
      { class: "segments" },
      choices.map(([tutor, name]) =>
        h(
          "label",
          { class: "segment" },
          h("input", {
            type: "radio",
            name: "tutor",
            value: tutor,
            checked: chosen === tutor,
            "data-field": `tutor-${tutor}`,
            on: { change: () => remember({ tutor }) },
          }),
          h("span", {}, name),
        ),
      ),
    ),
    h(
      "p",
      { class: "hint" },
      t("Offers once to take back a decision that costs you much. That counts as a hint."),
    ),
  );
}
