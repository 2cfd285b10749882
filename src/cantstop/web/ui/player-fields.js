/** The fields for a player's name and colour, remembered on this device. */

import { h } from "../core/dom.js";
import { knownPlayer } from "../core/player-key.js";
import { prefs, remember } from "../core/prefs.js";
import { SEAT_OUTLINES, seatMark } from "./seat-marks.js";
import { t } from "../words/i18n.js";

export const LONGEST_NAME = 24;

/** @returns {string[]} */
export function colourNames() {
  return [t("Blue circle"), t("Orange square"), t("Green triangle"), t("Pink diamond")];
}

/**
 * @param {number[]} [taken]  colours that others at the table have
 * @param {() => void} [recoloured]  another colour was chosen
 */
export function personFields(taken = [], recoloured = () => {}) {
  const name = h("input", {
    class: "name-field",
    name: "name",
    value: knownPlayer()?.name ?? prefs().name,
    readonly: knownPlayer() !== null,
    maxlength: LONGEST_NAME,
    autocomplete: "nickname",
    placeholder: t("Your name"),
    "aria-label": t("Your name"),
    on: { input: () => remember({ name: name.value }) },
  });
  const free = SEAT_OUTLINES.map((_, colour) => colour).filter((colour) => !taken.includes(colour));
  const chosen = free.includes(prefs().colour) ? prefs().colour : free[0];
  const choices = free.map((colour) =>
    h(
      "label",
      { class: `colour-choice colour-${colour}`, title: colourNames()[colour] },
      h("input", {
        type: "radio",
        name: "colour",
        value: colour,
        checked: colour === chosen,
        "aria-label": colourNames()[colour],
        "data-field": `colour-${colour}`,
        on: {
          change: () => {
            remember({ colour });
            recoloured();
          },
        },
      }),
      seatMark(colour),
    ),
  );
  return h(
    "div",
    { class: "person" },
    name,
    h("div", { class: "colours", role: "radiogroup", "aria-label": t("Your colour") }, choices),
  );
}
