/**
 * A game looked at again, as `review/game.py` does it: what every decision gave away, and what every
 * roll changed. The same sums in the same order give the same numbers; what is said of them in words
 * is for the page.
 */

import { gradeOf } from "../core/grades.js";
import { errorOf, finalWorths, optionsOf, worthsBeforeStart } from "./analysis.js";
import { filesIndex } from "./files.js";
import { solvedGame } from "./games.js";
import { playedLike } from "./played-like.js";
import { follow, readHead, replayed } from "./record.js";

/** @typedef {import("./game.js").Position} Position */
/** @typedef {import("./record.js").Played} Played */
/** @typedef {import("./solver.js").SolvedGame} SolvedGame */
/** @typedef {import("../net/protocol.js").ReviewAnswer} ReviewAnswer */
/** @typedef {import("../net/protocol.js").PlayView} PlayView */
/** @typedef {import("../net/protocol.js").SeatReviewView} SeatReviewView */
/** @typedef {import("../net/protocol.js").RollLuckView} Roll */
/** @typedef {import("../net/protocol.js").DriftView} Drift */
/** @typedef {import("../net/protocol.js").MomentView} Moment */

/**
 * Why a decision was an error: the chance that the next roll is a bust, here, or after the move that
 * was chosen and after the best one; and whether stopping would have won. Or why it was none to be
 * proud of: it was a roll that cannot bust, `safe`.
 * @typedef {{busts: number[], wins: boolean, safe?: boolean}} Why
 */

/** @typedef {Omit<import("../net/protocol.js").DecisionView, "why"> & {why: Why | null}} Decision */

/**
 * A review without its sentences, and what they need besides.
 * @typedef {Omit<ReviewAnswer, "headline" | "verdict" | "story" | "decisions"> & {
 *   decisions: Decision[], over: boolean, resigned: number[]}} Facts
 */

const POINTS = 5;
const GRADES = /** @type {const} */ (["best", "fine", "inaccuracy", "mistake", "blunder"]);

/**
 * The review of a record.
 * @param {import("./tasks.js").Control} control
 * @param {string} text
 * @param {number[]} numbers  of the table's event at each moment, where there is a table
 * @returns {Promise<Facts>}
 */
export async function reviewRecord({ signal, progress }, text, numbers) {
  const head = readHead(text);
  const game = await solvedGame(head.rules);
  const { start, events } = replayed(game, head);
  const reviewer = new Reviewer(game, start);
  for (const [at, event] of events.entries()) {
    progress(at / events.length);
    await breathe();
    signal.throwIfAborted();
    reviewer.take(event);
  }
  const { played_like: curve } = await filesIndex();
  const { winners } = reviewer.position;
  const left = head.names.flatMap((_, seat) => (head.resigned.includes(seat) ? [] : [seat]));
  const given = head.ended === "resigned" && left.length === 1 ? left : null;
  return {
    rules: head.rules.text,
    names: head.names,
    winners: winners ?? given,
    over: winners !== null,
    resigned: head.resigned,
    ...reviewer.found(head.names, numbers, curve),
  };
}

const breath = new MessageChannel();
/** @type {(() => void)[]} */
const breathing = [];
breath.port1.onmessage = () => breathing.shift()?.();

/** A moment in which the worker hears of the page. Timers would wait for milliseconds, and a game has hundreds of events. */
function breathe() {
  return /** @type {Promise<void>} */ (
    new Promise((done) => {
      breathing.push(done);
      breath.port2.postMessage(null);
    })
  );
}

/** Goes through a game event by event, and books every change of the win chances. */
class Reviewer {
  /**
   * @param {SolvedGame} game
   * @param {Position} start
   */
  constructor(game, start) {
    this.game = game;
    this.solo = game.rules.players === 1;
    this.position = start;
    this.n = 0;
    this.turn = 1;
    this.worths = this.here();
    /** @type {Omit<Moment, "event">[]} */
    this.moments = [{ n: 0, turn: 1, position: game.text(start), win: this.worths, play: null }];
    /** @type {Decision[]} */
    this.decisions = [];
    /** @type {Roll[]} */
    this.rolls = [];
    /** @type {Drift[]} */
    this.drifts = [];
    this.skills = this.worths.map(() => 0);
  }

