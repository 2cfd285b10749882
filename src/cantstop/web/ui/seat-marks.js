/** How seats and runners are distinguished: the shapes and colours of `cantstop.draw.marks`. */

import { s } from "../core/dom.js";

/** Outlines around the origin, each about as large as the others; the colours are in base.css. */
export const SEAT_OUTLINES = [
  "M0,-.9A.9,.9 0 0 1 0,.9A.9,.9 0 0 1 0,-.9Z",
  "M-0.8,-0.8L0.8,-0.8L0.8,0.8L-0.8,0.8Z",
  "M0,-1L1.04,0.8L-1.04,0.8Z",
  "M0,-1.12L1.12,0L0,1.12L-1.12,0Z",
];

const RUNNER_OUTLINE =
  "M0,-1.14L0.294,-0.405L1.084,-0.352L0.476,0.155L0.67,0.922L0,0.5L-0.67,0.922L-0.476,0.155" +
  "L-1.084,-0.352L-0.294,-0.405Z";

/**
 * The mark of a colour as a path, to be placed inside a drawing.
 * @param {number} colour
 */
export function seatPath(colour) {
  return s("path", { class: "mark", d: SEAT_OUTLINES[colour % SEAT_OUTLINES.length] });
}

/** The runner as a path. */
export function runnerPath() {
  return s("path", { class: "mark", d: RUNNER_OUTLINE });
}

/**
 * The mark of a colour as a small picture of its own.
 * @param {number} colour
 * @param {string} [className]
 */
export function seatMark(colour, className = "") {
  return s(
    "svg",
    {
      class: `seat-mark colour-${colour} ${className}`,
      viewBox: "-1.3 -1.3 2.6 2.6",
      "aria-hidden": "true",
    },
    seatPath(colour),
  );
}
