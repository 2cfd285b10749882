/**
 * The engine's module in JavaScript: the game, its bots and its solved turns, without a server. It
 * needs no page, so a worker can have it. docs/engine-module.md has what the module exports.
 */

const INTERFACE = 2;
const SECTION = "cantstop";
const ROLLED_DICE = 4;

/** How numbers of each kind are read from memory and written to it. */
const KINDS = {
  i1: { size: 1, get: "getInt8", set: "setInt8" },
  i2: { size: 2, get: "getInt16", set: "setInt16" },
  i4: { size: 4, get: "getInt32", set: "setInt32" },
  i8: { size: 8, get: "getBigInt64", set: "setBigInt64", wide: true },
  u8: { size: 8, get: "getBigUint64", set: "setBigUint64", wide: true },
  f8: { size: 8, get: "getFloat64", set: "setFloat64" },
};

/** What follows a position: best play, stopping at once, rolling at once. */
export const AHEAD = { best: 0, stop: 1, roll: 2 };

/** @typedef {Record<string, number | number[]>} Values of a record, those of an array in a row */
/** @typedef {Record<string, [keyof typeof KINDS, number, number]>} Fields kind, place, count */

/** A module that is damaged, or belongs to another version. */
export class BadModule extends Error {}

/** A turn for which the memory that an instance may have is not enough. */
export class TooLarge extends Error {}

/** What the module calls: it refuses a turn for which memory is not enough. */
const HOST = {
  host: {
    refuse() {
      throw new TooLarge();
    },
  },
};

/**
 * What a file of the module says of itself.
 * @param {WebAssembly.Module} module
 * @returns {{version: number, records: Record<string, Fields>}}
 */
function describe(module) {
  const [section] = WebAssembly.Module.customSections(module, SECTION);
  if (!section) throw new BadModule("no description");
  const told = JSON.parse(new TextDecoder().decode(section));
  if (told.version !== INTERFACE) throw new BadModule(`version ${told.version}`);
  return told;
}

/**
 * The module in a file, compiled once for all games.
 * @param {BufferSource} content
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compileModule(content) {
  try {
    const module = await WebAssembly.compile(content);
    describe(module);
    return module;
  } catch (error) {
    throw error instanceof BadModule ? error : new BadModule(String(error));
  }
}

/** An instance of the module: one game, one position, one solved turn at a time. */
export class GameEngine {
  /**
   * @param {WebAssembly.Module} module
   * @param {Values} rules
   */
  constructor(module, rules) {
    this.records = describe(module).records;
    /** @type {any} */
    this.exports = new WebAssembly.Instance(module, HOST).exports;
    this.write("rules", rules);
    this.players = Number(rules.players);
    this.exports.begin_game_of();
    /** The ways in which each roll can fall, all distinct rolls in order. */
    this.ways = this.read("rolls", ["ways"]).ways;
  }

  /** Memory may have moved since: it grows. */
  get memory() {
    return new DataView(this.exports.memory.buffer);
  }

  /**
   * Write fields of a record; arrays that are too short leave the rest as it is.
   * @param {string} record
   * @param {Values} values
   */
  write(record, values) {
    const begin = this.exports[`${record}_record`](),
      memory = /** @type {any} */ (this.memory);
    for (const [name, value] of Object.entries(values)) {
      const [kind, place] = this.records[record][name];
      const { size, set, wide } = /** @type {any} */ (KINDS[kind]);
      [value]
        .flat()
        .forEach((number, at) =>
          memory[set](begin + place + size * at, wide ? BigInt(number) : number, true),
        );
    }
  }

  /**
   * Some fields of a record.
   * @param {string} record
   * @param {string[]} [names] all of them, if none are given
   * @returns {Record<string, any>}
   */
  read(record, names = Object.keys(this.records[record])) {
    const begin = this.exports[`${record}_record`](),
      memory = /** @type {any} */ (this.memory);
    return Object.fromEntries(
      names.map((name) => {
        const [kind, place, count] = this.records[record][name];
        const { size, get } = KINDS[kind];
        const found = Array.from({ length: count }, (_, at) =>
          Number(memory[get](begin + place + size * at, true)),
        );
        return [name, count > 1 ? found : found[0]];
      }),
    );
  }