  /** @param {Played} event */
  take(event) {
    const before = this.position;
    this.n += 1;
    if (event.kind === "rolled") this.roll(event.dice);
    else if (event.kind === "moved") this.move(event);
    else {
      if (event.kind === "stopped") this.stop();
      this.endTurn(follow(this.game, before, event));
    }
    const { n, turn, position, worths } = this;
    const play = playOf(event, before, position);
    this.moments.push({ n, turn, position: this.game.text(position), win: worths, play });
  }

  // What positions are worth

  here() {
    const { position, game } = this;
    if (position.phase === "over") return this.counted(finalWorths(position));
    if (position.phase === "start") return worthsBeforeStart(game, position);
    this.solve();
    return this.counted(game.worths(position));
  }

  /** Have the whole turn solved that the position belongs to. */
  solve() {
    const { game, position } = this;
    const none = position.runners.map(() => 0);
    const anchor = game.place({ ...position, runners: none, dice: null });
    if (anchor) game.solve(anchor, true);
  }

  /**
   * In a solo game the turns so far count too.
   * @param {number[]} worths
   */
  counted(worths) {
    return this.solo ? [worths[0] - this.turn] : worths;
  }

  /**
   * What stopping or rolling is worth to each seat.
   * @param {"stop" | "roll"} how
   */
  pressed(how) {
    const { game, position } = this;
    this.solve();
    if (game.rules.players > 2) return game.ahead(position, how).worths;
    const { stop, again } = game.look(position);
    return this.counted(game.sharedOut(position, how === "stop" ? stop : again));
  }

  // What happens

  /** @param {number[]} dice */
  roll(dice) {
    const { seat, phase, mayStop } = this.position;
    if (phase === "choice") {
      if (mayStop) this.decide("roll");
      this.choose(this.pressed("roll"));
    }
    const { worths, turn, n } = this;
    this.position = this.game.roll(this.position, dice);
    this.worths = this.here();
    const changes = differences(this.worths, worths);
    const bust = this.position.phase === "bust";
    this.rolls.push({ n, turn, seat, dice, bust, luck: changes[seat], changes });
  }

  /** @param {Extract<Played, {kind: "moved"}>} event */
  move(event) {
    this.decide(event.move.join("+"));
    this.position = follow(this.game, this.position, event);
    this.choose(this.here());
  }

  stop() {
    this.decide("stop");
    this.choose(this.pressed("stop"));
  }

  /**
   * Book a decision, if there was one: between two equally good options there is none.
   * @param {string} chosen
   */
  decide(chosen) {
    const { game, position, n, turn, solo } = this;
    this.solve();
    const options = optionsOf(game, position);
    const [best, second] = options;
    const error = best.win - worthOf(options, chosen);
    if (!error && (!second || best.win === second.win)) return;
    const estimate = errorOf(game, position);
    const graded = options.map((option) => ({
      ...option,
      grade: gradeOf(best.win - option.win, solo, estimate),
    }));
    const grade = gradeOf(error, solo, estimate);
    const isError = grade !== "best" && grade !== "fine";
    this.decisions.push({
      ...{ n, turn, seat: position.seat, position: game.text(position), chosen },
      ...{ best: best.move, error, grade, options: graded },
      why: isError ? this.why(chosen, best.move) : this.safety(chosen),
    });
  }

  /**
   * Of a roll that cannot bust, that it is one.
   * @param {string} chosen
   * @returns {Why | null}
   */
  safety(chosen) {
    const safe = chosen === "roll" && !this.game.busts(this.position);
    return safe ? { busts: [0], wins: false, safe } : null;
  }

  /**
   * @param {string} chosen
   * @param {string} best
   * @returns {Why}
   */
  why(chosen, best) {
    const { game, position } = this;
    const chance = (/** @type {Position} */ at) => game.busts(at) / game.falls;
    if (position.phase !== "move") {
      const wins = best === "stop" && game.stop(position).winners !== null;
      return { busts: [chance(position)], wins };
    }
    const after = [chosen, best].map((move) => game.move(position, move.split("+").map(Number)));
    return { busts: after.map(chance), wins: false };
  }

  /**
   * Account for a decision: what it changed is skill, or the lack of it.
   * @param {number[]} worths
   */
  choose(worths) {
    differences(worths, this.worths).forEach((change, seat) => (this.skills[seat] += change));
    this.worths = worths;
  }

