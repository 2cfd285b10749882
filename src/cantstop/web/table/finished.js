/** A game that is over is entered into the history of this device, if it was one person's. */

import { featsOf } from "../core/feats.js";
import { enterGame, playedGames } from "../core/history.js";
import { roundOf } from "../words/counts.js";

/** @typedef {import("../net/state.js").State} State */

/**
 * Lessons, games alone and games of several people at this device are nobody's to count; nor is one
 * that nobody has won.
 * @param {State} state
 * @param {number[]} mine
 */
export function noteFinished(state, mine) {
  const { id, stage, lesson, seats, view, log } = state;
  const [own] = mine;
  if (stage !== "over" || lesson || mine.length !== 1 || seats.length < 2) return;
  const end = log.findLast((event) => event.kind === "finished");
  const winners = end?.kind === "finished" ? end.data.winners : [];
  if (!winners.length && !seats[own].resigned) return;
  if (playedGames().some((game) => game.id === id)) return;
  const won = winners.includes(own);
  const others = seats.filter((_, seat) => seat !== own);
  enterGame({
    id,
    at: log.at(-1)?.at ?? new Date().toISOString(),
    against: others.map(({ bot, name }) => (bot ? { bot } : { name: name ?? "" })),
    won,
    rounds: roundOf(view.turn, seats.length),
    feats: featsOf(state, own, won),
  });
}