  /**
   * Fill a record with zeros.
   * @param {string} record
   */
  clear(record) {
    const fields = Object.values(this.records[record]);
    const size = Math.max(...fields.map(([kind, at, count]) => at + KINDS[kind].size * count));
    const begin = this.exports[`${record}_record`]();
    new Uint8Array(this.exports.memory.buffer, begin, size).fill(0);
  }

  /**
   * Estimate what follows a turn by a network; without one the game can be played, but not solved.
   * @param {string} name of the export that takes it
   * @param {Uint8Array} data
   * @param {number[]} sizes
   */
  use(name, data, sizes) {
    const address = this.exports.reserve_input(data.length);
    new Uint8Array(this.exports.memory.buffer).set(data, address);
    this.exports[name](address, ...sizes);
  }

  // The game, step by step

  /** @returns {number} a roll-off in which nobody has thrown yet */
  rollOff() {
    return (1 << this.players) - 1;
  }

  /**
   * The roll-off after the next throw of two dice.
   * @param {number} rollOff
   * @param {number} sum
   * @returns {number}
   */
  throwForStart(rollOff, sum) {
    return this.exports.throw_two_for_start(rollOff, sum);
  }

  /** @param {number} rollOff @returns {number | null} who has won it, if nobody is left to throw */
  starter(rollOff) {
    const seat = this.exports.starter(rollOff);
    return seat < 0 ? null : seat;
  }

  /** @param {number} seat that starts */
  begin(seat) {
    this.exports.begin_play(seat);
  }

  /** @param {number[]} dice @returns {number[][]} the columns of every legal move; none is a bust */
  roll(dice) {
    if (dice.length !== ROLLED_DICE) throw new RangeError("a roll has four dice");
    this.exports.throw_four(...dice);
    return this.legalMoves();
  }

  /** @returns {number[][]} */
  legalMoves() {
    const { move_count: count, moves } = this.read("position", ["move_count", "moves"]);
    return Array.from({ length: count }, (_, at) =>
      moves.slice(2 * at, 2 * at + 2).filter(Boolean),
    );
  }

  /** @param {number} move its number among the legal ones */
  move(move) {
    this.exports.play_move(move);
  }

  /** @returns {boolean} */
  get mayStop() {
    return Boolean(this.exports.stop_is_legal());
  }

  /** @returns {boolean} whether that ended the game */
  stop() {
    return Boolean(this.exports.play_stop());
  }

  bust() {
    this.exports.play_bust();
  }

  // What is worth what

  /**
   * Solve the turn of the position; the number of its states.
   * @param {boolean} whole everything that the turn can be, or what can still come of it
   * @returns {number}
   */
  solve(whole = false) {
    return this.exports.solve(Number(whole));
  }

  /** What can be done in the position of the solved turn. */
  look() {
    this.exports.look();
    return this.read("answer", ["bust", "stop", "again", "value", "moves", "stops", "stops_here"]);
  }

  /**
   * What the position is worth to every seat, and the chance that the turn ends in a bust.
   * @param {number} how one of AHEAD
   */
  lookAhead(how) {
    this.exports.look_ahead(how);
    const { worths, busts } = this.read("answer", ["worths", "busts"]);
    return { worths: worths.slice(0, this.players), bust: busts };
  }

  /** What every distinct roll would bring: its worth, the best move's columns, whether to stop. */
  lookAtRolls() {
    const count = this.exports.look_at_rolls(),
      memory = this.memory,
      worths = this.exports.roll_worths(),
      moves = this.exports.roll_moves();
    return Array.from({ length: count }, (_, roll) => ({
      ways: this.ways[roll],
      worth: memory.getFloat64(worths + 8 * roll, true),
      columns: [0, 1].map((part) => memory.getInt8(moves + 3 * roll + part)).filter(Boolean),
      stops: memory.getInt8(moves + 3 * roll + 2) !== 0,
    }));
  }

  // Who decides

  /**
   * What a level of the ladder does in the solved turn.
   * @param {Values} judgement
   * @returns {number} the number of a move, or whether to stop
   */
  judge(judgement) {
    this.write("judgement", judgement);
    const { move_count: count } = this.read("position", ["move_count"]);
    return count ? this.exports.judge_move() : this.exports.judge_press();
  }

  /**
   * What a simple bot does.
   * @param {Values} bot
   * @returns {number} the number of a move, or whether to stop
   */
  decide(bot) {
    this.write("bot", bot);
    const { move_count: count } = this.read("position", ["move_count"]);
    return count ? this.exports.bot_move() : this.exports.bot_stops();
  }
}
