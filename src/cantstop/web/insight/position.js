/** Positions: read from their text (docs/notation.md), drawn, changed, and written back. */

import { gameAt } from "../verify/record.js";

export const OFFICIAL = [3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3];

/** @typedef {import("../net/protocol.js").Sharing} Sharing */
/** @typedef {import("../net/protocol.js").View} View */

/**
 * @typedef {object} Position
 * @property {number} win  columns to win
 * @property {boolean} early
 * @property {Sharing} sharing
 * @property {string} start  who starts: of no account here, but part of the text
 * @property {number[]} lengths
 * @property {number} most  runners of a turn
 * @property {number[][]} tokens  by seat, then by column from 2 on
 * @property {number} seat
 * @property {number[]} runners
 * @property {number[]} dice  up to four; only four are a roll
 */

/** @returns {Position} */
export function emptyPosition() {
  return {
    win: 3,
    early: false,
    sharing: "free",
    start: "first-seat",
    lengths: OFFICIAL,
    most: 3,
    tokens: [noSpaces(OFFICIAL), noSpaces(OFFICIAL)],
    seat: 0,
    runners: noSpaces(OFFICIAL),
    dice: [],
  };
}

/** @param {number[]} lengths */
function noSpaces(lengths) {
  return lengths.map(() => 0);
}

/**
 * What a text says; null where it is not one that can be drawn. Whether a game can come to it is
 * for the server to say.
 * @param {string} text
 * @returns {Position | null}
 */
export function parsePosition(text) {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== 5) return null;
  const [rules, tokens, seat, runners, dice] = fields;
  const given = new Map(
    rules.split(",").map((part) => /** @type {[string, string]} */ (part.split("="))),
  );
  const lengths = given.get("lengths")?.split(".").map(Number) ?? OFFICIAL;
  const sharing = /** @type {Sharing} */ (given.get("sharing") ?? "free");
  const players = Number(given.get("players") ?? 2);
  const read = tokens.split("/").map((spaces) => parseSpaces(spaces, lengths));
  const running = parseSpaces(runners, lengths);
  const faces = dice === "-" ? [] : (dice.includes("-") ? dice.split("-") : [...dice]).map(Number);
  const sound =
    lengths.length % 2 === 1 &&
    lengths.length <= 41 &&
    lengths.every((length) => length >= 1 && length <= 99) &&
    ["free", "no-rest", "leapfrog"].includes(sharing) &&
    players >= 1 &&
    players <= 4 &&
    read.length === players &&
    read.every(Boolean) &&
    running &&
    [0, 4].includes(faces.length) &&
    faces.every((face) => face >= 1 && face <= (lengths.length + 1) / 2);
  const turn = seat.startsWith("start:") ? 1 : Number(seat);
  if (!sound || !(turn >= 1 && turn <= players)) return null;
  return {
    win: Number(given.get("win") ?? 3),
    early: given.has("early"),
    sharing,
    start: given.get("start") ?? "first-seat",
    lengths,
    most: Number(given.get("runners") ?? 3),
    tokens: /** @type {number[][]} */ (read),
    seat: turn - 1,
    runners: running,
    dice: faces,
  };
}

/**
 * @param {string} text such as `6:2,7:1`
 * @param {number[]} lengths
 */
function parseSpaces(text, lengths) {
  const spaces = noSpaces(lengths);
  if (text === "-") return spaces;
  for (const part of text.split(",")) {
    const found = /^(\d{1,2}):(\d{1,2})$/.exec(part);
    const index = Number(found?.[1]) - 2;
    if (!found || !(index in spaces)) return null;
    spaces[index] = Number(found[2]);
  }
  return spaces;
}

/**
 * The canonical text.
 * @param {Position} position
 */
export function positionText(position) {
  const { tokens, seat, runners, dice, lengths } = position;
  const joint = lengths.length > 17 ? "-" : "";
  const thrown = dice.length === 4 ? [...dice].sort((a, b) => a - b).join(joint) : "-";
  const placed = tokens.map(spacesText).join("/");
  return `${rulesText(position)} ${placed} ${seat + 1} ${spacesText(runners)} ${thrown}`;
}