  /**
   * The next turn begins: what the estimate was off by shows.
   * @param {Position} after
   */
  endTurn(after) {
    this.position = after;
    if (!after.winners) this.turn += 1;
    const { worths, n } = this;
    this.worths = this.here();
    const changes = differences(this.worths, worths);
    if (changes.some(Boolean)) this.drifts.push({ n, changes });
  }

  /**
   * Everything as far as the game has been reviewed.
   * @param {string[]} names
   * @param {number[]} numbers
   * @param {import("./played-like.js").Curve} curve
   */
  found(names, numbers, curve) {
    const { decisions, rolls, drifts, game } = this;
    const seats = names.map((name, seat) => this.seat(name, seat));
    return {
      seats,
      ...{ decisions, rolls, drifts },
      moments: this.moments.map((moment) => ({ ...moment, event: numbers[moment.n] ?? null })),
      turning_points: turningPoints(rolls, decisions),
      played_like: seats.map((seat) => playedLike(curve, game.rules, seat.error, seat.decisions)),
    };
  }

  /**
   * @param {string} name
   * @param {number} seat
   * @returns {SeatReviewView}
   */
  seat(name, seat) {
    const own = this.decisions.filter((decision) => decision.seat === seat);
    const drifts = this.drifts.map(({ changes }) => changes[seat]);
    const drift = total(drifts);
    const error = total(own.map((one) => one.error));
    const stake = total(own.map(({ options }) => options[0].win - (options.at(-1)?.win ?? 0)));
    const errors = (/** @type {boolean} */ press) =>
      total(own.filter(({ chosen }) => !/\d/.test(chosen) === press).map((one) => one.error));
    const counts = GRADES.map((grade) => [grade, own.filter((one) => one.grade === grade).length]);
    const spread = Math.sqrt(total(drifts.map((change) => change * change)));
    return {
      ...{ seat, name, start: this.moments[0].win[seat], result: this.worths[seat] },
      luck: total(this.rolls.map(({ changes }) => changes[seat])),
      ...{ skill: this.skills[seat], drift, uncertainty: Math.max(spread, Math.abs(drift)), error },
      accuracy: stake ? 100 * (1 - error / stake) : null,
      decisions: own.length,
      error_per_decision: own.length ? error / own.length : 0,
      ...{ stop_or_roll_error: errors(true), which_move_error: errors(false) },
      grades: Object.fromEntries(counts),
    };
  }
}

/**
 * The event between two positions.
 * @param {Played} event
 * @param {Position} before
 * @param {Position} after
 * @returns {PlayView}
 */
function playOf(event, before, after) {
  const play = { kind: event.kind, seat: before.seat, dice: null, move: null, won: null };
  if (event.kind === "rolled") return { ...play, dice: event.dice };
  if (event.kind === "moved") return { ...play, move: event.move.join("+") };
  if (event.kind !== "stopped") return play;
  const owned = owners(before);
  const won = owners(after).flatMap((owner, at) => (owner === owned[at] ? [] : [at + 2]));
  return { ...play, won };
}

/** @param {Position} position */
function owners({ tokens, rules }) {
  return rules.lengths.map((length, at) => tokens.findIndex((spaces) => spaces[at] === length));
}

/**
 * @param {{move: string, win: number}[]} options
 * @param {string} chosen
 */
function worthOf(options, chosen) {
  return options.find(({ move }) => move === chosen)?.win ?? NaN;
}

/**
 * The events that changed most for whoever made them, the largest first.
 * @param {Roll[]} rolls
 * @param {Decision[]} decisions
 */
function turningPoints(rolls, decisions) {
  return [
    ...rolls.map(({ n, luck }) => ({ n, size: Math.abs(luck) })),
    ...decisions.map(({ n, error }) => ({ n, size: error })),
  ]
    .sort((one, other) => other.size - one.size)
    .slice(0, POINTS)
    .flatMap(({ n, size }) => (size > 0 ? [n] : []));
}

/**
 * @param {number[]} after
 * @param {number[]} before
 */
function differences(after, before) {
  return after.map((now, seat) => now - before[seat]);
}

/** @param {number[]} numbers  added one after the other */
function total(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0);
}
