/** The review of one's own game in one line, for the card at the end of a game. */

import { h } from "../../core/dom.js";
import { seatMark } from "../../ui/seat-marks.js";
import { seatName } from "../../words/sentences.js";
import { tableStory } from "./fetch.js";
import { summaryText } from "./words.js";

/**
 * A line for each seat of this device.
 * @param {import("../../net/state.js").State} state
 * @param {number[]} mine
 */
export async function reviewLines(state, mine) {
  const { answer, seats, solo } = await tableStory(state);
  return mine.map((index) => {
    const text = summaryText(answer.seats[index], solo);
    if (mine.length === 1) return h("span", {}, text);
    const seat = seats[index];
    return h("span", {}, seatMark(seat.colour ?? index), ` ${seatName(seat, index)}: ${text}`);
  });
}
