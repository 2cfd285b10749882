/** The rules of the game, as far as replaying a record needs them. Independent of the server. */

import { splitsOf } from "../core/odds.js";
import { t } from "../words/i18n.js";

/** @typedef {import("../core/rules.js").Rules} Rules */
/** @typedef {import("../core/position.js").Position} Position */

/** What is wrong with a record, in one sentence for the player. */
export class RecordProblem extends Error {}

/** What cannot be checked before something is revealed. */
export class NotYet extends RecordProblem {}

/** A game in play; every method throws a RecordProblem where the rules forbid what it does. */
export class Game {
  turn = 1;
  seat = 0;
  /** @type {number[] | null} */
  dice = null;
  /** @type {{contenders: number[], sums: number[]} | null} */
  rollOff = null;

  /** @param {Rules} rules */
  constructor(rules) {
    this.rules = rules;
    /** by column number: the entries 0 and 1 are not used */
    this.tops = [0, 0, ...rules.lengths];
    this.sides = (rules.lengths.length + 1) / 2;
    this.tokens = Array.from({ length: rules.players }, () => this.tops.map(() => 0));
    this.runners = this.tops.map(() => 0);
    if (rules.start === "roll-off" && rules.players > 1) {
      this.rollOff = { contenders: this.tokens.map((_, seat) => seat), sums: [] };
    }
  }

  /** @param {number} column */
  owner(column) {
    return this.tokens.findIndex((spaces) => spaces[column] === this.tops[column]);
  }

  /** @returns {number[] | null} the winners, once the game is over */
  get winners() {
    const columns = this.rules.lengths.map((_, index) => this.owner(index + 2));
    const counts = this.tokens.map((_, seat) => columns.filter((owner) => owner === seat).length);
    const most = Math.max(...counts);
    if (most < this.rules.win && columns.includes(-1)) return null;
    return counts.flatMap((count, seat) => (count === most ? [seat] : []));
  }

  /** @param {number[]} dice */
  roll(dice) {
    const count = this.rollOff ? 2 : 4;
    const sound = dice.length === count && dice.every((die) => die >= 1 && die <= this.sides);
    if (this.winners || this.dice || !sound)
      throw new RecordProblem(t("This roll cannot happen here."));
    if (this.rollOff) this.#throwForStart(this.rollOff, dice[0] + dice[1]);
    else this.dice = dice;
  }

  /**
   * @param {{contenders: number[], sums: number[]}} rollOff
   * @param {number} sum
   */
  #throwForStart({ contenders, sums }, sum) {
    const all = [...sums, sum];
    this.rollOff = { contenders, sums: all };
    if (all.length < contenders.length) return;
    const best = contenders.filter((_, at) => all[at] === Math.max(...all));
    this.rollOff = best.length === 1 ? null : { contenders: best, sums: [] };
    this.seat = best[0];
  }

  /** @param {number[]} columns */
  move(columns) {
    const legal = this.moves().some((move) => move.join() === columns.join());
    if (!legal)
      throw new RecordProblem(
        t("The move {move} is not allowed here.", { move: columns.join("+") }),
      );
    for (const column of columns) this.runners[column] = this.#next(column);
    this.dice = null;
  }

  stop() {
    const resting = this.runners.some((space, column) => space && this.#opponentOn(column, space));
    const running = this.runners.some(Boolean);
    if (this.dice || !running || (this.rules.sharing === "no-rest" && resting)) {
      throw new RecordProblem(t("Stopping is not allowed here."));
    }
    this.runners.forEach((space, column) => {
      if (!space) return;
      const won = space === this.tops[column];
      this.tokens.forEach((spaces, seat) => {
        if (seat === this.seat) spaces[column] = space;
        else if (won) spaces[column] = 0;
      });
    });
    this.#endTurn();
  }

  bust() {
    if (!this.dice || this.moves().length)
      throw new RecordProblem(t("This is not a bust: there is a move."));
    this.#endTurn();
  }

  #endTurn() {
    this.dice = null;
    this.runners.fill(0);
    if (this.winners) return;
    this.turn += 1;
    this.seat = (this.seat + 1) % this.rules.players;
  }

  /** @returns {number[][]} the legal moves of the dice on the table (T2 to T6, V2) */
  moves() {
    if (!this.dice) return [];
    const found = splitsOf(this.dice).flatMap(([low, high]) => this.#uses(low, high));
    if (!this.rules.early) return found;
    const brought = found.map(
      (move) => new Set(move.filter((column) => !this.runners[column])).size,
    );
    return found.filter((_, at) => brought[at] === Math.max(...brought));
  }

  /** The runners that are still in hand. */
  #free() {
    return this.rules.most - this.runners.filter(Boolean).length;
  }

  /**
   * Whether a sum of this column can be used.
   * @param {number} column
   */
  isUseful(column) {
    return this.#steps(column) > 0 && (this.#free() > 0 || this.runners[column] > 0);
  }

  /**
   * @param {number} low
   * @param {number} high
   */
  #uses(low, high) {
    const usable = [low, high].filter((column) => this.isUseful(column));
    if (low === high) return usable.length ? [this.#steps(low) > 1 ? [low, low] : [low]] : [];
    if (usable.length < 2) return usable.map((column) => [column]);
    const rivals = this.#free() === 1 && usable.every((column) => !this.runners[column]);
    return rivals ? usable.map((column) => [column]) : [usable];
  }

  /** @param {number} column */
  #steps(column) {
    if (this.owner(column) >= 0) return 0;
    const from = this.runners[column] || this.tokens[this.seat][column];
    const spaces = Array.from({ length: this.tops[column] - from }, (_, at) => from + 1 + at);
    const jumped = (/** @type {number} */ space) =>
      this.rules.sharing === "leapfrog" && this.#opponentOn(column, space);
    return spaces.filter((space) => !jumped(space)).length;
  }

  /** @param {number} column */
  #next(column) {
    let space = (this.runners[column] || this.tokens[this.seat][column]) + 1;
    while (this.rules.sharing === "leapfrog" && this.#opponentOn(column, space)) space += 1;
    return space;
  }

  /**
   * @param {number} column
   * @param {number} space
   */
  #opponentOn(column, space) {
    return this.tokens.some((spaces, seat) => seat !== this.seat && spaces[column] === space);
  }
}

/**
 * A game that stands at a position.
 * @param {Position} position
 */
export function gameOf(position) {
  const game = new Game(position);
  game.tokens = position.tokens.map((spaces) => [0, 0, ...spaces]);
  game.runners = [0, 0, ...position.runners];
  if (!position.starting) {
    game.rollOff = null;
    game.seat = position.seat;
  }
  if (position.dice.length === 4) game.dice = position.dice;
  return game;
}
