/** Preferences of whoever plays on this device: how fast bots play, and what the tutor offers back. */

import { prefs, remember } from "../core/prefs.js";
import { t } from "../words/i18n.js";
import { labelledSegments } from "./segments.js";

/** @typedef {import("../core/prefs.js").Prefs} Prefs */

/** @param {() => void} [changed] */
export function paceChoice(changed = () => {}) {
  /** @type {import("./segments.js").Segment<Prefs["pace"]>[]} */
  const choices = [
    { value: "normal", content: "×1" },
    { value: "fast", content: "×2" },
    { value: "at-once", content: t("At once") },
  ];
  return labelledSegments("pace", t("Speed of bots"), choices, prefs().pace, (pace) => {
    remember({ pace });
    changed();
  });
}

/** For games against bots and alone. */
export function tutorChoice() {
  /** @type {import("./segments.js").Segment<Prefs["tutor"]>[]} */
  const choices = [
    { value: "off", content: t("Off") },
    { value: "mistakes", content: t("Mistakes") },
    { value: "blunders", content: t("Blunders") },
  ];
  return labelledSegments(
    "tutor",
    t("Tutor"),
    choices,
    prefs().tutor,
    (tutor) => remember({ tutor }),
    t("Offers once to take back a decision that costs you a lot. That counts as a hint."),
  );
}
