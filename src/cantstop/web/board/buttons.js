/** Roll and Stop: the two big buttons, with the reason where stopping is forbidden. */

import { h, setAttribute, write } from "../core/dom.js";
import { die } from "./dice.js";
import { joinList, percent, t } from "../words/i18n.js";

/** @typedef {import("../net/protocol.js").View} View */

/**
 * @typedef {object} Buttons
 * @property {HTMLElement} element
 * @property {HTMLButtonElement} roll
 * @property {HTMLButtonElement} stop
 * @property {(view: View, live: boolean, pending: string | null) => void} update
 */

/**
 * @param {() => void} onRoll
 * @param {() => void} onStop
 * @param {(reason: string) => void} onForbidden  Stop was asked for where it is forbidden
 * @returns {Buttons}
 */
export function createButtons(onRoll, onStop, onForbidden) {
  const rollText = h("span", { class: "label" });
  const risk = h("span", { class: "note" });
  const roll = h(
    "button",
    { type: "button", class: "big roll", "aria-keyshortcuts": "r" },
    h("span", { class: "big-icon" }, die(5, "mini-die")),
    h("span", { class: "words" }, rollText, risk),
  );
  roll.addEventListener("click", () => roll.getAttribute("aria-disabled") === "false" && onRoll());
  const stopText = h("span", { class: "label" });
  const reason = h("span", { class: "note", id: "stop-note" });
  const stop = h(
    "button",
    {
      type: "button",
      class: "big stop",
      "aria-keyshortcuts": "s",
      "aria-describedby": "stop-note",
    },
    h("span", { class: "words" }, stopText, reason),
  );
  stop.addEventListener("click", () => {
    if (stop.getAttribute("aria-disabled") === "true") onForbidden(reason.textContent ?? "");
    else onStop();
  });

  return {
    element: h("div", { class: "controls" }, roll, stop),
    roll,
    stop,
    update(view, live, pending) {
      const mayRoll = live && ["start", "roll", "choice"].includes(view.phase);
      setAttribute(roll, "aria-disabled", String(!mayRoll));
      roll.classList.toggle("pressed", pending === "roll");
      stop.classList.toggle("pressed", pending === "stop");
      setAttribute(stop, "aria-disabled", String(!(live && view.may_stop)));
      write(rollText, rollLabel(view));
      write(risk, live ? riskText(view) : "");
      write(stopText, t("Stop"));
      write(reason, live ? stopNote(view) : "");
    },
  };
}

/** @param {View} view */
function rollLabel(view) {
  if (view.phase === "start") return t("Roll for the start");
  return view.phase === "choice" ? t("Roll again") : t("Roll");
}

/**
 * How risky the next roll is, where everybody may know.
 * @param {View} view
 */
export function riskText(view) {
  if (!view.bust_chance) return "";
  const [bad, all] = view.bust_chance;
  if (!bad) return t("Cannot bust");
  return t("{chance} chance to bust", { chance: percent(bad / all, bad * 20 < all ? 1 : 0) });
}

/**
 * Why stopping is forbidden, or what it would keep.
 * @param {View} view
 */
function stopNote(view) {
  if (view.stop_reason === "first-move") return t("Only after your first move");
  if (view.stop_reason === "dice") return t("Use the dice first");
  if (view.stop_reason === "shared") {
    return t("No rest on a shared space: {columns}", { columns: joinList(view.shared) });
  }
  const won = view.runners.flatMap((space, i) => (space === view.lengths[i] ? [i + 2] : []));
  if (won.length === 1) return t("Win column {column}", { column: won[0] });
  if (won.length) return t("Win columns {columns}", { columns: joinList(won) });
  return view.may_stop ? t("Keep what you climbed") : "";
}
