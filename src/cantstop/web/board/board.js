/** The board as SVG: an octagon of columns, its pieces, and the preview of a move. */

import { h, s, fill, setAttribute } from "../core/dom.js";
import { describe } from "./description.js";
import { geometry, octagon, spaceAt, PITCH_X, SPACE_HEIGHT, SPACE_WIDTH } from "./geometry.js";
import { ghostsOf, placeRunners, placeTokens } from "./pieces.js";
import { seatPath } from "../ui/seat-marks.js";

/** @typedef {import("../net/protocol.js").View} View */
/** @typedef {import("../net/state.js").Seat} Seat */

/**
 * @typedef {object} Board
 * @property {HTMLElement} element
 * @property {(view: View, seats: Seat[]) => void} update
 * @property {(runners: number[] | null) => void} preview  what the runners would be
 * @property {(columns: number[]) => void} offer  the columns that can be clicked
 */

/**
 * @param {number[]} lengths
 * @param {(column: number) => void} onColumn  a column was clicked
 * @param {(column: number | null) => void} onPoint  the pointer came to a column, or left
 * @returns {Board}
 */
export function createBoard(lengths, onColumn, onPoint) {
  const shape = geometry(lengths);
  const columns = lengths.map((length, index) => column(shape, index, length));
  const below = s("g", {});
  const above = s("g", {});
  const ghosts = s("g", { class: "ghosts" });
  const drawing = s(
    "svg",
    { class: "board", viewBox: `0 0 ${shape.width} ${shape.height}`, "aria-hidden": "true" },
    shades(),
    ...plate(shape),
    columns.map((each) => each.element),
    below,
    above,
    ghosts,
    lengths.map((_, index) => hitArea(shape, index, onColumn, onPoint)),
  );
  const description = h("div", { class: "sr-only" });
  const tokens = new Map();
  const runners = new Map();
  /** @type {View | null} */
  let shown = null;

  return {
    element: h("div", { class: "board-box" }, drawing, description),
    update(view, seats) {
      const watched = shown !== null;
      shown = view;
      columns.forEach((each, index) => paintColumn(each, view, seats, index, watched));
      placeTokens(below, tokens, shape, view, seats);
      placeRunners(above, runners, shape, view);
      describe(description, view, seats);
    },
    preview(next) {
      fill(ghosts);
      if (next && shown) ghosts.append(...ghostsOf(shape, shown, next));
      drawing.classList.toggle("previewing", Boolean(next));
    },
    offer(offered) {
      drawing.querySelectorAll(".hit").forEach((area, index) => {
        area.classList.toggle("offered", offered.includes(index + 2));
      });
    },
  };
}

/** Light from above, as gradients; board.css gives their stops the colours of the theme. */
function shades() {
  return s(
    "defs",
    {},
    Object.entries(SHADES).map(([id, stops]) =>
      s(
        "linearGradient",
        { id, x2: 0, y2: 1 },
        stops.map((offset, at) => s("stop", { class: `${id}-${at}`, offset })),
      ),
    ),
  );
}

/** @type {Record<string, number[]>} where the stops of each gradient lie */
const SHADES = {
  "shade-rim": [0, 1],
  "shade-field": [0, 1],
  "shade-cell": [0, 0.16, 0.9, 1],
  "shade-gloss": [0, 0.5, 1],
};

/** @param {import("./geometry.js").Geometry} shape */
function plate(shape) {
  return [
    s("polygon", { class: "rim-edge", points: octagon(shape, 0), transform: "translate(0 7)" }),
    s("polygon", { class: "rim", points: octagon(shape, 0) }),
    s("polygon", { class: "rim-line", points: octagon(shape, 7) }),
    s("polygon", { class: "rim", points: octagon(shape, 12) }),
    s("polygon", { class: "field", points: octagon(shape, 19) }),
  ];
}

