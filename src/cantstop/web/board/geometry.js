/** Coordinates on the board, computed from the lengths of its columns. */

export const PITCH_X = 60;
const PITCH_Y = 50;
export const SPACE_WIDTH = 54;
export const SPACE_HEIGHT = 44;
const HEAD_ROOM = 46;
const FOOT_ROOM = 30;
const RIM = 30;

/** @typedef {{x: number, y: number}} Point */

/**
 * @typedef {object} Geometry
 * @property {number[]} lengths
 * @property {number} width
 * @property {number} height
 * @property {number} cut  how much of each corner the octagon loses
 */

/**
 * @param {number[]} lengths of the columns, lowest first
 * @returns {Geometry}
 */
export function geometry(lengths) {
  const width = lengths.length * PITCH_X + 2 * RIM;
  const height = Math.max(...lengths) * PITCH_Y + HEAD_ROOM + FOOT_ROOM + 2 * RIM;
  const regular = Math.min(width, height) / (2 + Math.SQRT2);
  const middle = (lengths.length - 1) / 2;
  const reach = lengths.map(
    (length, index) =>
      (Math.abs(index - middle) + 0.5) * PITCH_X + (length * PITCH_Y) / 2 + HEAD_ROOM,
  );
  const spare = (width + height) / 2 - RIM - Math.max(...reach);
  return { lengths, width, height, cut: Math.max(RIM, Math.min(regular, spare)) };
}

/**
 * The corners of the octagon, moved inwards by so much, as SVG points.
 * @param {Geometry} board
 * @param {number} inset
 */
export function octagon({ width, height, cut }, inset) {
  const c = cut - inset * (2 - Math.SQRT2);
  const [left, top, right, low] = [inset, inset, width - inset, height - inset];
  const corners = [
    [left + c, top],
    [right - c, top],
    [right, top + c],
    [right, low - c],
    [right - c, low],
    [left + c, low],
    [left, low - c],
    [left, top + c],
  ];
  return corners.map(([x, y]) => `${round(x)},${round(y)}`).join(" ");
}

/**
 * The middle of a space; columns are centred, so that they fill the octagon. Space 0 lies below
 * the bottom one, and the space above the top carries the number.
 * @param {Geometry} board
 * @param {number} index of the column, from 0
 * @param {number} space
 * @returns {Point}
 */
export function spaceAt(board, index, space) {
  const middle = (board.height + HEAD_ROOM - FOOT_ROOM) / 2;
  const up = space - (board.lengths[index] + 1) / 2;
  return { x: RIM + (index + 0.5) * PITCH_X, y: middle - up * PITCH_Y };
}

/** @typedef {{dx: number, dy: number, size: number}} Place where in its space a piece stands */

/** @type {Record<number, Place[]>} by how many tokens share a space */
const TOKENS = {
  1: [{ dx: 0, dy: 0, size: 16 }],
  2: [-1, 1].map((side) => ({ dx: side * 13, dy: 0, size: 12 })),
  3: grid(3, [-13.5, 13.5], 11),
  4: grid(4, [-13.5, 13.5], 11),
};

/** @type {Record<number, Place[]>} the same, where a runner takes the right of the space */
const TOKENS_WITH_RUNNER = {
  1: [{ dx: -14.5, dy: 0, size: 11.5 }],
  2: [-1, 1].map((side) => ({ dx: -16, dy: side * 11, size: 9.5 })),
  3: grid(3, [-20, -3], 8.5),
  4: grid(4, [-20, -3], 8.5),
};

/**
 * Four corners; three tokens leave the last one free. A space keeps its edges: they overlap them a
 * little, so that a shape can be distinguished from the next one on the smallest phone.
 * @param {number} count
 * @param {number[]} across
 * @param {number} size
 */
function grid(count, across, size) {
  return [0, 1, 2, 3]
    .slice(0, count)
    .map((at) => ({ dx: across[at % 2], dy: at < 2 ? -11.5 : 11.5, size }));
}

/**
 * Where the tokens that share a space stand, and how large: all of them stay visible.
 * @param {number} count
 * @param {boolean} runner whether a runner shares it with them
 */
export function tokenPlaces(count, runner) {
  return (runner ? TOKENS_WITH_RUNNER : TOKENS)[count];
}

/**
 * @param {number} tokens that share the space
 * @returns {Place}
 */
export function runnerPlace(tokens) {
  return tokens ? { dx: tokens > 2 ? 17 : 12, dy: 0, size: 13 } : { dx: 0, dy: 0, size: 17 };
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}
