/** A review made ready to be shown: whose it is, what happened at each event, what is worth a look. */

import { gameAt } from "../../verify/record.js";
import { t } from "../../words/i18n.js";
import { eventText } from "../../words/sentences.js";

/** @typedef {import("../../net/protocol.js").ReviewAnswer} ReviewAnswer */
/** @typedef {import("../../net/protocol.js").DecisionView} Decision */
/** @typedef {import("../../net/protocol.js").RollLuckView} Roll */
/** @typedef {import("../../net/protocol.js").MomentView} Moment */
/** @typedef {import("../../net/state.js").Seat} Seat */
/** @typedef {import("../../net/protocol.js").View} View */
/** @typedef {import("../../verify/game.js").Game} Game */

/**
 * @typedef {object} Story
 * @property {ReviewAnswer} answer
 * @property {string | null} table  null for a record that is no table's
 * @property {Seat[]} seats
 * @property {number[]} mine  the seats of this device
 * @property {boolean} solo  whether worths are turns
 * @property {Map<number, Decision>} decisions  by event
 * @property {Map<number, Roll>} rolls  by event
 * @property {Mark[]} marks  what is worth a look, in the order of the game
 */

/**
 * Something worth a look: an error, or a roll that changed much.
 * @typedef {object} Mark
 * @property {number} n
 * @property {number} seat
 * @property {"inaccuracy" | "mistake" | "blunder" | "lucky" | "unlucky"} kind
 * @property {number} change  for the seat, in worth
 */

const MOST_ERRORS = 5;
const MOST_ROLLS = 3;

/**
 * @param {ReviewAnswer} answer
 * @param {string | null} table
 * @param {Seat[]} seats
 * @param {number[]} mine
 * @returns {Story}
 */
export function storyOf(answer, table, seats, mine) {
  const decisions = new Map(answer.decisions.map((each) => [each.n, each]));
  const rolls = new Map(answer.rolls.map((each) => [each.n, each]));
  const solo = answer.seats.length === 1;
  const marks = [...errorMarks(answer), ...rollMarks(answer, decisions, rolls)];
  marks.sort((a, b) => a.n - b.n || b.change - a.change);
  return { answer, table, seats, mine, solo, decisions, rolls, marks };
}

/** @param {Decision} decision */
export function isError({ grade }) {
  return grade !== "best" && grade !== "fine";
}

/**
 * @param {ReviewAnswer} answer
 * @returns {Mark[]}
 */
function errorMarks({ decisions }) {
  return decisions.filter(isError).map(({ n, seat, grade, error }) => ({
    n,
    seat,
    kind: /** @type {Mark["kind"]} */ (grade),
    change: -error,
  }));
}

/**
 * The rolls among the turning points; where the same event is a decision, it counts for more.
 * @param {ReviewAnswer} answer
 * @param {Map<number, Decision>} decisions
 * @param {Map<number, Roll>} rolls
 * @returns {Mark[]}
 */
function rollMarks({ turning_points: points }, decisions, rolls) {
  return [...new Set(points)].flatMap((n) => {
    const roll = rolls.get(n);
    if (!roll || Math.abs(roll.luck) < (decisions.get(n)?.error ?? 0)) return [];
    return [{ n, seat: roll.seat, kind: roll.luck > 0 ? "lucky" : "unlucky", change: roll.luck }];
  });
}

/** @param {Mark} mark */
export function isRoll({ kind }) {
  return kind === "lucky" || kind === "unlucky";
}

/**
 * The marks that matter most, in the order of the game.
 * @param {Story} story
 */
export function mainMarks({ marks }) {
  const largest = [...marks].sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
  const errors = largest.filter((mark) => !isRoll(mark)).slice(0, MOST_ERRORS);
  const rolls = largest.filter(isRoll).slice(0, MOST_ROLLS);
  return marks.filter((mark) => errors.includes(mark) || rolls.includes(mark));
}

/**
 * What a seat may want to retry, in the order of the game: its mistakes, or else its inaccuracies.
 * @param {Story} story
 * @param {number} seat
 */
export function mistakesOf({ answer }, seat) {
  const errors = answer.decisions.filter((each) => each.seat === seat && isError(each));
  const mistakes = errors.filter(({ grade }) => grade !== "inaccuracy");
  return mistakes.length ? mistakes : errors;
}