/**
 * @typedef {object} Column
 * @property {SVGGElement} element
 * @property {SVGRectElement[]} spaces
 * @property {SVGGElement} crest
 * @property {string} painted  what it shows
 */

/**
 * @param {import("./geometry.js").Geometry} shape
 * @param {number} index
 * @param {number} length
 * @returns {Column}
 */
function column(shape, index, length) {
  const spaces = Array.from({ length }, (_, at) => {
    const { x, y } = spaceAt(shape, index, at + 1);
    const top = at + 1 === length;
    const space = s("rect", {
      class: top ? "space top" : "space",
      x: x - SPACE_WIDTH / 2,
      y: y - SPACE_HEIGHT / 2,
      width: SPACE_WIDTH,
      height: SPACE_HEIGHT,
      rx: 9,
    });
    space.style.setProperty("--at", String(at));
    return space;
  });
  const head = spaceAt(shape, index, length + 1);
  const foot = spaceAt(shape, index, 0);
  const crest = s("g", { class: "crest" });
  const element = s(
    "g",
    { class: "column", "data-column": index + 2 },
    spaces,
    crest,
    s("text", { class: "number", x: head.x, y: head.y + 16 }, index + 2),
    s("text", { class: "foot", x: foot.x, y: foot.y - 6 }, index + 2),
  );
  return { element, spaces, crest, painted: "" };
}

/**
 * @param {import("./geometry.js").Geometry} shape
 * @param {number} index
 * @param {(column: number) => void} onColumn
 * @param {(column: number | null) => void} onPoint
 */
function hitArea(shape, index, onColumn, onPoint) {
  const head = spaceAt(shape, index, shape.lengths[index] + 1.6);
  const foot = spaceAt(shape, index, -0.2);
  return s("rect", {
    class: "hit",
    x: head.x - PITCH_X / 2,
    y: head.y,
    width: PITCH_X,
    height: foot.y - head.y,
    on: {
      click: () => onColumn(index + 2),
      pointerenter: () => onPoint(index + 2),
      pointerleave: () => onPoint(null),
    },
  });
}

/**
 * Show what is won, what is at stake and where the runners stand.
 * @param {Column} each
 * @param {View} view
 * @param {Seat[]} seats
 * @param {number} index
 * @param {boolean} watched  whether the change is seen
 */
function paintColumn(each, view, seats, index, watched) {
  const owner = view.owners[index];
  const runner = view.runners[index];
  const token = view.tokens[view.seat]?.[index] ?? 0;
  const colour = owner === null ? null : seats[owner].colour;
  const painted = [owner, runner, token, colour].join();
  if (painted === each.painted) return;
  each.painted = painted;
  each.spaces.forEach((space, at) => {
    space.classList.toggle("stake", runner > at + 1 && at + 1 > token);
    space.classList.toggle("runs", runner === at + 1);
    space.classList.toggle("won", owner !== null);
  });
  if (colour === null) {
    setAttribute(each.element, "class", "column");
    fill(each.crest);
  } else if (!each.crest.childElementCount) {
    const filling = watched ? " filling" : "";
    setAttribute(each.element, "class", `column owned colour-${colour}${filling}`);
    fill(each.crest, ...ownerMarks(each, colour));
  }
}

/**
 * The owner's mark on every space of a column that is won, and large on its top.
 * @param {Column} column
 * @param {number} colour
 */
function ownerMarks({ spaces }, colour) {
  return spaces.map((space, at) => {
    const top = at + 1 === spaces.length;
    const x = space.x.baseVal.value + SPACE_WIDTH / 2;
    const y = space.y.baseVal.value + SPACE_HEIGHT / 2;
    const mark = s("g", { class: top ? "crown" : "pattern" }, seatPath(colour));
    mark.style.setProperty("--at", String(at));
    mark.setAttribute("transform", `translate(${x} ${y}) scale(${top ? 16 : 9})`);
    return mark;
  });
}
