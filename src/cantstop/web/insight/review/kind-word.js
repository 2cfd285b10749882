/** One kind sentence for whoever has lost, each of them true by the figures of the review. */

import { roundOf } from "../../words/counts.js";
import { percent, plural, t } from "../../words/i18n.js";
import { seatName } from "../../words/sentences.js";
import { errorText } from "../../words/win-chances.js";

/** @typedef {import("./story.js").Story} Story */

/** The least luck that is mentioned, in shares of a win. */
const MUCH = 0.1;
const HALF = 0.5;
/** In percent: a game that was played well. */
const ACCURATE = 75;
/** The most decisions that are counted in the sentence. */
const FEW = 3;

/**
 * @param {Story} story
 * @param {number} seat  of a game for several that this seat has lost
 */
export function kindText({ answer, seats, decisions }, seat) {
  const { luck, skill, accuracy, error } = answer.seats[seat];
  const other = seatName(seats[1 - seat], 1 - seat);
  const best = answer.moments.reduce((one, two) => (two.win[seat] > one.win[seat] ? two : one));
  const fields = {
    name: other,
    lost: errorText(-luck, false),
    chance: percent(best.win[seat]),
    round: roundOf(best.turn, seats.length),
    accuracy: percent((accuracy ?? 0) / 100),
  };
  if (luck <= -MUCH && skill > 0 && seats.length === 2)
    return t("You decided better than {name}: it was the dice, {lost}.", fields);
  if (luck <= -MUCH)
    return t(
      "The dice cost you {lost}: next time they owe you nothing, but they may be kinder.",
      fields,
    );
  if (best.win[seat] >= HALF && best.n > 0)
    return t(
      "In round {round} you were ahead, with a chance of {chance}: it was closer than it looks.",
      fields,
    );
  if (accuracy !== null && accuracy >= ACCURATE)
    return t("You chose well: an accuracy of {accuracy}.", fields);
  const count = mostOf(
    [...decisions.values()].flatMap((one) => (one.seat === seat ? [one.error] : [])),
  );
  if (error > 0 && count <= FEW)
    return plural(
      count,
      t("One decision gave away half of what you gave away: the review shows which.", fields),
      t("Half of what you gave away was {count} decisions: the review shows which.", {
        ...fields,
        count,
      }),
    );
  return t("At your best you had a chance of {chance}, in round {round}.", fields);
}

/**
 * How many of the largest errors make up half of all.
 * @param {number[]} errors
 */
function mostOf(errors) {
  const all = errors.reduce((sum, each) => sum + each, 0);
  let sum = 0;
  return errors.sort((a, b) => b - a).findIndex((each) => (sum += each) >= all / 2) + 1;
}
