/** What players' marks look like: the first four are those of the seats; all differ in shape or colour. */

import { s } from "../core/dom.js";
import { SEAT_OUTLINES } from "../ui/seat-marks.js";
import { t } from "../words/i18n.js";

/** How many marks there are; the server has as many. */
export const MARKS = 24;

const OUTLINES = [
  ...SEAT_OUTLINES,
  "M-.55,-.95L.55,-.95L1.05,0L.55,.95L-.55,.95L-1.05,0Z",
  "M-.35,-1L.35,-1L.35,-.35L1,-.35L1,.35L.35,.35L.35,1L-.35,1L-.35,.35L-1,.35L-1,-.35L-.35,-.35Z",
];
const COLOURS = 4;

/** @param {number} mark */
function shapeOf(mark) {
  return ((mark % COLOURS) + Math.floor(mark / COLOURS)) % OUTLINES.length;
}

/**
 * @param {number} mark
 * @param {string} [className]
 */
export function playerMark(mark, className = "") {
  return s(
    "svg",
    {
      class: `seat-mark player-mark colour-${mark % COLOURS} ${className}`,
      viewBox: "-1.3 -1.3 2.6 2.6",
      "aria-hidden": "true",
    },
    s("path", { class: "mark", d: OUTLINES[shapeOf(mark)] }),
  );
}

/**
 * A mark in words.
 * @param {number} mark
 */
export function markName(mark) {
  const colours = [t("blue"), t("orange"), t("green"), t("pink")];
  const shapes = [t("circle"), t("square"), t("triangle"), t("diamond"), t("hexagon"), t("cross")];
  return `${shapes[shapeOf(mark)]}, ${colours[mark % COLOURS]}`;
}