/** @typedef {"rolled" | "moved" | "stopped" | "busted"} Kind */

/**
 * @typedef {object} Happening
 * @property {Kind | "opened"} kind
 * @property {number} seat  whose turn it was
 * @property {string} text
 */

/**
 * What happened at an event; 0 is the start.
 * @param {Story} story
 * @param {number} n
 * @returns {Happening}
 */
export function happeningAt(story, n) {
  const { answer, seats, decisions, rolls } = story;
  const position = answer.moments[Math.max(0, n - 1)].position;
  const before = gameAt(position);
  if (n === 0) return { kind: "opened", seat: before.seat, text: t("The game begins.") };
  const roll = rolls.get(n);
  const { seat } = roll ?? before;
  const [kind, data] = roll
    ? /** @type {const} */ (["rolled", { dice: roll.dice }])
    : playOf(position, gameAt(answer.moments[n].position), decisions.get(n)?.chosen);
  const event = /** @type {import("../../net/protocol.js").TableEvent} */ (
    /** @type {unknown} */ ({ n, at: "", kind, seat, data })
  );
  const state = /** @type {import("../../net/state.js").State} */ ({
    seats,
    log: /** @type {unknown[]} */ ([]),
  });
  return { kind, seat, text: eventText(event, state) };
}

/**
 * What led from one position to the next, where that was no roll.
 * @param {string} position
 * @param {Game} after
 * @param {string | undefined} chosen
 * @returns {[Kind, object]}
 */
function playOf(position, after, chosen) {
  const before = gameAt(position);
  if (!before.dice) {
    const own = before.tokens[before.seat];
    const won = before.rules.tops.flatMap((top, column) =>
      column > 1 && own[column] < top && after.tokens[before.seat][column] === top ? [column] : [],
    );
    return ["stopped", { won }];
  }
  const moves = before.moves().map((move) => move.join("+"));
  if (!moves.length) return ["busted", {}];
  const stands = after.runners.join();
  const made = moves.find((move) => runnersAfter(position, move).join() === stands);
  return ["moved", { move: chosen ?? made ?? moves[0] }];
}

/**
 * Where the runners stand after a move, by column number.
 * @param {string} position
 * @param {string} move
 */
function runnersAfter(position, move) {
  const game = gameAt(position);
  game.move(move.split("+").map(Number));
  return game.runners;
}

/**
 * A position as the board and the buttons of a turn draw it.
 * @param {string} position
 * @param {string[]} [moves]  the moves to choose from
 * @returns {View}
 */
export function viewAt(position, moves = []) {
  const { tokens, runners, seat, dice, rules, winners } = gameAt(position);
  const lengths = rules.tops.slice(2);
  const owners = lengths.map((length, index) => {
    const owner = tokens.findIndex((spaces) => spaces[index + 2] === length);
    return owner < 0 ? null : owner;
  });
  const running = runners.slice(2).some(Boolean);
  const view = {
    lengths,
    owners,
    seat,
    dice,
    position,
    tokens: tokens.map((spaces) => spaces.slice(2)),
    runners: runners.slice(2),
    phase: winners ? "over" : dice ? "move" : running ? "choice" : "roll",
    may_stop: running && !dice,
    stop_reason: null,
    shared: [],
    bust_chance: null,
    splits: dice ? splitsOf(dice) : [],
    moves: moves.map((move) => ({ move, runners: runnersAfter(position, move).slice(2) })),
  };
  return /** @type {View} */ (/** @type {unknown} */ (view));
}

/** @param {number[]} dice */
function splitsOf([a, b, c, d]) {
  return [
    [a + b, c + d],
    [a + c, b + d],
    [a + d, b + c],
  ].map((sums) => sums.sort((one, other) => one - other));
}

/**
 * The moves among the options of a decision, by their columns: their order tells nothing.
 * @param {Decision} decision
 */
export function movesOf({ options }) {
  const moves = options.map(({ action }) => action).filter((action) => /\d/.test(action));
  const low = (/** @type {string} */ move) => parseInt(move, 10);
  return moves.sort((a, b) => low(a) - low(b) || a.localeCompare(b));
}
