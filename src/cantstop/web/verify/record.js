/** Reads a record (docs/notation.md) and replays its game under its rules. */

import { parseDice, parsePosition } from "../core/position.js";
import { parseRules } from "../core/rules.js";
import { Game, gameOf, RecordProblem } from "./game.js";
import { t } from "../words/i18n.js";

/**
 * @typedef {object} Record
 * @property {Map<string, string>} headers
 * @property {number[][]} rolls
 * @property {Place[]} places  of each roll
 * @property {Game} game  as it stands at the end
 */

/**
 * Where a roll was: its turn, its place in it, the seat, and whether it was a throw for the start.
 * @typedef {{turn: number, roll: number, seat: number, start: boolean}} Place
 */

/** @typedef {{text: string, line: number}} Word */

/** A sign of annotation behind dice, a move, “stop” or “bust”; it changes nothing in the game. */
const SIGN = /(?<=[\dpt])(!!|!|!\?|\?!|\?|\?\?)$/;

/**
 * @param {string} text
 * @returns {Record}
 */
export function readRecord(text) {
  /** @type {Map<string, string>} */
  const headers = new Map();
  /** @type {Word[]} */
  const words = [];
  text.split(/\r?\n/).forEach((content, at) => {
    if (content.startsWith("[") && !words.length) readHeader(headers, content, at + 1);
    else
      for (const [word] of content.replace(/#.*/, "").matchAll(/=|[^\s=]+/g))
        words.push({ text: word.replace(SIGN, ""), line: at + 1 });
  });
  if (headers.get("Cantstop") !== "1" || !headers.has("Rules")) {
    throw new RecordProblem(t("This is not a Can’t Stop record."));
  }
  const game = startOf(headers);
  return { headers, ...replay(game, words), game };
}

/**
 * @param {Map<string, string>} headers
 * @param {string} content
 * @param {number} line
 */
function readHeader(headers, content, line) {
  const found = /^\[([A-Za-z]+[1-9]?) "((?:[^"\\]|\\["\\])*)"\]\s*$/.exec(content);
  if (!found || headers.has(found[1])) throw problemAt(line, t("This line cannot be read."));
  headers.set(found[1], found[2].replace(/\\(.)/g, "$1"));
}

/** @param {Map<string, string>} headers */
function startOf(headers) {
  const text = headers.get("Position");
  if (text === undefined) return new Game(parseRules(headers.get("Rules") ?? ""));
  const position = parsePosition(text);
  if (!position) throw new RecordProblem(t("This line cannot be read."));
  return gameOf(position);
}

/**
 * @param {Game} game
 * @param {Word[]} words
 * @returns {Pick<Record, "rolls" | "places">} every roll, those for the start included
 */
function replay(game, words) {
  /** @type {number[][]} */
  const rolls = [];
  /** @type {Place[]} */
  const places = [];
  let headed = false;
  /**
   * @param {string} dice
   * @param {number} seat
   */
  const roll = (dice, seat) => {
    const before = places.at(-1);
    const number = before?.turn === game.turn ? before.roll + 1 : 1;
    places.push({ turn: game.turn, roll: number, seat, start: game.rollOff !== null });
    rolls.push(diceOf(dice));
    game.roll(diceOf(dice));
  };
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i].text;
    try {
      if (["*", "won", "shared"].includes(word)) {
        close(
          game,
          words.slice(i).map((each) => each.text),
        );
        return { rolls, places };
      }
      if (word === "start") i = throwForStart(game, words, i, roll);
      else if (!headed) {
        head(game, word, words[(i += 1)]?.text);
        headed = true;
      } else if (word === "stop") {
        game.stop();
        headed = false;
      } else if (word === "=") {
        i += 1;
        headed = use(game, words[i]?.text ?? "");
      } else roll(word, game.seat);
    } catch (error) {
      throw error instanceof RecordProblem
        ? problemAt(words[Math.min(i, words.length - 1)].line, error.message)
        : error;
    }
  }
  throw new RecordProblem(t("The record is cut off: it has no result."));
}

/**
 * @param {Game} game
 * @param {Word[]} words
 * @param {number} from  the place of the word “start”
 * @param {(dice: string, seat: number) => void} roll
 */
function throwForStart(game, words, from, roll) {
  let i = from;
  for (const seat of game.rollOff?.contenders ?? []) {
    const [named, dice] = (words[i + 1]?.text ?? "").split(":");
    if (named === "*") break;
    i += 1;
    if (named !== String(seat + 1)) throw new RecordProblem(t("Somebody else should throw here."));
    roll(dice, seat);
  }
  if (i === from) throw new RecordProblem(t("This roll cannot happen here."));
  return i;
}

/**
 * @param {Game} game
 * @param {string} number
 * @param {string | undefined} seat
 */
function head(game, number, seat) {
  if (game.winners || game.rollOff || number !== `${game.turn}.` || seat !== `(${game.seat + 1})`) {
    throw new RecordProblem(t("Another turn should begin here."));
  }
}

/**
 * Returns whether the turn goes on.
 * @param {Game} game
 * @param {string} word
 */
function use(game, word) {
  if (word === "bust") {
    game.bust();
    return false;
  }
  game.move(word.split("+").map(Number));
  return true;
}

/**
 * @param {Game} game
 * @param {string[]} said
 */
function close(game, said) {
  const { winners } = game;
  const due = winners
    ? [winners.length === 1 ? "won" : "shared", ...winners.map((seat) => String(seat + 1))]
    : ["*"];
  if (said.join(" ") !== due.join(" "))
    throw new RecordProblem(t("The result is not the one that the game gives."));
}

/** @param {string | undefined} text */
function diceOf(text) {
  if (!text || !/^(\d+|\d+(-\d+)+)$/.test(text))
    throw new RecordProblem(t("This line cannot be read."));
  return parseDice(text);
}

/**
 * @param {number} line
 * @param {string} message
 */
function problemAt(line, message) {
  return new RecordProblem(t("Line {line}: {problem}", { line, problem: message }));
}
