/** Why one option is better than another, in a sentence or two. */

import { joinList, percent, plural, t } from "../words/i18n.js";
import {
  actionText,
  errorText,
  estimateText,
  isNothing,
  thenText,
  worthText,
} from "../words/win-chances.js";

/** @typedef {Omit<import("../net/protocol.js").HintAnswer, "n">} Hint */

/** @param {Hint} hint */
export function hintText(hint) {
  return [optionsText(hint), riskText(hint), turnText(hint)].filter(Boolean).join(" ");
}

/** @param {Hint} hint */
function optionsText({ options, solo, error, phase }) {
  const [best, second] = options;
  if (!best) return "";
  if (phase === "move") {
    const fields = { best: actionText(best.move), worth: estimateText(best.win, solo, error) };
    const next = thenText(best.then);
    if (!second) return t("{best}, {next}: {worth}.", { ...fields, next });
    const compared = { ...fields, next, second: actionText(second.move) };
    const lost = best.win - second.win;
    return isNothing(lost, solo)
      ? t("{best}, {next}: {worth}; {second} is as good.", compared)
      : t("{best}, {next}: {worth}; that is {lost} better than {second}.", {
          ...compared,
          lost: errorText(lost, solo),
        });
  }
  const worths = options.map(
    ({ move, win }, at) =>
      `${actionText(move, phase === "roll")}: ${at ? worthText(win, solo) : estimateText(win, solo, error)}`,
  );
  return `${worths.join("; ")}.`;
}

/** The next roll, and what is at stake in it. @param {Hint} hint */
function riskText({ next_bust: chance, at_stake: stake }) {
  if (chance === null) return "";
  if (chance === 0) return t("The next roll cannot be a bust.");
  const bust = percent(chance, 1);
  const columns = Object.keys(stake);
  if (!columns.length) return t("The next roll is a bust in {bust} of cases.", { bust });
  const steps = Object.values(stake).reduce((sum, count) => sum + count, 0);
  const fields = { bust, steps, columns: joinList(columns) };
  return plural(
    steps,
    t("The next roll is a bust in {bust} of cases; at stake: {steps} step in {columns}.", fields),
    t("The next roll is a bust in {bust} of cases; at stake: {steps} steps in {columns}.", fields),
  );
}

/** What the turn may still bring. @param {Hint} hint */
function turnText({ bust, options }) {
  if (!options.some(({ move, then }) => move === "roll" || then === "roll")) return "";
  return turnEndText(bust);
}

/**
 * Both ends that a turn may have: one without the other reads as if the turn were lost.
 * @param {number} bust  with best play
 */
export function turnEndText(bust) {
  return t(
    "With best play this turn ends with a stop in {kept} of cases and with a bust in {bust}.",
    { bust: percent(bust, 1), kept: percent(1 - bust, 1) },
  );
}
