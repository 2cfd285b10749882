/** A drill in words: whether an answer is right, and why; `drills/text.py` says the same. */

import { bustText } from "./review-text.js";
import { joinList, plural, t } from "./i18n.js";
import { chanceText, errorText } from "./win-chances.js";

/** @typedef {import("../engine/drills.js").Facts} Facts */
/** @typedef {import("../net/protocol.js").OptionView} Option */

/**
 * @typedef {object} Answered
 * @property {boolean} right
 * @property {boolean} solo
 * @property {number} lost
 * @property {Option[]} options  the best first
 * @property {Facts} facts
 * @property {import("../net/protocol.js").DrillProgress} progress
 */

/**
 * @param {Answered} answered
 * @returns {import("../net/protocol.js").VerdictAnswer}
 */
export function toldDrill(answered) {
  const { right, options, progress } = answered;
  return { right, verdict: verdictText(answered), options, reasons: reasons(answered), progress };
}

/** @param {Answered} answered */
function verdictText({ lost, solo, options: [best] }) {
  if (!lost) return t("Right.");
  return t("Not quite: {best} is better by {lost}.", {
    best: answerText(best.move),
    lost: errorText(lost, solo, true),
  });
}

/** @param {string} answer */
function answerText(answer) {
  if (answer === "stop") return t("stop");
  return answer === "roll" ? t("roll") : answer;
}

/**
 * Why the best answer is best, a sentence each.
 * @param {Answered} answered
 */
function reasons({ options, facts }) {
  const [best] = options;
  if (facts.winsNow) return [t("Stopping wins the game.")];
  return [
    ...(facts.nextBust === null ? aboutMoves(options, facts) : aboutBust(facts, facts.nextBust)),
    aboutRuleOf28(best.move, facts),
    ...aboutAdvice(best.move, facts),
  ];
}

/**
 * @param {Facts} facts
 * @param {number} bust
 */
function aboutBust({ runners, stake }, bust) {
  const reason = bustText(runners, bust);
  const sentence = `${reason[0].toUpperCase()}${reason.slice(1)}.`;
  return bust ? [sentence, stakeText(stake)] : [sentence];
}

/** @param {Facts["stake"]} stake */
function stakeText(stake) {
  const steps = stake.map(([column, count]) =>
    plural(
      count,
      t("{count} space in column {column}", { count, column }),
      t("{count} spaces in column {column}", { count, column }),
    ),
  );
  return t("A bust would take back {steps}.", { steps: joinList(steps) });
}

/**
 * How likely a bust is after the best move and after the one that comes next.
 * @param {Option[]} options
 * @param {Facts} facts
 */
function aboutMoves([best, second], { bustsAfter }) {
  if (best.then === "stop") return [t("After {best} the turn is best ended.", { best: best.move })];
  const busts = new Map(bustsAfter);
  const [less, bust] = [busts.get(best.move) ?? 0, busts.get(second.move) ?? 0];
  if (less === bust) return [];
  return [
    t("The next roll busts in {less} of cases after {best}, in {bust} after {other}.", {
      less: chanceText(less),
      best: best.move,
      bust: chanceText(bust),
      other: second.move,
    }),
  ];
}

/**
 * What the best-known rule of thumb would do.
 * @param {string} best
 * @param {Facts} facts
 */
function aboutRuleOf28(best, { ruleOf28, points, threshold, inHand }) {
  if (/\d/.test(ruleOf28))
    return ruleOf28 === best
      ? t("Rule of 28 would choose {move} too.", { move: ruleOf28 })
      : t("Rule of 28 would choose {move}.", { move: ruleOf28 });
  if (inHand && ruleOf28 === "roll") return t("Rule of 28 would roll: a runner is still in hand.");
  return ruleOf28 === "stop"
    ? t("Rule of 28 counts {points} of {threshold}, and would stop.", { points, threshold })
    : t("Rule of 28 counts {points} of {threshold}, and would roll.", { points, threshold });
}

/**
 * @param {string} best
 * @param {Facts} facts
 */
function aboutAdvice(best, { advice: given }) {
  if (!given) return [];
  const advice =
    given.about === "top"
      ? t("after reaching a top it is mostly right to stop")
      : t("6, 7 and 8 come up most often, and short columns are not easy");
  return [
    given.answer === best
      ? t("A rulebook says: {advice}. It holds here.", { advice })
      : t("A rulebook says: {advice}. Not here.", { advice }),
  ];
}
