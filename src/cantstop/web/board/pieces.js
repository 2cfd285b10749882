/** The pieces on the board: tokens (all visible where they share a space), runners, move previews. */

import { s, setAttribute } from "../core/dom.js";
import { animate } from "../device/motion.js";
import { runnerPlace, spaceAt, tokenPlaces, SPACE_HEIGHT, SPACE_WIDTH } from "./geometry.js";
import { runnerPath, seatPath } from "../ui/seat-marks.js";

/** How long a hop from space to space takes, in milliseconds. */
const HOP = 170;

/** @typedef {import("../net/protocol.js").View} View */
/** @typedef {import("../net/state.js").Seat} Seat */

/**
 * @param {SVGElement} layer
 * @param {Map<string, SVGGElement>} kept
 * @param {import("./geometry.js").Geometry} shape
 * @param {View} view
 * @param {Seat[]} seats
 */
export function placeTokens(layer, kept, shape, view, seats) {
  const present = new Set();
  view.lengths.forEach((_, index) => {
    if (view.owners[index] !== null) return;
    const spaces = view.tokens.map((seat) => seat[index]);
    spaces.forEach((space, seat) => {
      if (!space) return;
      const sharing = spaces.flatMap((other, who) => (other === space ? [who] : []));
      const places = tokenPlaces(sharing.length, view.runners[index] === space);
      const key = `${seat}-${index}`;
      present.add(key);
      const piece = pieceFor(layer, kept, key, () => token(seats[seat].colour ?? seat, seat));
      place(piece, spaceAt(shape, index, space), places[sharing.indexOf(seat)]);
    });
  });
  dropOthers(kept, present);
}

/**
 * @param {SVGElement} layer
 * @param {Map<string, SVGGElement>} kept
 * @param {import("./geometry.js").Geometry} shape
 * @param {View} view
 */
export function placeRunners(layer, kept, shape, view) {
  const present = new Set();
  view.runners.forEach((space, index) => {
    if (!space) return;
    const key = `runner-${index}`;
    present.add(key);
    const start = view.tokens[view.seat]?.[index] ?? 0;
    const piece = pieceFor(layer, kept, key, () =>
      s("g", { class: "runner piece", "data-space": start }, solid(runnerPath)),
    );
    const sharing = view.tokens.filter((spaces) => spaces[index] === space).length;
    hop(piece, shape, index, Number(piece.dataset.space), space);
    piece.dataset.space = String(space);
    place(piece, spaceAt(shape, index, space), runnerPlace(sharing));
  });
  dropOthers(kept, present);
}

/**
 * Up the column from space to space; the piece comes nearer to the eye between two of them.
 * @param {SVGElement} piece
 * @param {import("./geometry.js").Geometry} shape
 * @param {number} index
 * @param {number} from
 * @param {number} to
 */
function hop(piece, shape, index, from, to) {
  if (to <= from) return;
  const { size } = runnerPlace(0);
  const frames = Array.from({ length: 2 * (to - from) + 1 }, (_, half) => ({
    transform: transformTo(spaceAt(shape, index, from + half / 2), size * (half % 2 ? 1.45 : 1)),
    easing: half % 2 ? "ease-in" : "ease-out",
  }));
  animate(piece, frames, { duration: HOP * (to - from) });
}

/**
 * @param {number} colour
 * @param {number} seat
 */
function token(colour, seat) {
  const outline = () => seatPath(colour);
  return s("g", { class: `token piece colour-${colour}`, "data-seat": seat }, solid(outline));
}

/**
 * A piece as one sees it from above and a little from below: its side, its face, a reflection.
 * @param {() => SVGPathElement} outline
 */
function solid(outline) {
  const [side, face, gloss] = [outline(), outline(), outline()];
  setAttribute(side, "class", "side");
  setAttribute(gloss, "class", "gloss");
  return [side, face, gloss];
}

/**
 * @param {SVGElement} layer
 * @param {Map<string, SVGGElement>} kept
 * @param {string} key
 * @param {() => SVGGElement} make
 */
function pieceFor(layer, kept, key, make) {
  let piece = kept.get(key);
  if (!piece) {
    piece = make();
    kept.set(key, piece);
    layer.append(piece);
  }
  return piece;
}

/**
 * @param {SVGGElement} piece
 * @param {import("./geometry.js").Point} at
 * @param {import("./geometry.js").Place} place
 */
function place(piece, at, { dx, dy, size }) {
  piece.style.transform = transformTo({ x: at.x + dx, y: at.y + dy }, size);
}

/**
 * @param {import("./geometry.js").Point} at
 * @param {number} size
 */
function transformTo({ x, y }, size) {
  return `translate(${x}px, ${y}px) scale(${size})`;
}

/**
 * @param {Map<string, SVGGElement>} kept
 * @param {Set<string>} present
 */
function dropOthers(kept, present) {
  for (const [key, piece] of kept) {
    if (present.has(key)) continue;
    piece.remove();
    kept.delete(key);
  }
}

/**
 * What a move would do: the spaces it passes and where the runners would stand, each step in the
 * colour of the pair of dice that makes it.
 * @param {import("./geometry.js").Geometry} shape
 * @param {View} view
 * @param {number[]} next
 */
export function ghostsOf(shape, view, next) {
  return next.flatMap((space, index) => {
    if (space === view.runners[index]) return [];
    const at = spaceAt(shape, index, space);
    const from = view.runners[index] || view.tokens[view.seat][index];
    const sums = view.splits.find((split) => split.includes(index + 2));
    const pair = sums?.indexOf(index + 2) === 1 ? "pair-b" : "pair-a";
    const twice = sums?.[0] === sums?.[1] && space > from + 1;
    const ghost = s("g", { class: "ghost" }, runnerPath());
    ghost.setAttribute("transform", `translate(${at.x} ${at.y}) scale(16)`);
    const start = spaceAt(shape, index, from + 0.6);
    return [
      s("line", { class: `ghost-path ${pair}`, x1: start.x, y1: start.y, x2: at.x, y2: at.y }),
      twice && ghostSpace(spaceAt(shape, index, space - 1), pair),
      ghostSpace(at, twice ? "pair-b" : pair),
      ghost,
    ].filter((part) => part !== false);
  });
}

/**
 * @param {import("./geometry.js").Point} at
 * @param {string} pair
 */
function ghostSpace(at, pair) {
  return s("rect", {
    class: `ghost-space ${pair}`,
    x: at.x - SPACE_WIDTH / 2,
    y: at.y - SPACE_HEIGHT / 2,
    width: SPACE_WIDTH,
    height: SPACE_HEIGHT,
    rx: 9,
  });
}
