/** The moves that the dice allow, as buttons that show both sums of their split; else a note. */

import { h, fill } from "../core/dom.js";
import { die, pairing } from "./dice.js";
import { joinList, t } from "../words/i18n.js";

/** @typedef {import("../net/protocol.js").View} View */
/** @typedef {import("../table/turn/tray-note.js").TrayNote} TrayNote */

/**
 * @typedef {object} Option
 * @property {string} move
 * @property {number[]} columns  those that are used
 * @property {number[]} split  both sums
 * @property {number[]} runners  what they would be
 */

/**
 * @param {View} view
 * @returns {Option[]}
 */
export function options(view) {
  return view.moves.map(({ move, runners }) => {
    const columns = move.split("+").map(Number);
    const split = view.splits.find((sums) => sums.includes(columns[0])) ?? columns;
    return { move, columns, split, runners };
  });
}

/**
 * @typedef {object} Moves
 * @property {HTMLElement} element
 * @property {(view: View, live: boolean, pending: string | null, note?: TrayNote | null) => void} update
 * @property {(pointed: Option | undefined) => void} mark  highlight this move only
 */

/**
 * @param {(option: Option) => void} onPick
 * @param {(option: Option | undefined) => void} onPoint
 * @returns {Moves}
 */
export function createMoves(onPick, onPoint) {
  const element = h("div", { class: "moves", role: "group" });
  let drawn = "";

  /**
   * @param {Option[]} found
   * @param {View} view
   * @param {string} name
   * @param {TrayNote | null} note
   */
  function draw(found, view, name, note) {
    element.setAttribute("aria-label", name);
    element.classList.toggle("many", found.length > 3);
    fill(
      element,
      found.length || !note
        ? found.map((option, at) => button(option, at, view, onPick, onPoint))
        : note.cells(),
    );
    onPoint(undefined);
  }

  return {
    element,
    update(view, live, pending, note = null) {
      const found = view.phase === "move" ? options(view) : [];
      const name = found.length || !note ? t("Moves") : note.label;
      const key = JSON.stringify([found, view.dice, name, view.turn, view.rolls]);
      if (key !== drawn) {
        drawn = key;
        draw(found, view, name, note);
      }
      for (const each of element.querySelectorAll("button")) {
        each.disabled = !live;
        each.classList.toggle("pressed", pending === each.dataset.move);
      }
    },
    mark(pointed) {
      for (const each of /** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll(".move")))
        each.classList.toggle("pointed", each.dataset.move === pointed?.move);
    },
  };
}

/**
 * @param {Option} option
 * @param {number} at
 * @param {View} view
 * @param {(option: Option) => void} onPick
 * @param {(option: Option | undefined) => void} onPoint
 */
function button(option, at, view, onPick, onPoint) {
  const dice = view.dice ?? [];
  const groups = pairing(dice, option.split);
  const used = [...option.columns];
  const pairs = option.split.map((sum, which) => {
    const useful = used.includes(sum);
    if (useful) used.splice(used.indexOf(sum), 1);
    const faces = dice.filter((_, i) => groups?.[i] === which);
    return h(
      "span",
      { class: `pair pair-${"ab"[which]}${useful ? "" : " unused"}` },
      h(
        "span",
        { class: "faces" },
        faces.map((face) => die(face, "mini-die")),
      ),
      h("span", { class: "sum" }, sum),
    );
  });
  return h(
    "button",
    {
      type: "button",
      class: "move",
      "data-move": option.move,
      "aria-label": label(option),
      "aria-keyshortcuts": at + 1,
      on: {
        click: () => onPick(option),
        pointerenter: () => onPoint(option),
        pointerleave: () => onPoint(undefined),
        focus: () => onPoint(option),
        blur: () => onPoint(undefined),
      },
    },
    h("span", { class: "key", "aria-hidden": "true" }, at + 1),
    pairs,
  );
}

/** @param {Option} option */
function label({ columns, split }) {
  const lost = split.filter((sum) => !columns.includes(sum));
  if (columns.length === 2 && columns[0] === columns[1]) {
    return t("Two steps in column {column}", { column: columns[0] });
  }
  if (columns.length === 2) return t("Columns {columns}", { columns: joinList(columns) });
  if (lost.length)
    return t("Column {column} ({lost} is lost)", { column: columns[0], lost: lost[0] });
  return t("One step in column {column}", { column: columns[0] });
}
