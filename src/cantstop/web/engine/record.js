/**
 * The text of a record (docs/notation.md) read as `record/read.py` reads it, and replayed by the
 * module's rules. What is wrong with a text is not said here: a server has the sentence.
 */

import { Illegal } from "./game.js";
import { Impossible } from "./games.js";
import { readDice, readPosition, readRules } from "./notation.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./game.js").Position} Position */

/**
 * What a game's own event says.
 * @typedef {{kind: "rolled", dice: number[]} | {kind: "moved", move: number[]} |
 *   {kind: "stopped"} | {kind: "busted"}} Played
 */

/**
 * @typedef {object} Head
 * @property {import("./notation.js").Rules} rules
 * @property {import("./notation.js").Placed | null} placed  where it does not start with an empty board
 * @property {string[]} names
 * @property {string | null} ended
 * @property {number[]} resigned
 * @property {Word[]} words  of the turns
 */

/**
 * A word of the turns; nothing follows the last one, not even a line's end: it may have lost its tail.
 * @typedef {{text: string, last: boolean}} Word
 */

/** A text that is not a record. */
export class BadRecord extends Impossible {}
/** A text that ends too early: what stands before counts. */
class CutOff extends Error {}

const HEADER = /^\[([A-Za-z]+[1-9]?) "((?:[^"\\]|\\["\\])*)"\]\s*$/;
const KNOWN =
  /^(Cantstop|Rules|Position|Edition|Date|Ended|Hints|Resigned|Dice|Seed|Day|Table|Scheme|Redraws|Lost|Commitment[1-4]?|Secret|Seat[1-4]|Salt[1-4]|Since[1-4])$/;
const SIGN = /(?<![!?])(!!|\?\?|!\?|\?!|!|\?)$/;
const LONGEST = 60;
const RESULTS = ["*", "won", "shared"];

/**
 * @param {string} text
 * @returns {Head}
 */
