/** The turns of a game, each with pictures of its rolls: a tap goes there. */

import { h } from "../../core/dom.js";
import { playedEvents } from "../../core/played-events.js";
import { seatMark } from "../../ui/seat-marks.js";
import { t } from "../../words/i18n.js";
import { eventText, seatName } from "../../words/sentences.js";
import { die } from "../../board/dice.js";

/** @typedef {import("../../net/state.js").State} State */
/** @typedef {import("../../net/protocol.js").TableEvent} TableEvent */

/** What is in the list: rolls, and how the turn ended. */
const LISTED = ["rolled", "stopped", "busted"];

/**
 * @param {State} last
 * @param {(n: number) => void} onPick
 */
export function createTurnList(last, onPick) {
  /** @type {{n: number, button: HTMLElement}[]} */
  const steps = [];
  const list = h(
    "ol",
    { class: "turns", "aria-label": t("Turns") },
    turnsOf(playedEvents(last.log)).map((events) => row(events)),
  );

  /** @param {TableEvent[]} events */
  function row(events) {
    const seat = events[0].seat ?? 0;
    return h(
      "li",
      {},
      seatMark(last.seats[seat].colour ?? seat),
      h("span", { class: "sr-only" }, seatName(last.seats[seat], seat)),
      events.map(step),
    );
  }

  /** @param {TableEvent} event */
  function step(event) {
    const name = eventText(event, last);
    const button = h(
      "button",
      {
        type: "button",
        class: `turn-step ${event.kind}`,
        "data-n": event.n,
        "aria-label": name,
        title: name,
        on: { click: () => onPick(event.n) },
      },
      event.kind === "rolled"
        ? event.data.dice.map((face) => die(face, "mini-die"))
        : ending(event),
    );
    steps.push({ n: event.n, button });
    return button;
  }

  return {
    element: list,
    /** @param {number} n  the event that is shown */
    update(n) {
      const now = steps.findLast((each) => each.n <= n)?.button;
      for (const { button } of steps)
        if (button === now) button.setAttribute("aria-current", "step");
        else button.removeAttribute("aria-current");
      // only the list itself scrolls: the board stays where it is
      if (now && list.scrollHeight > list.clientHeight)
        list.scrollTop = now.offsetTop - list.clientHeight / 2;
    },
  };
}

/** @param {TableEvent} event */
function ending(event) {
  if (event.kind === "busted") return t("Bust!");
  return event.kind === "stopped" && event.data.won.length
    ? `★ ${event.data.won.join(" ")}`
    : t("Stop");
}

/**
 * The listed events, turn by turn; the throws for the start come first.
 * @param {TableEvent[]} log
 */
function turnsOf(log) {
  /** @type {TableEvent[][]} */
  const turns = [];
  let open = false;
  for (const event of log) {
    if (!LISTED.includes(event.kind)) continue;
    if (open) turns.at(-1)?.push(event);
    else turns.push([event]);
    const thrownForStart = event.kind === "rolled" && event.data.dice.length === 2;
    open = event.kind === "rolled" && !thrownForStart;
  }
  return turns;
}
