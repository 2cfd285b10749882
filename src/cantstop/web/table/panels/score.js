/** The score of a series of rematches: "Anne 2 – 1 Bob". */

import { h } from "../../core/dom.js";
import { seatName } from "../../words/sentences.js";

/** @typedef {import("../../net/state.js").State} State */

/**
 * The score so far, with the game at this table once it is over; null at the first table.
 * @param {State} state
 */
export function scoreLine(state) {
  const { series, seats, log } = state;
  if (!series || seats.length < 2) return null;
  const end = log.findLast((event) => event.kind === "finished");
  const winners = end?.kind === "finished" ? end.data.winners : [];
  // seats move up by one with every rematch: the line keeps the order of the first table
  const order = seats.map((_, at) => (at + series.games * (seats.length - 1)) % seats.length);
  const scores = order.map((seat) => ({
    name: seatName(seats[seat], seat),
    wins: String(series.wins[seat] + (winners.includes(seat) ? 1 : 0)),
  }));
  const [one, two] = scores;
  const text =
    scores.length === 2
      ? `${one.name} ${one.wins} – ${two.wins} ${two.name}`
      : scores.map(({ name, wins }) => `${name} ${wins}`).join(" · ");
  return h("p", { class: "score" }, text);
}
