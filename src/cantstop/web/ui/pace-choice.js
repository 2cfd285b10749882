/** How fast bots play; kept on this device. */

import { h } from "../core/dom.js";
import { prefs, remember } from "../core/prefs.js";
import { useStyle } from "../core/styles.js";
import { t } from "../words/i18n.js";

useStyle("forms");

/** @typedef {import("../core/prefs.js").Prefs["pace"]} Pace */

/** @param {() => void} [changed] */
export function paceChoice(changed = () => {}) {
  /** @type {[Pace, string][]} */
  const choices = [
    ["normal", "×1"],
    ["fast", "×2"],
    ["at-once", t("At once")],
  ];
  const chosen = prefs().pace;
  return h(
    "div",
    { class: "choice pace-choice", role: "radiogroup", "aria-label": t("Speed of bots") },
    h("span", { class: "choice-name" }, t("Speed of bots")),
    h(
      "div",
      { class: "segments" },
      choices.map(([pace, name]) =>
        h(
          "label",
          { class: "segment" },
          h("input", {
            type: "radio",
            name: "pace",
            value: pace,
            checked: chosen === pace,
            "data-field": `pace-${pace}`,
            on: {
              change: () => {
                remember({ pace });
                changed();
              },
            },
          }),
          h("span", {}, name),
        ),
      ),
    ),
  );
}
