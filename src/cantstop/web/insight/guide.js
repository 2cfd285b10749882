/** The strategy guide; its text is the server's. */

import { h } from "../core/dom.js";
import { parsePosition } from "../core/position.js";
import { fileAddress } from "../core/site.js";
import { link } from "../core/router.js";
import { useStyle } from "../core/styles.js";
import { send } from "../net/api.js";
import { createBoard } from "../board/board.js";
import { pageFrame } from "../ui/layout.js";
import { language, t } from "../words/i18n.js";
import { seatsOf, viewOf } from "./position.js";

useStyle("rules");
useStyle("guide");

/**
 * @typedef {object} Block
 * @property {"text" | "points" | "steps" | "board" | "table" | "commands" | "card"} kind
 * @property {string} [text]
 * @property {string[]} [items]
 * @property {string} [position]
 * @property {string} [caption]
 * @property {string[][]} [rows]
 */
/** @typedef {{title: string, parts: (Block & {title: string})[]}} Card */
/** @typedef {{name: string, title: string, blocks: Block[]}} Section */
/** @typedef {{title: string, lead: string, card: Card, sections: Section[]}} Guide */

/**
 * The guide in the language in use.
 * @returns {Promise<Guide>}
 */
export async function fetchGuide() {
  return (await send("GET", fileAddress(`guide/${language()}.json`))).json();
}

/** @returns {Promise<import("../core/router.js").Page>} */
export default async function guidePage() {
  const { title, lead, card, sections } = await fetchGuide();
  const element = pageFrame("guide", [
    h("h1", { tabindex: -1 }, title),
    h("p", { class: "lead" }, lead),
    h(
      "nav",
      { class: "guide-contents", "aria-label": title },
      sections.map((section) =>
        h(
          "a",
          {
            href: `#${section.name}`,
            on: { click: (/** @type {Event} */ event) => jump(event, section.name) },
          },
          section.title,
        ),
      ),
    ),
    ...sections.map((section) =>
      h(
        "section",
        { id: section.name, class: "guide-section" },
        h("h2", { tabindex: -1 }, section.title),
        section.blocks.map((block) => (block.kind === "card" ? linkedCard(card) : drawn(block))),
      ),
    ),
  ]);
  return { title, element };
}

/**
 * The router would load the page again.
 * @param {Event} event
 * @param {string} name
 */
function jump(event, name) {
  event.preventDefault();
  event.stopPropagation();
  const heading = /** @type {HTMLElement} */ (document.querySelector(`#${name} > h2`));
  heading.scrollIntoView();
  heading.focus({ preventScroll: true });
}

/** @param {Card} card */
function linkedCard(card) {
  return h(
    "div",
    {},
    cardElement(card, "h3"),
    h("p", {}, link("/guide/card", { class: "button" }, t("The card, to print"))),
  );
}

/**
 * @param {Card} card
 * @param {"h1" | "h3"} heading
 */
export function cardElement({ title, parts }, heading) {
  return h(
    "div",
    { class: "rule-card" },
    h(heading, { tabindex: heading === "h1" ? -1 : null }, title),
    parts.map((part) =>
      h(
        "div",
        { class: "rule-card-part" },
        h(heading === "h1" ? "h2" : "h4", {}, part.title),
        drawn(part),
      ),
    ),
  );
}

/** @param {Block} block */
function drawn(block) {
  const items = block.items ?? [];
  switch (block.kind) {
    case "points":
      return h(
        "ul",
        { class: "points" },
        items.map((item) => h("li", {}, emphasised(item))),
      );
    case "steps":
      return h(
        "ol",
        { class: "points" },
        items.map((item) => h("li", {}, emphasised(item))),
      );
    case "board":
      return picture(block.position ?? "", block.caption ?? "");
    case "table":
      return table(block.rows ?? []);
    case "commands":
      return null; // how the figures were measured is for the documentation
    default:
      return h("p", {}, emphasised(block.text ?? ""));
  }
}

/**
 * A text with parts between two stars on either side, which are strong.
 * @param {string} text
 */
function emphasised(text) {
  return text.split("**").map((part, at) => (at % 2 ? h("strong", {}, part) : part));
}

/**
 * @param {string} text  of the position
 * @param {string} caption
 */
function picture(text, caption) {
  const position = parsePosition(text);
  if (!position) return h("p", {}, caption);
  const board = createBoard(
    position.lengths,
    () => {},
    () => {},
  );
  board.update(viewOf(position), seatsOf(position));
  return h(
    "figure",
    { class: "guide-board" },
    board.element,
    h("figcaption", {}, emphasised(caption)),
  );
}

/** @param {string[][]} rows */
function table([head, ...rows]) {
  return h(
    "div",
    { class: "guide-table" },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          head.map((cell) => h(cell ? "th" : "td", {}, cell)),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map(([first, ...cells]) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, first),
            cells.map((cell) => h("td", {}, cell)),
          ),
        ),
      ),
    ),
  );
}
