/** A board whose columns can be tapped, and reached with the keyboard: one control over each. */

import { h, s } from "../core/dom.js";
import { useStyle } from "../core/styles.js";
import { createBoard } from "../board/board.js";
import { geometry, spaceAt, PITCH_X } from "../board/geometry.js";
import { runnerPath } from "../ui/seat-marks.js";

useStyle("board-columns");

/**
 * @typedef {object} ColumnBoard
 * @property {HTMLElement} element
 * @property {HTMLElement[]} controls  one for each column
 * @property {import("../board/board.js").Board["update"]} update
 */

/**
 * @param {number[]} lengths
 * @param {"slider" | "button"} role
 * @param {(index: number, space: number) => void} onTap  a column, and the space that was hit
 * @param {(index: number, key: string) => boolean} [onKey]  whether the key was of use
 * @returns {ColumnBoard}
 */
export function columnBoard(lengths, role, onTap, onKey = () => false) {
  const shape = geometry(lengths);
  const board = createBoard(
    lengths,
    () => {},
    () => {},
  );
  const controls = lengths.map((length, index) => {
    const control = h(role === "button" ? "button" : "div", {
      class: "column-control",
      role: role === "slider" ? role : null,
      type: role === "button" ? "button" : null,
      tabindex: index ? -1 : 0,
      "data-column": index + 2,
      on: {
        click: (/** @type {MouseEvent} */ event) => {
          aim(index);
          onTap(index, Math.min(length, spaceHit(event, drawing, shape, index)));
        },
        keydown: (/** @type {KeyboardEvent} */ event) => press(event, index),
      },
    });
    putOver(control, shape, index, length);
    return control;
  });

  /**
   * Tab reaches one column, arrows the others.
   * @param {number} index
   */
  function aim(index) {
    controls.forEach((control, at) => (control.tabIndex = at === index ? 0 : -1));
  }

  /**
   * @param {KeyboardEvent} event
   * @param {number} index
   */
  function press(event, index) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) {
      const next = Math.max(0, Math.min(lengths.length - 1, index + by));
      aim(next);
      controls[next].focus();
    } else if (!onKey(index, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  const drawing = h("div", { class: "column-board" }, board.element, controls);
  drawing.style.aspectRatio = `${shape.width} / ${shape.height}`;
  return { element: drawing, controls, update: board.update };
}

/**
 * The space under the pointer; below the bottom is none.
 * @param {MouseEvent} event
 * @param {HTMLElement} drawing
 * @param {ReturnType<typeof geometry>} shape
 * @param {number} index
 */
function spaceHit(event, drawing, shape, index) {
  const box = drawing.getBoundingClientRect();
  const y = ((event.clientY - box.top) / box.height) * shape.height;
  const foot = spaceAt(shape, index, 0).y;
  return Math.max(0, Math.round((foot - y) / (foot - spaceAt(shape, index, 1).y)));
}

/**
 * Put a control over a column, from its foot to above its top.
 * @param {HTMLElement} control
 * @param {ReturnType<typeof geometry>} shape
 * @param {number} index
 * @param {number} length
 */
function putOver({ style }, shape, index, length) {
  const head = spaceAt(shape, index, length + 1.6).y;
  const foot = spaceAt(shape, index, -0.2).y;
  style.left = share(spaceAt(shape, index, 0).x - PITCH_X / 2, shape.width);
  style.width = share(PITCH_X, shape.width);
  style.top = share(head, shape.height);
  style.height = share(foot - head, shape.height);
}

/**
 * @param {number} part
 * @param {number} whole
 */
function share(part, whole) {
  return `${(100 * part) / whole}%`;
}

/** The runner as a small picture of its own. */
export function runnerMark() {
  return s(
    "svg",
    { class: "runner-mark", viewBox: "-1.3 -1.3 2.6 2.6", "aria-hidden": "true" },
    runnerPath(),
  );
}
