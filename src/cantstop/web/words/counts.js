/** Figures with their nouns, right for 0, 1 and many in every language. */

import { number, plural, t } from "./i18n.js";

/**
 * “1 turn”, “6.7 turns”
 * @param {number} turns
 * @param {number} [digits]
 * @param {number} [least]  of them
 */
export function turnsText(turns, digits = 0, least = 0) {
  const fields = { turns: number(turns, digits, least) };
  return plural(turns, t("{turns} turn", fields), t("{turns} turns", fields), digits, least);
}

/**
 * “1 roll”, “12 rolls”
 * @param {number} rolls
 */
export function rollsText(rolls) {
  const fields = { rolls: number(rolls) };
  return plural(rolls, t("{rolls} roll", fields), t("{rolls} rolls", fields));
}

/**
 * Where a game has got to: a round is one turn of everybody.
 * @param {number} turn  of all seats, from 1
 * @param {number} seats
 */
export function roundOf(turn, seats) {
  return Math.ceil(turn / seats);
}

/**
 * A change with its sign: plus is good for whom it is about, and what rounds to nothing has none.
 * @param {number} change
 * @param {number} [digits]
 */
export function signed(change, digits = 1) {
  const size = Number(Math.abs(change).toFixed(digits));
  const sign = size === 0 ? "" : change < 0 ? "−" : "+";
  return sign + number(size, digits, digits);
}
