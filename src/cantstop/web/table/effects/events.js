/** Lets people follow what happens: each event with its movement, sound and words. */

import { moment } from "../../device/motion.js";
import { play as sound } from "../../device/sound.js";
import { celebrate, shake, stamp } from "./animations.js";
import { showReaction } from "../panels/reactions.js";
import { announce } from "../../ui/dialog.js";
import { listed, t } from "../../words/i18n.js";
import { eventText, seatName } from "../../words/sentences.js";

/** @typedef {import("../../net/protocol.js").State} State */
/** @typedef {import("../../net/protocol.js").TableEvent} TableEvent */

/**
 * @typedef {object} Scene
 * @property {HTMLElement} area  around the board
 * @property {import("../turn/dice.js").Dice} dice
 * @property {{at: (index: number) => Element | undefined}} players
 * @property {() => void} draw  the state as it is now
 */

/** @typedef {(scene: Scene, event: TableEvent, after: State) => Promise<void> | void} Act */

/**
 * @param {Scene} scene
 * @param {TableEvent} event
 * @param {State} after
 */
export async function showEvent(scene, event, after) {
  announce(eventText(event, after));
  const act = ACTS[event.kind];
  if (act) await act(scene, event, after);
  else scene.draw();
}

/** @type {Record<string, Act>} */
const ACTS = {
  async rolled({ dice, draw }, event, { view }) {
    sound("roll");
    await dice.settle(event.data.dice);
    draw();
    if (view.phase === "start" || view.dice === null) await moment(900);
  },
  async moved({ draw }) {
    sound("step");
    draw();
    await moment(350);
  },
  async stopped({ area, draw }, { data }) {
    sound(data.won.length ? "column" : "stop");
    draw();
    if (data.won.length) await stamp(area, wonText(data.won), "column", 1000);
    else await moment(300);
  },
  async busted({ area, draw }) {
    sound("bust");
    shake(area);
    await stamp(area, t("Bust!"), "bust", 1200);
    draw();
  },
  finished({ draw }, { data }, { seats }) {
    sound("win");
    draw();
    celebrate([
      ...data.winners.map((/** @type {number} */ seat) => colourOf(seats[seat].colour)),
      "#ffd21f",
      "#fffaf0",
    ]);
  },
  reacted({ players, draw }, { seat, data }) {
    draw();
    sound("react");
    showReaction(players.at(seat ?? -1), data.reaction);
  },
};

/** @param {number[]} won */
function wonText(won) {
  return won.length === 1
    ? t("Column {column}!", { column: won[0] })
    : t("Columns {columns}!", { columns: listed(won) });
}

/** @param {number} colour */
function colourOf(colour) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--seat-${colour}`).trim();
}

/**
 * Say whose turn begins, to the eye where one screen goes round and to the ear always.
 * @param {HTMLElement} area
 * @param {State} before
 * @param {State} after
 * @param {number[]} mine  the seats at this browser
 */
export function showTurn(area, before, after, mine) {
  if (
    after.stage !== "playing" ||
    after.view.phase !== "roll" ||
    before.view.turn === after.view.turn
  )
    return;
  const name = seatName(after.seats[after.view.seat], after.view.seat);
  const here = mine.includes(after.view.seat);
  announce(here && mine.length === 1 ? t("It is your turn.") : t("It is {name}’s turn.", { name }));
  if (here) sound("turn");
  if (here && mine.length > 1) stamp(area, name, "turn", 700);
}