export function readHead(text) {
  const lines = text.replace(/^\ufeff/, "").match(/[^\n]*\n|[^\n]+/g) ?? [];
  /** @type {Map<string, string>} */
  const headers = new Map();
  /** @type {Word[]} */
  const words = [];
  for (const line of lines) {
    if (line.startsWith("[") && !words.length) {
      if (!addHeader(headers, line) && (line.endsWith("\n") || !headers.has("Rules")))
        throw new BadRecord(line);
      continue;
    }
    for (const found of line.replace(/#[^]*/, "").matchAll(/=|[^\s=]+/g))
      words.push({ text: found[0], last: found.index + found[0].length === line.length });
  }
  return { ...started(headers), ...seated(headers), words };
}

/**
 * @param {Map<string, string>} headers
 * @param {string} line
 */
function addHeader(headers, line) {
  const [, key, value] = HEADER.exec(line) ?? [];
  if (!KNOWN.test(key ?? "") || headers.has(key)) return false;
  headers.set(key, value.replace(/\\(.)/g, "$1"));
  return true;
}

/** @param {Map<string, string>} headers */
function started(headers) {
  const rules = headers.get("Cantstop") === "1" ? readRules(headers.get("Rules") ?? "?") : null;
  const given = headers.get("Position");
  const placed = given === undefined ? null : readPosition(given);
  if (!rules || (given !== undefined && placed?.rules.text !== rules.text))
    throw new BadRecord("start");
  return { rules, placed };
}

/** @param {Map<string, string>} headers */
function seated(headers) {
  const players = readRules(headers.get("Rules") ?? "")?.players ?? 0;
  const seats = Array.from({ length: players }, (_, seat) => seat);
  const ended = headers.get("Ended") ?? null;
  const listed = headers.get("Resigned")?.split(",") ?? [];
  const resigned = seats.filter((seat) => listed.includes(`${seat + 1}`));
  const beyond = [...headers.keys()].some((key) => Number(/^Seat(\d)/.exec(key)?.[1]) > players);
  const names = seats.map((seat) => headers.get(`Seat${seat + 1}`) ?? `Seat ${seat + 1}`);
  const sound = [...names, ended ?? "-"].every(isText) && resigned.length === listed.length;
  if (beyond || !sound || (ended === "resigned" && !resigned.length)) throw new BadRecord("seats");
  return { names, ended, resigned };
}

/** @param {string} text */
function isText(text) {
  return (
    /^[^\p{C}\p{Zl}\p{Zp}]+$/u.test(text) && Boolean(text.trim()) && [...text].length <= LONGEST
  );
}

/**
 * Where a record's game starts, and all that happened.
 * @param {Game} game
 * @param {Head} head
 * @returns {{start: Position, events: Played[]}}
 */
export function replayed(game, head) {
  const start = head.placed ? game.place(head.placed) : game.initial();
  if (!start) throw new BadRecord("position");
  const reader = new Reader(game, start, head.words);
  try {
    while (!reader.closed());
  } catch (error) {
    if (error instanceof CutOff) return { start, events: reader.events };
    const wrong = error instanceof Illegal || error instanceof BadRecord;
    if (wrong && reader.isLast) return { start, events: reader.events };
    throw wrong ? new BadRecord(String(error)) : error;
  }
  if (!reader.isDone) throw new BadRecord("more");
  return { start, events: reader.events };
}

/** Reads the turns of one record. */
class Reader {
  /**
   * @param {Game} game
   * @param {Position} position
   * @param {Word[]} words
   */
  constructor(game, position, words) {
    this.game = game;
    this.position = position;
    this.words = words;
    this.at = 0;
    this.turn = 1;
    this.headed = false;
    /** @type {Played[]} */
    this.events = [];
  }

  get isDone() {
    return this.at === this.words.length;
  }

  /** Whether the word that was read last may have lost its tail. */
  get isLast() {
    return this.words[this.at - 1]?.last ?? false;
  }

  next() {
    if (this.isDone) throw new CutOff();
    this.at += 1;
    return this.words[this.at - 1].text;
  }

  /** Read one step: whether it was the result that closes the record. */
  closed() {
    const word = this.next();
    if (RESULTS.includes(word)) return this.close(word);
    if (word === "start") this.rollOff();
    else if (!this.headed) this.head(word);
    else if (word === "=") this.use(this.next().replace(SIGN, ""));
    else if (word.replace(SIGN, "") === "stop") this.endTurn({ kind: "stopped" });
    else this.push({ kind: "rolled", dice: diceOf(word.replace(SIGN, "")) });
    return false;
  }

  /** @param {Played} event */
  push(event) {
    if (this.isLast) throw new CutOff(); // “2” may be what is left of “2+9”
    this.position = follow(this.game, this.position, event);
    this.events.push(event);
  }

  /** @param {Played} event */
  endTurn(event) {
    this.push(event);
    this.headed = false;
    this.turn += 1;
  }

  /** @param {string} word */
  head(word) {
    const { rollOff, winners, seat } = this.position;
    if (rollOff || winners || word !== `${this.turn}.` || this.next() !== `(${seat + 1})`)
      throw new BadRecord(word);
    this.headed = true;
  }

  rollOff() {
    const { rollOff } = this.position;
    if (!rollOff) throw new BadRecord("start");
    for (const seat of rollOff.contenders.slice(rollOff.sums.length)) {
      const [named, dice = ""] = this.next().split(":");
      if (named === "*") {
        this.at -= 1; // the game was left in the middle of the roll-off
        return;
      }
      if (named !== `${seat + 1}`) throw new BadRecord(named);
      this.push({ kind: "rolled", dice: diceOf(dice.replace(SIGN, "")) });
    }
  }

  /** @param {string} word */
  use(word) {
    if (word === "bust") this.endTurn({ kind: "busted" });
    else this.push({ kind: "moved", move: moveOf(word) });
  }

  /** @param {string} word */
  close(word) {
    const { winners } = this.position;
    const due = winners
      ? [winners.length > 1 ? "shared" : "won", ...winners.map((seat) => `${seat + 1}`)]
      : ["*"];
    const seats = word === "*" ? [] : due.slice(1).map(() => this.next());
    if ([word, ...seats].join() !== due.join()) throw new BadRecord(word);
    return true;
  }
}

/** @param {string} text */
function diceOf(text) {
  const dice = readDice(text);
  if (!dice) throw new BadRecord(text);
  return dice;
}

/** @param {string} text */
function moveOf(text) {
  return text
    .split("+")
    .map(Number)
    .sort((a, b) => a - b);
}

/**
 * The position after an event.
 * @param {Game} game
 * @param {Position} position
 * @param {Played} event
 * @returns {Position}
 */
export function follow(game, position, event) {
  switch (event.kind) {
    case "rolled":
      return game.roll(position, event.dice);
    case "moved":
      return game.move(position, event.move);
    case "stopped":
      return game.stop(position);
    default:
      return game.bust(position);
  }
}