/** @param {Position} position */
function rulesText({ tokens, win, early, sharing, start, lengths, most }) {
  return [
    "v1",
    `players=${tokens.length}`,
    win !== 3 && `win=${win}`,
    early && "early",
    sharing !== "free" && `sharing=${sharing}`,
    start !== "first-seat" && `start=${start}`,
    lengths.join() !== OFFICIAL.join() && `lengths=${lengths.join(".")}`,
    most !== 3 && `runners=${most}`,
  ]
    .filter(Boolean)
    .join();
}

/** @param {number[]} spaces */
function spacesText(spaces) {
  return spaces.flatMap((space, at) => (space ? [`${at + 2}:${space}`] : [])).join() || "-";
}

/**
 * With a token of a seat on a space of a column, or on none. Who wins a column has it alone.
 * @param {Position} position
 * @param {number} seat
 * @param {number} index  of the column, from 0
 * @param {number} space  0 for none
 * @returns {Position}
 */
export function withToken(position, seat, index, space) {
  const wins = space === position.lengths[index];
  const tokens = position.tokens.map((spaces, at) => {
    if (at === seat) return spaces.with(index, space);
    return wins || spaces[index] === position.lengths[index] ? spaces.with(index, 0) : spaces;
  });
  const runners = wins ? position.runners.with(index, 0) : position.runners;
  return { ...position, tokens, runners };
}

/**
 * @param {Position} position
 * @param {number} index
 * @param {number} space  0 for none
 * @returns {Position}
 */
export function withRunner(position, index, space) {
  return { ...position, runners: position.runners.with(index, space) };
}

/**
 * @param {Position} position
 * @param {number} players
 * @returns {Position}
 */
export function withPlayers(position, players) {
  const tokens = Array.from(
    { length: players },
    (_, seat) => position.tokens[seat] ?? noSpaces(position.lengths),
  );
  return { ...position, tokens, seat: Math.min(position.seat, players - 1) };
}

/**
 * What a board draws.
 * @param {Position} position
 * @returns {View}
 */
export function viewOf({ lengths, tokens, seat, runners }) {
  const owners = lengths.map((length, index) => {
    const owner = tokens.findIndex((spaces) => spaces[index] === length);
    return owner < 0 ? null : owner;
  });
  return /** @type {View} */ ({ lengths, tokens, seat, runners, owners });
}

/**
 * A position as the board and the buttons of a turn draw it.
 * @param {string} text
 * @param {string[]} [moves]  the moves to choose from
 * @returns {View}
 */
export function viewAt(text, moves = []) {
  const position = parsePosition(text);
  if (!position) throw new Error(`no position: ${text}`);
  const dice = position.dice.length ? position.dice : null;
  const running = position.runners.some(Boolean);
  const view = viewOf(position);
  return {
    ...view,
    position: text,
    dice,
    phase: gameAt(text).winners ? "over" : dice ? "move" : running ? "choice" : "roll",
    may_stop: running && !dice,
    stop_reason: null,
    shared: [],
    bust_chance: null,
    splits: dice ? splitsOf(dice) : [],
    moves: moves.map((move) => ({ move, runners: runnersAfter(text, move) })),
  };
}

/**
 * Where the runners stand after a move, by the rules of `web/verify`.
 * @param {string} text
 * @param {string} move
 */
function runnersAfter(text, move) {
  const game = gameAt(text);
  game.move(move.split("+").map(Number));
  return game.runners.slice(2);
}

/**
 * @param {number[]} dice
 * @returns {[number, number][]}
 */
function splitsOf([a, b, c, d]) {
  return [pair(a + b, c + d), pair(a + c, b + d), pair(a + d, b + c)];
}

/**
 * @param {number} one
 * @param {number} other
 * @returns {[number, number]}
 */
function pair(one, other) {
  return [Math.min(one, other), Math.max(one, other)];
}

/**
 * The seats of a position, which have no names.
 * @param {Position} position
 * @returns {import("../net/state.js").Seat[]}
 */
export function seatsOf({ tokens }) {
  return tokens.map((_, colour) => ({
    kind: "human",
    name: null,
    colour,
    bot: null,
    present: true,
    substitute: null,
  }));
}
