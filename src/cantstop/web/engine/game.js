/**
 * A game by the module's rules: positions, and what each event turns them into. Nothing here knows a
 * rule: the module is asked what is legal and what follows.
 */

import { GameEngine } from "./module.js";
import { positionText, rulesValues } from "./notation.js";

const FIRST_COLUMN = 2;
const SEAT_BITS = 4;
const SEATS = (1 << SEAT_BITS) - 1;

/** @typedef {import("./notation.js").Rules} Rules */
/** @typedef {import("./notation.js").Placed} Placed */

/**
 * Everything that decides what may happen next.
 * @typedef {Placed & Derived} Position
 * @typedef {object} Derived
 * @property {"start" | "roll" | "move" | "choice" | "bust" | "over"} phase
 * @property {number[][]} moves  the columns of every legal move
 * @property {boolean} mayStop
 * @property {number[]} won  how many columns each seat has
 * @property {number[] | null} winners  once the game is over
 * @property {boolean} noneOpen  whether no column is open any more
 * @property {number} throws  the module's own number for a roll-off
 * @property {Uint8Array} record  as the module has it
 */

/** What cannot happen in a position. */
export class Illegal extends Error {}

/** Plays games by one set of rules. */
export class Game {
  /**
   * @param {WebAssembly.Module} module
   * @param {Rules} rules
   */
  constructor(module, rules) {
    this.rules = rules;
    this.engine = new GameEngine(module, rulesValues(rules));
    this.falls = rules.sides ** 4;
    const { position } = this.engine.records;
    const ends = Object.values(position).map(([kind, at, count]) => at + Number(kind[1]) * count);
    this.size = Math.max(...ends);
    this.wide = position.runners[2];
  }

  /**
   * Before anything has happened.
   * @param {number} first  the seat that starts where the youngest does
   * @returns {Position}
   */
  initial(first = 0) {
    this.engine.begin(first);
    const { players, start } = this.rules;
    const all = Array.from({ length: players }, (_, seat) => seat);
    const contested = start === "roll-off" && players > 1;
    return this.#read(null, contested ? { contenders: all, sums: [] } : null, (1 << players) - 1);
  }

  /**
   * A position from outside.
   * @param {Placed} placed
   * @returns {Position | null}  null where no game can come to it
   */
  place({ tokens, seat, runners, dice, rollOff }) {
    const { engine } = this;
    engine.begin(seat);
    const wide = this.wide;
    const rows = tokens.flatMap((spaces) => [
      0,
      0,
      ...spaces,
      ...Array(wide - spaces.length - FIRST_COLUMN).fill(0),
    ]);
    engine.write("position", { tokens: rows, runners: [0, 0, ...runners] });
    const touched = rows.some(Boolean) || runners.some(Boolean);
    if ((rollOff && touched) || !engine.exports.complete_position()) return null;
    if (dice && engine.exports.game_winners()) return null;
    if (dice) engine.roll(dice);
    return this.#read(dice, rollOff, rollOff ? this.#throwsOf(rollOff) : 0);
  }

