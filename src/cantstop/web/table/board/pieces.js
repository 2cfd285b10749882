/** The pieces on the board: tokens (all visible where they share a space), runners, move previews. */

import { s } from "../../core/dom.js";
import { runnerPlace, spaceAt, tokenPlaces, SPACE_HEIGHT, SPACE_WIDTH } from "./geometry.js";
import { runnerPath, seatPath } from "../../ui/seat-marks.js";

/** @typedef {import("../../net/protocol.js").View} View */
/** @typedef {import("../../net/state.js").Seat} Seat */

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
    const piece = pieceFor(layer, kept, key, () => {
      const made = s("g", { class: "runner piece" }, runnerPath());
      place(made, spaceAt(shape, index, view.tokens[view.seat]?.[index] ?? 0), runnerPlace(0));
      return made;
    });
    layer.append(piece);
    const sharing = view.tokens.filter((spaces) => spaces[index] === space).length;
    place(piece, spaceAt(shape, index, space), runnerPlace(sharing));
  });
  dropOthers(kept, present);
}

/**
 * @param {number} colour
 * @param {number} seat
 */
function token(colour, seat) {
  return s("g", { class: `token piece colour-${colour}`, "data-seat": seat }, seatPath(colour));
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
    piece.getBoundingClientRect(); // lets the first step be seen as a step
  }
  return piece;
}

/**
 * @param {SVGGElement} piece
 * @param {import("./geometry.js").Point} at
 * @param {import("./geometry.js").Place} place
 */
function place(piece, at, { dx, dy, size }) {
  piece.style.transform = `translate(${at.x + dx}px, ${at.y + dy}px) scale(${size})`;
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
 * What a move would do: the spaces it passes and where the runners would stand.
 * @param {import("./geometry.js").Geometry} shape
 * @param {View} view
 * @param {number[]} next
 */
export function ghostsOf(shape, view, next) {
  return next.flatMap((space, index) => {
    if (space === view.runners[index]) return [];
    const at = spaceAt(shape, index, space);
    const from = view.runners[index] || view.tokens[view.seat][index];
    const ghost = s("g", { class: "ghost" }, runnerPath());
    ghost.setAttribute("transform", `translate(${at.x} ${at.y}) scale(16)`);
    const start = spaceAt(shape, index, from + 0.6);
    return [
      s("line", { class: "ghost-path", x1: start.x, y1: start.y, x2: at.x, y2: at.y }),
      s("rect", {
        class: "ghost-space",
        x: at.x - SPACE_WIDTH / 2,
        y: at.y - SPACE_HEIGHT / 2,
        width: SPACE_WIDTH,
        height: SPACE_HEIGHT,
        rx: 9,
      }),
      ghost,
    ];
  });
}
