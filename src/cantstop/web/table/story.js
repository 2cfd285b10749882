// @ts-check
/** What happened last, for screens with room to spare. */

import { h } from "../dom.js";
import { language } from "../i18n.js";
import { eventText } from "../say.js";

const LINES = 30;

export function createStory() {
  const list = h("ol");
  let drawn = "";
  return {
    element: h("section", { class: "story", "aria-hidden": "true" }, list),
    /** @param {import("../types.js").State} state */
    update(state) {
      const key = `${state.id} ${state.n} ${language()}`;
      if (key === drawn) return;
      drawn = key;
      const lines = state.log
        .slice(-LINES)
        .map((event) => eventText(event, state))
        .filter(Boolean);
      list.replaceChildren(...lines.reverse().map((line) => h("li", {}, line)));
    },
  };
}
