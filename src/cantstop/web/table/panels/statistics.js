/** Statistics of a game: rolls and dice against what fair dice give, and a table of the players. */

import { h } from "../../core/dom.js";
import { columnShares, expectedColumns, faceShares, SIDES } from "../../core/odds.js";
import { useStyle } from "../../core/styles.js";
import { playedEvents } from "../../core/played-events.js";
import { openDialog } from "../../ui/dialog.js";
import { seatMark } from "../../ui/seat-marks.js";
import { rollsText } from "../../words/counts.js";
import { number, percent, t } from "../../words/i18n.js";
import { seatName } from "../../words/sentences.js";

useStyle("statistics");
useStyle("bars");

/** @typedef {import("../../net/state.js").State} State */

/** @param {State} state */
export function showStatistics(state) {
  const dice = rollsOf(state).map((event) => event.data.dice);
  openDialog(
    t("Statistics"),
    [
      h("h3", {}, t("Players")),
      playersTable(state),
      h("h3", {}, t("Rolls that offered each column")),
      h(
        "p",
        { class: "muted" },
        t("The bar is this game, the line what fair dice give on average. {rolls}.", {
          rolls: rollsText(dice.length),
        }),
      ),
      bars(columnShares(dice), expectedColumns(), (column) => String(column + 2)),
      h("h3", {}, t("Faces of the dice")),
      bars(faceShares(dice), Array(SIDES).fill(1 / SIDES), (face) => String(face + 1)),
    ],
    "wide",
  );
}

/**
 * The rolls of four dice; those for the start have two.
 * @param {State} state
 */
function rollsOf({ log }) {
  return log.flatMap((event) =>
    event.kind === "rolled" && event.data.dice.length === 4 ? [event] : [],
  );
}

/** @param {State} state */
function playersTable(state) {
  const head = [t("Player"), t("Turns"), t("Rolls"), t("Busts"), t("Columns")];
  return h(
    "table",
    { class: "numbers" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        head.map((text) => h("th", { scope: "col" }, text)),
      ),
    ),
    h(
      "tbody",
      {},
      state.seats.map((seat, index) => playerRow(state, index, seat.colour ?? index)),
    ),
  );
}

/**
 * @param {State} state
 * @param {number} index
 * @param {number} colour
 */
function playerRow(state, index, colour) {
  /** @param {string[]} kinds */
  const count = (...kinds) =>
    playedEvents(state.log).filter((event) => event.seat === index && kinds.includes(event.kind))
      .length;
  const rolls = rollsOf(state).filter((event) => event.seat === index);
  const cells = [count("stopped", "busted"), rolls.length, count("busted"), state.view.won[index]];
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, seatMark(colour), " ", seatName(state.seats[index], index)),
    cells.map((cell) => h("td", {}, number(cell))),
  );
}

/**
 * @param {number[]} shares
 * @param {number[]} expected
 * @param {(at: number) => string} name
 */
function bars(shares, expected, name) {
  const most = Math.max(...shares, ...expected) || 1;
  return h(
    "ul",
    { class: "bars" },
    shares.map((share, at) => {
      const bar = h("span", { class: "bar" });
      const line = h("span", { class: "expected" });
      bar.style.width = `${(100 * share) / most}%`;
      line.style.left = `${(100 * expected[at]) / most}%`;
      const words = t("{share}, expected {expected}", {
        share: percent(share),
        expected: percent(expected[at]),
      });
      return h(
        "li",
        {},
        h("span", { class: "bar-name" }, name(at)),
        h("span", { class: "bar-track", "aria-hidden": "true" }, bar, line),
        h("span", { class: "bar-words" }, words),
      );
    }),
  );
}
