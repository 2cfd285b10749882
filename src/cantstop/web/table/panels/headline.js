/** What a game will be remembered for, in a few words of its own. */

import { ladderScores } from "../../core/ladder.js";
import { playedEvents } from "../../core/played-events.js";
import { roundOf, turnsText } from "../../words/counts.js";
import { dayText, joinList, percent, plural, t } from "../../words/i18n.js";
import { resultText, seatName } from "../../words/sentences.js";

/** @typedef {import("../../net/state.js").State} State */
/** @typedef {import("../../net/protocol.js").ReviewAnswer} Review */

/** Limits: the chance that a winner came from, a loser had; the rounds and the busts of a winner. */
const LOW = 0.25;
const HIGH = 0.75;
const QUICK = 7;
const BUSTS = 5;

/**
 * @typedef {object} Headline
 * @property {string} text
 * @property {string} [strong]  the part of it that stands out
 */

/**
 * The most remarkable thing that is true.
 * @param {State} state  of a game that is over
 * @param {number[]} mine
 * @param {Review | null} review
 * @returns {Headline}
 */
export function headlineOf(state, mine, review) {
  const { seats, daily, view } = state;
  if (daily) {
    const turns = turnsText(view.turn);
    return { text: t("{day}: {turns}", { day: dayText(daily.day), turns }), strong: turns };
  }
  if (seats.length === 1) return { text: resultText(state, mine) };
  const winners = view.outcome?.winners ?? [];
  if (winners.length !== 1) return { text: resultText(state, []) };
  return wonBy(state, mine, winners[0], review);
}

/**
 * @param {State} state
 * @param {number[]} mine
 * @param {number} winner
 * @param {Review | null} review
 * @returns {Headline}
 */
function wonBy(state, mine, winner, review) {
  const { seats, view, id } = state;
  const name = seatName(seats[winner], winner);
  const chances = review?.moments.map(({ win }) => win) ?? [];
  const low = Math.min(1, ...chances.map((win) => win[winner]));
  const loser = seats.length === 2 ? 1 - winner : -1;
  const high = Math.max(0, ...chances.map((win) => win[loser] ?? 0));
  const turns = playedEvents(state.log).filter(({ seat }) => seat === winner);
  const most = Math.max(
    0,
    ...turns.map((one) => (one.kind === "stopped" ? one.data.won.length : 0)),
  );
  const busts = turns.filter(({ kind }) => kind === "busted").length;
  const rounds = roundOf(view.turn, seats.length);
  const columns = view.owners.flatMap((owner, at) => (owner === winner ? [at + 2] : []));
  const rival = loser >= 0 ? seatName(seats[loser], loser) : "";
  const fields = {
    name,
    rival,
    low: percent(low),
    high: percent(high),
    busts,
    rounds,
    columns: joinList(columns),
  };
  const bot = loser >= 0 ? seats[loser].bot : null;
  if (low < LOW) return { text: t("{name} won from {low}", fields), strong: fields.low };
  if (most >= 3) return { text: t("{name} won three columns in one turn", fields) };
  if (mine.includes(winner) && bot && ladderScores().get(bot)?.first?.id === id)
    return { text: t("{name} beat {rival}", fields), strong: rival };
  if (columns.includes(2) && columns.includes(12))
    return { text: t("{name} won with 2 and 12", fields) };
  if (high > HIGH && rival)
    return { text: t("{rival} had {high}, {name} won", fields), strong: fields.high };
  if (busts >= BUSTS) return { text: t("{name} won after {busts} busts", fields) };
  if (rounds <= QUICK)
    return {
      text: plural(
        rounds,
        t("{name} won in {rounds} round", fields),
        t("{name} won in {rounds} rounds", fields),
      ),
    };
  return { text: t("{name} won with {columns}", fields), strong: fields.columns };
}