  /** @param {{contenders: number[], sums: number[]}} rollOff */
  #throwsOf({ contenders, sums }) {
    const { exports } = this.engine;
    const all = contenders.reduce((bits, seat) => bits | (1 << seat), 0);
    return sums.reduce((bits, sum) => exports.throw_two_for_start(bits, sum), all);
  }

  /**
   * Make a position the module's.
   * @param {Position} position
   */
  put({ record }) {
    const { exports } = this.engine;
    new Uint8Array(exports.memory.buffer).set(record, exports.position_record());
  }

  /**
   * @param {Position} position
   * @param {number[]} dice  as they fell
   * @returns {Position}
   */
  roll(position, dice) {
    const count = position.rollOff ? 2 : 4;
    const fit = dice.length === count && dice.every((die) => die >= 1 && die <= this.rules.sides);
    if (!["start", "roll", "choice"].includes(position.phase) || !fit) throw new Illegal("roll");
    if (position.rollOff) return this.#throwForStart(position, position.rollOff, dice);
    this.put(position);
    this.engine.roll(dice);
    return this.#read(
      dice.toSorted((a, b) => a - b),
      null,
    );
  }

  /**
   * @param {Position} position
   * @param {{contenders: number[], sums: number[]}} rollOff
   * @param {number[]} dice
   * @returns {Position}
   */
  #throwForStart(position, { contenders, sums }, [one, other]) {
    const { exports } = this.engine;
    const after = exports.throw_two_for_start(position.throws, one + other);
    const waiting = after & SEATS;
    if (!waiting) return this.#started(exports.starter(after));
    const again = after >> SEAT_BITS === 0;
    const rollOff = again
      ? { contenders: contenders.filter((seat) => (waiting >> seat) & 1), sums: [] }
      : { contenders, sums: [...sums, one + other] };
    return { ...position, seat: rollOff.contenders[rollOff.sums.length], rollOff, throws: after };
  }

  /** @param {number} seat that has won the roll-off */
  #started(seat) {
    this.engine.begin(seat);
    return this.#read(null, null);
  }

  /**
   * @param {Position} position
   * @param {number[]} move  its columns
   * @returns {Position}
   */
  move(position, move) {
    const number = position.moves.findIndex((legal) => legal.join() === move.join());
    if (number < 0) throw new Illegal("move");
    this.put(position);
    this.engine.move(number);
    return this.#read(null, null);
  }

  /**
   * @param {Position} position
   * @returns {Position}
   */
  stop(position) {
    if (!position.mayStop) throw new Illegal("stop");
    this.put(position);
    this.engine.stop();
    return this.#read(null, null);
  }

  /**
   * @param {Position} position
   * @returns {Position}
   */
  bust(position) {
    if (position.phase !== "bust") throw new Illegal("bust");
    this.put(position);
    this.engine.bust();
    return this.#read(null, null);
  }

  /**
   * In how many of all falls of the dice the next roll would be a bust.
   * @param {Position} position
   */
  busts(position) {
    this.put(position);
    return this.engine.exports.busts_of_next_roll();
  }

  /**
   * The module's position as a value.
   * @param {number[] | null} dice
   * @param {Placed["rollOff"]} rollOff
   * @param {number} throws
   * @returns {Position}
   */
  #read(dice, rollOff, throws = 0) {
    const { engine, rules } = this;
    const { exports } = engine;
    const names = ["seat", "move_count", "moves", "won", "tokens", "runners", "out", "open"];
    const found = engine.read("position", names);
    const columns = rules.lengths.length;
    const spaces = (/** @type {number} */ from) =>
      found.tokens.slice(from + FIRST_COLUMN, from + FIRST_COLUMN + columns);
    const moves = dice ? engine.legalMoves() : [];
    const winning = exports.game_winners();
    const all = Array.from({ length: rules.players }, (_, seat) => seat);
    const winners = winning ? all.filter((seat) => (winning >> seat) & 1) : null;
    const begin = exports.position_record();
    return {
      rules,
      tokens: all.map((seat) => spaces(seat * this.wide)),
      seat: rollOff ? rollOff.contenders[rollOff.sums.length] : found.seat,
      runners: found.runners.slice(FIRST_COLUMN, FIRST_COLUMN + columns),
      dice,
      rollOff,
      phase: phaseOf(winners, dice, moves, rollOff, found.out),
      moves,
      mayStop: !winners && !dice && !rollOff && engine.mayStop,
      won: found.won.slice(0, rules.players),
      winners,
      noneOpen: found.open === 0,
      throws,
      record: new Uint8Array(exports.memory.buffer).slice(begin, begin + this.size),
    };
  }

  /** @param {Position} position */
  text(position) {
    return positionText(position);
  }
}

/**
 * @param {number[] | null} winners
 * @param {number[] | null} dice
 * @param {number[][]} moves
 * @param {Placed["rollOff"]} rollOff
 * @param {number} out  the columns with a runner, as bits
 * @returns {Position["phase"]}
 */
function phaseOf(winners, dice, moves, rollOff, out) {
  if (winners) return "over";
  if (dice) return moves.length ? "move" : "bust";
  if (rollOff) return "start";
  return out ? "choice" : "roll";
}
