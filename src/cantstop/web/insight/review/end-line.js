/** What the review says at once, for the card at the end of a game: a line, and after a loss a kind word. */

import { reviewedFeats } from "../../core/feats.js";
import { enterGame, playedGames } from "../../core/history.js";
import { h } from "../../core/dom.js";
import { seatMark } from "../../ui/seat-marks.js";
import { seatName } from "../../words/sentences.js";
import { tableStory } from "./fetch.js";
import { kindText } from "./kind-word.js";
import { summaryText } from "./words.js";

/** @typedef {import("./story.js").Story} Story */

/**
 * A line for each seat of this device, and a kind sentence for whoever has lost alone.
 * @param {import("../../net/state.js").State} state
 * @param {number[]} mine
 */
export async function reviewLines(state, mine) {
  const story = await tableStory(state);
  const { answer, seats, solo } = story;
  const lines = mine.map((index) => {
    const text = summaryText(answer.seats[index], solo);
    if (mine.length === 1) return h("span", {}, text);
    const seat = seats[index];
    return h("span", {}, seatMark(seat.colour ?? index), ` ${seatName(seat, index)}: ${text}`);
  });
  const [own] = mine;
  if (mine.length === 1 && !solo) noteReview(state.id, story, own);
  const lost = mine.length === 1 && !solo && answer.winners && !answer.winners.includes(own);
  return { lines, kind: lost ? kindText(story, own) : "" };
}

/**
 * The history of this device learns what the dice did, how well one chose, and how low one had been.
 * @param {string} id
 * @param {Story} story
 * @param {number} own
 */
function noteReview(id, { answer }, own) {
  const game = playedGames().find((each) => each.id === id);
  if (!game) return;
  const review = answer.seats[own];
  const low = Math.min(...answer.moments.map(({ win }) => win[own]));
  const feats = [...new Set([...game.feats, ...reviewedFeats(review, low, game.won)])];
  enterGame({ id, luck: review.luck, accuracy: review.accuracy, low, feats });
}
