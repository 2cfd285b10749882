/** The game itself, for people who have never seen it: a few turns on a small board, over and over. */

import { h } from "../core/dom.js";
import { reducedMotion } from "../device/motion.js";
import { createBoard } from "./board.js";
import { createDice } from "./dice.js";

/** @typedef {import("../net/protocol.js").View} View */

const LENGTHS = [3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3];
const PACE = 1100;
const ORANGE = { 5: 2, 7: 6, 9: 4 };

/**
 * @typedef {object} Frame
 * @property {number[] | null} dice
 * @property {Record<number, number>} runners  spaces by column
 * @property {Record<number, number>} tokens  of the blue player
 */

/** Two throws that climb, a third that takes two steps in one column, and a stop. @type {Frame[]} */
const FRAMES = [
  { dice: null, runners: {}, tokens: { 6: 3, 8: 4 } },
  { dice: [3, 4, 2, 6], runners: { 7: 1, 8: 5 }, tokens: { 6: 3, 8: 4 } },
  { dice: [5, 3, 1, 5], runners: { 6: 4, 7: 1, 8: 6 }, tokens: { 6: 3, 8: 4 } },
  { dice: [4, 4, 2, 6], runners: { 6: 4, 7: 1, 8: 8 }, tokens: { 6: 3, 8: 4 } },
  { dice: [4, 4, 2, 6], runners: {}, tokens: { 6: 4, 7: 1, 8: 8 } },
];

/** What is shown with reduced motion: the runners on their way. */
const STILL = 3;

/** A board that plays for as long as it is on the page. */
export function demoGame() {
  const board = createBoard(
    LENGTHS,
    () => {},
    () => {},
  );
  const dice = createDice();
  const element = h("div", { class: "demo", "aria-hidden": "true" }, board.element, dice.element);

  /** @param {Frame} frame */
  function show(frame) {
    board.update(viewOf(frame), SEATS);
    dice.show(frame.dice, 4);
  }

  async function play() {
    for (let at = 0; element.isConnected; at = (at + 1) % FRAMES.length) {
      const frame = FRAMES[at];
      if (frame.dice && at < FRAMES.length - 1) await dice.settle(frame.dice);
      show(frame);
      await later(at === FRAMES.length - 1 ? 2 * PACE : PACE);
    }
  }

  show(FRAMES[STILL]);
  if (!reducedMotion()) later(PACE).then(play);
  return element;
}

/** @type {import("../net/state.js").Seat[]} */
const SEATS = [0, 1].map((colour) => ({
  kind: "human",
  name: null,
  colour,
  bot: null,
  present: true,
  substitute: null,
}));

/**
 * As much of a view as a board needs.
 * @param {Frame} frame
 */
function viewOf({ runners, tokens }) {
  const columns = (/** @type {Record<number, number>} */ spaces) =>
    LENGTHS.map((_, index) => spaces[index + 2] ?? 0);
  const owners = LENGTHS.map((_, index) => (index === 0 ? 1 : null));
  const view = {
    lengths: LENGTHS,
    seat: 0,
    tokens: [columns(tokens), columns(ORANGE)],
    runners: columns(runners),
    owners,
    splits: [],
  };
  return /** @type {View} */ (/** @type {unknown} */ (view));
}

/**
 * Unlike a pause at the table, this one lasts in a hidden tab too.
 * @param {number} milliseconds
 */
function later(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}
