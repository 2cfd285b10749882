/** The result of a check on screen: yes with what was checked, or no with the reason. */

import { h } from "../core/dom.js";
import { icon } from "../ui/icons.js";
import { t } from "../words/i18n.js";

/**
 * @param {() => Promise<import("./check.js").Finding>} check
 * @returns {Promise<HTMLElement>}
 */
export async function verdictOf(check) {
  try {
    return yes(await check());
  } catch (error) {
    return h(
      "div",
      { class: "verdict no" },
      icon("close"),
      h(
        "div",
        {},
        h("strong", {}, t("No: this record does not hold.")),
        h("p", {}, /** @type {Error} */ (error).message),
      ),
    );
  }
}

/** @param {import("./check.js").Finding} finding */
function yes({ rolls, turns, promised }) {
  return h(
    "div",
    { class: "verdict yes" },
    icon("check"),
    h(
      "div",
      {},
      h("strong", {}, t("Yes: every roll and every move is right.")),
      h("p", {}, t("{rolls} rolls and {turns} turns were checked.", { rolls, turns })),
      promised && h("p", {}, t("The commitment is the one that this browser saw before the game.")),
    ),
  );
}
