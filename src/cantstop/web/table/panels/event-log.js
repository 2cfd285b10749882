/** The log of the game in sentences: beside the table on a desk, and whole in the menu. */

import { h } from "../../core/dom.js";
import { nextTask } from "../../core/frames.js";
import { language } from "../../words/i18n.js";
import { eventText } from "../../words/sentences.js";

/** @typedef {import("../../net/state.js").State} State */

const LINES = 30;

export function createEventLog() {
  const list = h("ol");
  let drawn = "";
  return {
    element: h("section", { class: "story", "aria-hidden": "true" }, list),
    /** @param {State} state */
    update(state) {
      const key = `${state.id} ${state.n} ${language()}`;
      if (key === drawn) return;
      drawn = key;
      // what moves on the board comes first
      nextTask().then(() => key === drawn && list.replaceChildren(...items(state, LINES)));
    },
  };
}

/**
 * Everything that happened, newest first.
 * @param {State} state
 */
export function logList(state) {
  return h("ol", { class: "log-lines", reversed: true }, items(state, Infinity));
}

/**
 * @param {State} state
 * @param {number} most  of the last events
 */
function items(state, most) {
  return state.log
    .slice(-most)
    .map((event) => eventText(event, state))
    .filter(Boolean)
    .reverse()
    .map((text) => h("li", {}, text));
}
