/** The options of a position, best first: what each is worth as a bar and a figure. */

import { h } from "../core/dom.js";
import { useStyle } from "../core/styles.js";
import { icon } from "./icons.js";
import { t } from "../words/i18n.js";
import { actionText, changeText, thenText, worthText } from "../words/win-chances.js";

useStyle("option-bars");

/** @typedef {{move: string, win: number, then?: string | null}} Option */

/**
 * @typedef {object} Showing
 * @property {boolean} solo  whether worths are turns
 * @property {boolean} [first]  whether the turn begins
 * @property {string | null} [chosen]  what was done
 * @property {string} [tag]  what to say of it
 * @property {(move: string) => void} [onPick]  makes buttons of them
 */

/**
 * @param {Option[]} options  best first
 * @param {Showing} how
 */
export function optionBars(options, how) {
  const scale = how.solo ? Math.max(...options.map(({ win }) => -win), 1) : 1;
  return h(
    "ol",
    { class: "options" },
    options.map((option, at) => row(option, options[0], at === 0, scale, how)),
  );
}

/**
 * @param {Option} option
 * @param {Option} best
 * @param {boolean} first
 * @param {number} scale  what fills a bar
 * @param {Showing} how
 */
function row(option, best, first, scale, { solo, first: begins, chosen, tag, onPick }) {
  const { move, win } = option;
  const lost = best.win - win;
  const then = thenText(option.then);
  const content = [
    h(
      "span",
      { class: "option-name" },
      h("strong", {}, actionText(move, begins)),
      then && h("span", { class: "option-then" }, ` ${then}`),
      first && h("span", { class: "tag best" }, icon("check"), t("best")),
      chosen === move && h("span", { class: "tag chosen" }, tag ?? t("played")),
    ),
    h("span", { class: "option-worth" }, worthText(win, solo)),
    worthBar(Math.abs(win) / scale),
    !first && h("span", { class: "option-lost" }, changeText(-lost, solo)),
  ];
  const classes = ["option", first && "best", chosen === move && "chosen"].filter(Boolean);
  const props = { class: classes.join(" "), "data-action": move };
  if (!onPick) return h("li", props, content);
  return h(
    "li",
    props,
    h("button", { type: "button", on: { click: () => onPick(move) } }, content),
  );
}

/**
 * A bar that is filled to a share of it; the figure beside it says the same.
 * @param {number} share
 */
export function worthBar(share) {
  const filled = h("span", { class: "worth-fill" });
  filled.style.width = `${100 * Math.max(0, Math.min(1, share))}%`;
  return h("span", { class: "worth-bar", "aria-hidden": "true" }, filled);
}
