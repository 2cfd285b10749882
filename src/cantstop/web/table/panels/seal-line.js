/** The promise about sealed dice in one line: every table shows it before the first roll. */

import { h } from "../../core/dom.js";
import { isGradual } from "../../net/salts.js";
import { icon } from "../../ui/icons.js";
import { t } from "../../words/i18n.js";

/** @typedef {import("../../net/state.js").State} State */

function promise() {
  return t("Fair dice: nobody can steer them, and you can check every roll after the game.");
}

function gradualPromise() {
  return t(
    "Fair dice: from your first roll on nobody can steer them against you, and you can check every roll after the game.",
  );
}

/** @param {import("../../net/protocol.js").DailyView} daily */
function dailyPromise({ day, counts }) {
  return counts
    ? t("The dice of {day} are the same for everybody: this is your one try.", { day })
    : t("The dice of {day}, the same for everybody. This game is outside the ranking.", { day });
}

/**
 * @param {import("../../net/protocol.js").DailyView | undefined} daily
 * @param {boolean} gradual  whether salts are revealed in the course of the game
 */
export function promiseOf(daily, gradual) {
  if (daily) return dailyPromise(daily);
  return gradual ? gradualPromise() : promise();
}

/**
 * The promise in one line, for the moment before the first roll; the hash is there on demand.
 * @param {string} commitment
 * @param {State} state
 */
export function sealLine(commitment, state) {
  const text = promiseOf(state.daily, isGradual(state));
  return h("p", { class: "seal-line", title: commitment }, icon("seal"), h("span", {}, text));
}
