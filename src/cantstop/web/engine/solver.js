/** Turns solved by the module, against the evaluator that is best for a game: what Python's engine does. */

import { Game } from "./game.js";
import { AHEAD, TooLarge } from "./module.js";

/** Memory that a turn may take to be solved; the official board needs a fifth of it. */
const MOST_BYTES = 100 << 20;
/** What a state takes at most, and besides for each column; and what a split takes for each set. */
const STATE_BYTES = 150;
const SPACE_BYTES = 14;
const SPLIT_BYTES = 90;
/** Sets of columns are bits of a number here. */
const MOST_COLUMNS = 29;

/** @typedef {import("./game.js").Position} Position */
/** @typedef {import("./notation.js").Rules} Rules */
/** @typedef {Record<string, Record<string, {rms: number, within_99: number}>>} Errors */

/**
 * What estimates the rest of a game: the numbers of a network or of the race model.
 * @typedef {object} Evaluator
 * @property {string} name
 * @property {string} use  the module's function that takes it
 * @property {number[]} sizes
 * @property {Errors} errors  how far it is from the truth, by rules and stage
 * @property {Uint8Array} data
 */

/** A game whose turns can be solved; it has one solved turn at a time. */
export class SolvedGame extends Game {
  /** @type {{key: string, roots: number[]} | null} */
  #solved = null;

  /**
   * @param {WebAssembly.Module} module
   * @param {Rules} rules
   * @param {Evaluator} evaluator
   */
  constructor(module, rules, evaluator) {
    checkSize(rules);
    super(module, rules);
    this.evaluator = evaluator;
    this.engine.use(evaluator.use, evaluator.data, evaluator.sizes);
  }

  /**
   * Have the turn of a position solved, as far as it can still come, or all of it.
   * @param {Position} position
   * @param {boolean} whole
   */
  solve(position, whole = false) {
    const roots = rootsOf(position);
    const key = JSON.stringify([position.tokens, position.seat]);
    const known = this.#solved;
    if (known?.key === key && roots.every((out) => known.roots.some((root) => covers(root, out))))
      return;
    this.#solved = null;
    this.put(position);
    this.engine.solve(whole);
    this.#solved = { key, roots: whole ? [0] : roots };
  }

  /**
   * What can be done in a position, and what it is worth to whoever decides.
   * @param {Position} position
   */
  look(position) {
    this.solve(position);
    this.put(position);
    return this.engine.look();
  }

  /**
   * The same runners before a roll.
   * @param {Position} position
   */
  lookWithoutDice(position) {
    this.solve(position);
    this.put(position);
    this.engine.write("position", { move_count: 0 });
    return this.engine.look();
  }

  /**
   * What a position is worth to every seat, and the chance that the turn ends in a bust.
   * @param {Position} position
   * @param {keyof typeof AHEAD} how
   * @returns {{worths: number[], bust: number}}
   */
  ahead(position, how) {
    this.solve(position);
    this.put(position);
    if (position.phase === "bust") {
      const start = this.place({ ...position, runners: position.runners.map(() => 0), dice: null });
      if (start) this.put(start);
      return { worths: this.engine.lookAhead(AHEAD.stop).worths, bust: 1 };
    }
    if (how !== "best") this.engine.write("position", { move_count: 0 });
    return this.engine.lookAhead(AHEAD[how]);
  }

  /**
   * What is the mover's, and for two what is the other's: a game is worth 1 in all.
   * @param {Position} position
   * @param {number} worth
   */
  sharedOut({ seat }, worth) {
    if (this.rules.players === 1) return [worth];
    return seat === 0 ? [worth, 1 - worth] : [1 - worth, worth];
  }

  /**
   * What a position is worth to every seat if the mover goes on at their best.
   * @param {Position} position
   */
  worths(position) {
    if (this.rules.players > 2) return this.ahead(position, "best").worths;
    const { bust, value } = this.look(position);
    return this.sharedOut(position, position.phase === "bust" ? bust : value);
  }

  /**
   * What every distinct roll would bring.
   * @param {Position} position
   */
  rolls(position) {
    this.solve(position);
    this.put(position);
    return this.engine.lookAtRolls();
  }
}

/**
 * The columns with runners after each legal move, or those there are, as bits.
 * @param {Position} position
 */
function rootsOf({ runners, moves }) {
  const out = runners.reduce((bits, space, at) => (space ? bits | (1 << (at + 2)) : bits), 0);
  return moves.length
    ? moves.map((move) => move.reduce((bits, column) => bits | (1 << column), out))
    : [out];
}

/**
 * @param {number} root
 * @param {number} out
 */
function covers(root, out) {
  return (out & root) === root;
}

/** @param {Rules} rules */
function checkSize({ lengths, runners }) {
  const ways = [1, ...Array(runners).fill(0)];
  for (const length of lengths)
    for (let out = runners; out > 0; out -= 1) ways[out] += ways[out - 1] * length;
  const states = sum(ways);
  let sets = 0;
  for (let out = 0, chosen = 1; out <= runners; out += 1) {
    sets += chosen;
    chosen = (chosen * (lengths.length - out)) / (out + 1);
  }
  const splits = (lengths.length * (lengths.length + 1)) / 2;
  const needed =
    states * (STATE_BYTES + SPACE_BYTES * lengths.length) + sets * splits * SPLIT_BYTES;
  if (needed > MOST_BYTES || lengths.length > MOST_COLUMNS) throw new TooLarge();
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((all, number) => all + number, 0);
}
