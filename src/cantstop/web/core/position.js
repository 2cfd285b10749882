/** The text of positions (docs/notation.md), read and written in this one place. */

import { OFFICIAL, parseRules } from "./rules.js";

/** @typedef {import("./rules.js").Rules} Rules */

/**
 * @typedef {Rules & {
 *   tokens: number[][],
 *   seat: number,
 *   runners: number[],
 *   dice: number[],
 *   starting: boolean,
 * }} Position  tokens by seat, then by column from 2 on; up to four dice, of which only four are a
 * roll; `starting` while it is thrown for who starts
 */

/** @returns {Position} */
export function emptyPosition() {
  const rules = parseRules("v1,players=2");
  const spaces = noSpaces(rules.lengths);
  const tokens = [spaces, spaces];
  return { ...rules, tokens, seat: 0, runners: spaces, dice: [], starting: false };
}

/** @param {number[]} lengths */
export function noSpaces(lengths) {
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
  const rules = parseRules(fields[0]);
  const { players, lengths } = rules;
  const tokens = fields[1].split("/").map((spaces) => parseSpaces(spaces, lengths));
  const starting = fields[2].startsWith("start:");
  const turn = starting ? 1 : Number(fields[2]);
  const runners = parseSpaces(fields[3], lengths);
  const dice = fields[4] === "-" ? [] : parseDice(fields[4]);
  const sound =
    isBoard(lengths) &&
    ["free", "no-rest", "leapfrog"].includes(rules.sharing) &&
    players >= 1 &&
    players <= 4 &&
    tokens.length === players &&
    [0, 4].includes(dice.length) &&
    dice.every((face) => face >= 1 && face <= (lengths.length + 1) / 2) &&
    turn >= 1 &&
    turn <= players;
  if (!sound || !runners || !tokens.every((spaces) => spaces !== null)) return null;
  return { ...rules, tokens, seat: turn - 1, runners, dice, starting };
}

/**
 * What a text of the server's says, which is a position.
 * @param {string} text
 */
export function readPosition(text) {
  const position = parsePosition(text);
  if (!position) throw new Error(`no position: ${text}`);
  return position;
}

/** @param {number[]} lengths */
function isBoard(lengths) {
  return (
    lengths.length % 2 === 1 &&
    lengths.length <= 41 &&
    lengths.every((length) => length >= 1 && length <= 99)
  );
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
 * The faces in a text such as `1236`, or `1-12-3-6` where dice have more than nine sides.
 * @param {string} text
 */
export function parseDice(text) {
  return (text.includes("-") ? text.split("-") : [...text]).map(Number);
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
