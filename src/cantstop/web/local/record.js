/** The record of a local table as text (docs/notation.md), as `record/write.py` writes it. */

import { diceText } from "../engine/notation.js";
import { playedEvents } from "./table.js";

/** @typedef {import("./table.js").Table} Table */

const FORMAT = 1;

/** @param {Table} table */
export function recordText(table) {
  const lines = headers(table).map(([key, value]) => `[${key} ${quoted(value)}]`);
  return [...lines, "", ...turns(table)].join("\n") + "\n";
}

/**
 * @param {Table} table
 * @returns {[string, string][]}
 */
function headers({ opened, seats, log, ended, game }) {
  const numbers = (/** @type {"hinted" | "resigned"} */ what) =>
    seats.flatMap((seat, at) => (seat[what] ? [at + 1] : [])).join();
  const dice = opened.entered ? "entered" : "secure";
  const start = game.initial(opened.youngest);
  return /** @type {[string, string][]} */ (
    [
      ["Cantstop", `${FORMAT}`],
      ["Rules", opened.rules],
      opened.youngest !== 0 && ["Position", game.text(start)],
      ["Edition", opened.edition],
      ["Date", log[0].at.slice(0, 10)],
      ...seats.map(({ name }, at) => [`Seat${at + 1}`, name]),
      ended !== null && ["Ended", ended],
      numbers("hinted") && ["Hints", numbers("hinted")],
      numbers("resigned") && ["Resigned", numbers("resigned")],
      opened.lesson === null && ["Dice", dice],
    ].filter(Boolean)
  );
}

/** @param {string} value */
function quoted(value) {
  return `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

/**
 * A line for the throws of each round of the roll-off, one for each turn, and the result.
 * @param {Table} table
 */
function turns(table) {
  const { game, opened } = table;
  let position = game.initial(opened.youngest);
  const lines = [];
  let turn = 0;
  let line = "";
  for (const event of playedEvents(table)) {
    const { rollOff, seat } = position;
    if (!line && rollOff) line = "start";
    else if (!line) line = `${(turn += 1)}. (${seat + 1})`;
    let over = false;
    if (event.kind === "rolled") {
      const thrown = diceText(event.data.dice, game.rules.sides);
      line += rollOff ? ` ${seat + 1}:${thrown}` : ` ${thrown}`;
      position = game.roll(position, event.data.dice);
      over = rollOff !== null && rollOff.sums.length + 1 === rollOff.contenders.length;
    } else if (event.kind === "moved") {
      line += `=${event.data.move}`;
      position = game.move(position, event.data.move.split("+").map(Number));
    } else {
      const stopped = event.kind === "stopped";
      line += stopped ? " stop" : "=bust";
      position = stopped ? game.stop(position) : game.bust(position);
      over = true;
    }
    if (over) {
      lines.push(line);
      line = "";
    }
  }
  return [...lines, ...(line ? [line] : []), result(position.winners)];
}

/** @param {number[] | null} winners */
function result(winners) {
  if (!winners) return "*";
  const word = winners.length === 1 ? "won" : "shared";
  return [word, ...winners.map((seat) => seat + 1)].join(" ");
}
