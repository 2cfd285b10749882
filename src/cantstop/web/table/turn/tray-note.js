/** What lies in the tray while there is no move to pick: a bust's dead splits, the throws for the start. */

import { h } from "../../core/dom.js";
import { playedEvents } from "../../core/played-events.js";
import { seatMark } from "../../ui/seat-marks.js";
import { joinList, plural, t } from "../../words/i18n.js";
import { seatName, startThrows, stepsLost } from "../../words/sentences.js";
import { die } from "../../board/dice.js";

/** @typedef {import("../../net/state.js").State} State */

/**
 * @typedef {object} TrayNote
 * @property {string} label
 * @property {() => HTMLElement[]} cells
 */

/** The places of the dice in the pair of the first one: three ways to make two pairs. */
const PARTNERS = [1, 2, 3];

/**
 * @param {State} state
 * @returns {TrayNote | null}
 */
export function trayNote(state) {
  const throws = startThrows(state);
  if (throws) return { label: t("Who starts"), cells: () => startCells(state, throws) };
  const last = playedEvents(state.log).at(-1);
  const bust = last?.kind === "busted" || (last?.kind === "rolled" && state.view.phase === "bust");
  return bust && last ? { label: t("Bust!"), cells: () => bustCells(state, last) } : null;
}

/**
 * @param {State} state
 * @param {import("../../net/protocol.js").TableEvent} last
 */
function bustCells(state, last) {
  const seat = last.seat ?? 0;
  const roll = playedEvents(state.log).findLast((event) => event.kind === "rolled");
  const dice = roll?.kind === "rolled" ? roll.data.dice : [];
  const steps = stepsLost(state, last.n);
  return [
    ...deadSplits(dice).map(deadCell),
    h(
      "div",
      { class: "move dead lost" },
      seatMark(state.seats[seat].colour ?? seat),
      steps > 0 && h("strong", {}, lostText(steps)),
    ),
  ];
}

/** @param {number} count */
function lostText(count) {
  return plural(count, t("−{count} step", { count }), t("−{count} steps", { count }));
}

/**
 * The ways to pair four dice, those with the same sums once: each two pairs of faces.
 * @param {number[]} dice
 */
function deadSplits(dice) {
  /** @type {Map<string, number[][]>} */
  const found = new Map();
  for (const partner of PARTNERS) {
    const first = [dice[0], dice[partner]];
    const second = dice.filter((_, at) => at !== 0 && at !== partner);
    const pairs = [first, second].sort((a, b) => sum(a) - sum(b));
    found.set(pairs.map(sum).join(), pairs);
  }
  return [...found.values()];
}

/** @param {number[]} faces */
function sum(faces) {
  return faces.reduce((total, face) => total + face, 0);
}

/** @param {number[][]} pairs */
function deadCell(pairs) {
  const sums = joinList(pairs.map(sum));
  return h(
    "div",
    { class: "move dead", role: "img", "aria-label": t("{sums}: no runner can move", { sums }) },
    pairs.map((faces) =>
      h(
        "span",
        { class: "pair unused" },
        h(
          "span",
          { class: "faces" },
          faces.map((face) => die(face, "mini-die")),
        ),
        h("span", { class: "sum" }, sum(faces)),
      ),
    ),
  );
}

/**
 * @param {State} state
 * @param {(number[] | null)[]} throws
 */
function startCells({ seats, view }, throws) {
  return throws.map((dice, seat) => {
    const starts = !view.roll_off && view.seat === seat;
    const out = view.roll_off ? !view.roll_off.contenders.includes(seat) : !starts;
    const kind = starts ? "starts" : out ? "out" : "";
    const name = seatName(seats[seat], seat);
    return h(
      "div",
      { class: `move thrown ${kind}`, "data-seat": seat },
      h("span", { class: "thrower" }, seatMark(seats[seat].colour ?? seat), h("span", {}, name)),
      h(
        "span",
        { class: "faces" },
        dice?.map((face) => die(face, "mini-die")) ?? null,
        h("span", { class: "sum" }, dice ? sum(dice) : "…"),
      ),
      starts && h("span", { class: "sr-only" }, t("{name} starts.", { name })),
    );
  });
}
