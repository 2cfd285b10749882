/** One choice among a few, as a row of segments: radio buttons that look like one button in parts. */

import { h } from "../core/dom.js";
import { useStyle } from "../core/styles.js";

useStyle("forms");

/**
 * @template {string | number} Value
 * @typedef {object} Segment
 * @property {Value} value
 * @property {import("../core/dom.js").Child} content
 * @property {string} [name]  what it is called, where its content is a picture
 */

/**
 * @template {string | number} Value
 * @param {string} field  what the choice is called among the fields of its page
 * @param {string} label
 * @param {Segment<Value>[]} choices
 * @param {Value} chosen
 * @param {(value: Value) => void} choose
 */
export function segments(field, label, choices, chosen, choose) {
  return h(
    "div",
    { class: "segments", role: "radiogroup", "aria-label": label },
    choices.map(({ value, content, name }) =>
      h(
        "label",
        { class: "segment", title: name },
        h("input", {
          type: "radio",
          name: field,
          value,
          checked: value === chosen,
          "aria-label": name,
          "data-field": `${field}-${value}`,
          on: { change: () => choose(value) },
        }),
        h("span", {}, content),
      ),
    ),
  );
}

/**
 * The same with its label on screen.
 * @template {string | number} Value
 * @param {string} field
 * @param {string} label
 * @param {Segment<Value>[]} choices
 * @param {Value} chosen
 * @param {(value: Value) => void} choose
 * @param {string} [hint]
 */
export function labelledSegments(field, label, choices, chosen, choose, hint) {
  return h(
    "div",
    { class: `choice ${field}-choice` },
    h("span", { class: "choice-name", "aria-hidden": "true" }, label),
    segments(field, label, choices, chosen, choose),
    hint !== undefined && h("p", { class: "hint" }, hint),
  );
}
