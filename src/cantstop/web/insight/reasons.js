/**
 * Why an option is good, in words that can be counted on the board and with the fingers. Every
 * sentence is a fact of the position; what an option is worth comes from a hint.
 */

import { number, percent, plural, t } from "../words/i18n.js";

/** @typedef {import("../net/protocol.js").View} View */
/** @typedef {import("../net/protocol.js").OptionView} Option */

const RUNNERS = 3;
/** A difference in the chance to bust that a person notices. */
const NOTICED = 0.02;

/** @param {[number, number] | null} chance */
function share(chance) {
  return chance ? chance[0] / chance[1] : 0;
}

/**
 * The chance that the next roll is a bust with runners on these spaces, by counting all rolls.
 * @param {Pick<View, "lengths" | "owners">} view
 * @param {number[]} runners
 */
export function bustChance({ lengths, owners }, runners) {
  const sides = (lengths.length + 1) / 2;
  const free = runners.filter(Boolean).length < RUNNERS;
  const usable = lengths.map(
    (length, at) => owners[at] === null && runners[at] < length && (runners[at] > 0 || free),
  );
  return missing(sides, (sum) => usable[sum - 2]);
}

/**
 * The share of all rolls that make none of the sums in question.
 * @param {number} sides
 * @param {(sum: number) => boolean} wanted
 */
function missing(sides, wanted) {
  let count = 0;
  for (let a = 1; a <= sides; a += 1)
    for (let b = 1; b <= sides; b += 1)
      for (let c = 1; c <= sides; c += 1)
        for (let d = 1; d <= sides; d += 1)
          if (![a + b, c + d, a + c, b + d, a + d, b + c].some(wanted)) count += 1;
  return count / sides ** 4;
}

/** The steps that a bust would take. @param {View} view */
export function stepsAtStake({ runners, tokens, seat }) {
  return runners.reduce((sum, space, at) => sum + (space ? space - tokens[seat][at] : 0), 0);
}

/** The columns on whose tops runners stand. @param {View} view */
function tops({ runners, lengths }) {
  return runners.flatMap((space, at) => (space && space === lengths[at] ? [at + 2] : []));
}

/** “4 steps” @param {number} steps */
function stepsText(steps) {
  const fields = { steps: number(steps) };
  return plural(steps, t("{steps} step", fields), t("{steps} steps", fields));
}

/**
 * Why to stop, or to roll again.
 * @param {View} view
 * @param {"stop" | "roll"} action
 */
export function choiceReason(view, action) {
  const risk = share(view.bust_chance);
  const [top] = tops(view);
  const fields = {
    column: top,
    stake: stepsText(stepsAtStake(view)),
    risk: percent(risk),
    good: Math.round(10 * (1 - risk)),
  };
  if (action === "stop") {
    if (top)
      return t(
        "A runner stands on the top of column {column}: stop, and the column is yours.",
        fields,
      );
    return t("{risk} of all rolls bust, which costs {stake}.", fields);
  }
  if (!risk) return t("A runner is in your hand, so this roll cannot bust.", fields);
  if (top)
    return t(
      "{risk} of all rolls bust: that is little for what another step is worth here.",
      fields,
    );
  return t("About {good} of ten rolls can be used; the others cost {stake}.", fields);
}

/**
 * What a move does.
 * @typedef {object} Effect
 * @property {number[]} runners  after it
 * @property {number} inHand  runners that are left
 * @property {number} bust  the chance that the next roll is one
 * @property {number[]} tops  columns whose top it reaches
 * @property {number} climbed  the share of their columns that its steps are, summed up
 */

/**
 * @param {View} view
 * @param {string} move
 * @returns {Effect | null}
 */
export function effectOf(view, move) {
  const runners = view.moves.find((offer) => offer.move === move)?.runners;
  if (!runners) return null;
  const from = (/** @type {number} */ at) => view.runners[at] || view.tokens[view.seat][at];
  return {
    runners,
    inHand: RUNNERS - runners.filter(Boolean).length,
    bust: bustChance(view, runners),
    tops: runners.flatMap((to, at) =>
      to === view.lengths[at] && view.runners[at] !== to ? [at + 2] : [],
    ),
    climbed: runners.reduce(
      (sum, to, at) => sum + (to ? (to - from(at)) / view.lengths[at] : 0),
      0,
    ),
  };
}

/**
 * Why one move is better than another.
 * @param {View} view
 * @param {Pick<Option, "move" | "win">} best
 * @param {Pick<Option, "move" | "win">} other
 * @param {(worth: number) => string} worth  in words
 */
export function moveReason(view, best, other, worth) {
  const [one, two] = [effectOf(view, best.move), effectOf(view, other.move)];
  const fields = {
    best: best.move.replace("+", " + "),
    other: other.move.replace("+", " + "),
    column: one?.tops[0] ?? 0,
    low: percent(one?.bust ?? 0),
    high: percent(two?.bust ?? 0),
    worth: worth(best.win),
    less: worth(other.win),
  };
  if (one && two) {
    if (one.tops.length && !two.tops.length)
      return t("It reaches the top of column {column}.", fields);
    if (!one.bust && two.bust)
      return t("It keeps a runner in your hand: the next roll cannot bust.", fields);
    if (two.bust - one.bust >= NOTICED)
      return t("After it {low} of all rolls bust, after {other} {high}.", fields);
    if (one.inHand > two.inHand) return t("It keeps a runner in your hand for later.", fields);
    if (one.climbed - two.climbed > 0.01)
      return t(
        "Its columns are shorter or nearer: the same dice climb a larger part of them.",
        fields,
      );
  }
  const [often, seldom] = [best.move, other.move].map((move) =>
    offered(view, move.split("+").map(Number)),
  );
  if (often - seldom >= NOTICED)
    return t("A roll offers {often} more often than {seldom}: {much} against {little}.", {
      often: orText(best.move),
      seldom: orText(other.move),
      much: percent(often),
      little: percent(seldom),
    });
  return t("What follows is worth more: {worth} instead of {less}.", fields);
}

/** “6 or 8” @param {string} move */
function orText(move) {
  const [one, two] = move.split("+");
  return two && two !== one ? t("{one} or {two}", { one, two }) : one;
}

/**
 * The chance that a roll offers one of these columns.
 * @param {Pick<View, "lengths">} view
 * @param {number[]} columns
 */
function offered({ lengths }, columns) {
  return 1 - missing((lengths.length + 1) / 2, (sum) => columns.includes(sum));
}
