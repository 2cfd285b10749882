/** A review made ready to be shown: whose it is, what happened at each event, what is worth a look. */

import { readPosition } from "../../core/position.js";
import { t } from "../../words/i18n.js";
import { playText, seatName } from "../../words/sentences.js";

/** @typedef {import("../../net/protocol.js").ReviewAnswer} ReviewAnswer */
/** @typedef {import("../../net/protocol.js").DecisionView} Decision */
/** @typedef {import("../../net/protocol.js").RollLuckView} Roll */
/** @typedef {import("../../net/protocol.js").MomentView} Moment */
/** @typedef {import("../../net/state.js").Seat} Seat */

/**
 * @typedef {object} Story
 * @property {ReviewAnswer} answer
 * @property {string | null} table  null for a record without a table
 * @property {Seat[]} seats
 * @property {number[]} mine  the seats of this device
 * @property {number[]} substitutes  the seats that a bot played for a while, and nobody had given up
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
 * @param {import("../../net/protocol.js").TableEvent[]} [log]  of the table
 * @returns {Story}
 */
export function storyOf(answer, table, seats, mine, log = []) {
  const decisions = new Map(answer.decisions.map((each) => [each.n, each]));
  const rolls = new Map(answer.rolls.map((each) => [each.n, each]));
  const solo = answer.seats.length === 1;
  const marks = [...errorMarks(answer), ...rollMarks(answer, decisions, rolls)];
  marks.sort((a, b) => a.n - b.n || b.change - a.change);
  const played = log.flatMap((event) =>
    event.kind === "substituted" && event.data.reason !== "resigned" ? [event.seat] : [],
  );
  const substitutes = [...new Set(played)].sort();
  return { answer, table, seats, mine, substitutes, solo, decisions, rolls, marks };
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
 * What a seat may want to retry, in the order of the game: its mistakes and blunders.
 * @param {Story} story
 * @param {number} seat
 */
export function mistakesOf({ answer }, seat) {
  return answer.decisions.filter(
    (each) => each.seat === seat && isError(each) && each.grade !== "inaccuracy",
  );
}

/**
 * @typedef {object} Happening
 * @property {number} seat  whose turn it was
 * @property {string} text
 */

/**
 * What happened at an event; 0 is the start.
 * @param {Story} story
 * @param {number} n
 * @returns {Happening}
 */
export function happeningAt({ answer, seats }, n) {
  const { play, position } = answer.moments[n];
  if (!play) return { seat: readPosition(position).seat, text: t("The game begins.") };
  return { seat: play.seat, text: playText(play, seatName(seats[play.seat], play.seat)) };
}

/**
 * The moves among the options of a decision, by their columns: their order tells nothing.
 * @param {Decision} decision
 */
export function movesOf({ options }) {
  const moves = options.map(({ move }) => move).filter((move) => /\d/.test(move));
  const low = (/** @type {string} */ move) => parseInt(move, 10);
  return moves.sort((a, b) => low(a) - low(b) || a.localeCompare(b));
}
