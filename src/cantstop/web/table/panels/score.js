/** The score of a series of rematches: "Anne 2 – 1 Bob". */

import { h } from "../../core/dom.js";
import { seatName } from "../../words/sentences.js";

/** @typedef {import("../../net/state.js").State} State */

/**
 * Games won by each seat in a series of rematches, with the one at this table; null at the first.
 * @param {State} state
 */
export function seriesScores({ series, log }) {
  if (!series) return null;
  const end = log.findLast((event) => event.kind === "finished");
  const winners = end?.kind === "finished" ? end.data.winners : [];
  return series.wins.map((wins, seat) => wins + (winners.includes(seat) ? 1 : 0));
}

/**
 * The score so far, with the game at this table once it is over; null at the first table.
 * @param {State} state
 */
export function scoreLine(state) {
  const { series, seats } = state;
  const wins = seriesScores(state);
  if (!series || !wins || seats.length < 2) return null;
  // seats move up by one with every rematch: the line keeps the order of the first table
  const order = seats.map((_, at) => (at + series.games * (seats.length - 1)) % seats.length);
  const scores = order.map((seat) => ({
    name: seatName(seats[seat], seat),
    wins: String(wins[seat]),
  }));
  const [one, two] = scores;
  const text =
    scores.length === 2
      ? `${one.name} ${one.wins} – ${two.wins} ${two.name}`
      : scores.map((each) => `${each.name} ${each.wins}`).join(" · ");
  return h("p", { class: "score" }, text);
}
