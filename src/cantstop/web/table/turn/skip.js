/** Skip a bot's turn: a button in the place of Roll and Stop, and a tap on the board or the dice. */

import { h, write } from "../../core/dom.js";
import { icon } from "../../ui/icons.js";
import { t } from "../../words/i18n.js";

/**
 * @param {import("../../net/session.js").Session} session
 * @param {HTMLElement[]} places  a tap on these does the same
 */
export function createSkip(session, places) {
  const text = h("span", {});
  const element = h(
    "button",
    {
      type: "button",
      class: "skip",
      "aria-keyshortcuts": "f",
      hidden: true,
      on: { click: () => session.skip() },
    },
    icon("last"),
    text,
  );
  for (const place of places) place.addEventListener("click", () => session.skip());
  return {
    element,
    /** Shown while a bot plays that nobody else waits for. */
    update() {
      element.hidden = !session.maySkip || session.skipping;
      write(text, t("Skip"));
    },
  };
}
