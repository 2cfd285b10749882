/** One moment of a reviewed game: the board, what was done, what was best, and why. */

import { h, fill } from "../../core/dom.js";
import { analysisPath } from "../../core/paths.js";
import { link } from "../../core/router.js";
import { isOnDevice } from "../../net/api.js";
import { icon } from "../../ui/icons.js";
import { iconButton } from "../../ui/layout.js";
import { optionBars } from "../../ui/option-bars.js";
import { seatMark } from "../../ui/seat-marks.js";
import { roundOf } from "../../words/counts.js";
import { t } from "../../words/i18n.js";
import { seatName } from "../../words/sentences.js";
import { changeText } from "../../words/win-chances.js";
import { createStage } from "../stage.js";
import { chancesText, markSign } from "./chart.js";
import { happeningAt, isError, movesOf } from "./story.js";
import { gradeText } from "./words.js";

/** @typedef {import("./story.js").Story} Story */
/** @typedef {import("./story.js").Decision} Decision */
/** @typedef {import("./story.js").Mark} Mark */

/**
 * @param {Story} story
 * @param {(n: number) => void} onGo
 * @param {() => void} onShare
 */
export function createMoment(story, onGo, onShare) {
  const { answer, table } = story;
  const last = answer.moments.length - 1;
  const stage = createStage(answer.moments[0].position, story.seats);
  const title = h("h2", { id: "moment-title", tabindex: -1 });
  const told = h("div", { class: "moment-told" });
  const links = h("div", { class: "moment-links" });
  let at = 0;

  /** @param {number} by */
  const step = (by) => onGo(Math.max(0, Math.min(last, at + by)));
  /** @param {number} by  to the next or the previous moment that is worth a look */
  function leap(by) {
    const marked = story.marks.map(({ n }) => n);
    const next = by > 0 ? marked.find((n) => n > at) : marked.findLast((n) => n < at);
    if (next !== undefined) onGo(next);
  }
  const buttons = stepButtons(step, leap);

  return {
    element: h(
      "section",
      { class: "moment card", "aria-labelledby": "moment-title" },
      h("div", { class: "moment-head" }, title, h("div", { class: "moment-steps" }, buttons)),
      stage.element,
      told,
      links,
    ),
    title,
    step,
    leap,
    /** @param {number} n */
    show(n) {
      at = n;
      const decision = story.decisions.get(n);
      const { turn, position, event } = answer.moments[n];
      const { seat, text } = happeningAt(story, n);
      const shown = decision?.position ?? position;
      const inTurn = decision?.turn ?? story.rolls.get(n)?.turn ?? turn;
      fill(title, titleParts(story, seat, inTurn));
      stage.show(shown, decision && movesOf(decision));
      fill(
        told,
        h("p", { class: "happened" }, text),
        decision && decisionPart(decision, story.solo, stage.preview),
        rollPart(story, n),
        h("p", { class: "hint" }, t("Afterwards: {chances}", { chances: chancesText(story, n) })),
      );
      fill(links, linksFrom(shown, table, event, onShare));
      const ends = [at <= (story.marks[0]?.n ?? last), at === 0, at === last];
      ends.push(at >= (story.marks.at(-1)?.n ?? 0));
      buttons.forEach((button, index) => (button.disabled = ends[index]));
    },
  };
}

/**
 * @param {Story} story
 * @param {number} seat
 * @param {number} turn
 */
function titleParts({ seats }, seat, turn) {
  const where = { round: roundOf(turn, seats.length), name: seatName(seats[seat], seat) };
  return [seatMark(seats[seat].colour ?? seat), " ", t("Round {round}, {name}", where)];
}

/**
 * @param {(by: number) => void} step
 * @param {(by: number) => void} leap
 */
function stepButtons(step, leap) {
  return [
    iconButton("first", t("Previous moment worth a look"), () => leap(-1), keyed("p")),
    iconButton("back", t("One step back"), () => step(-1), keyed("ArrowLeft")),
    iconButton("forward", t("One step on"), () => step(1), keyed("ArrowRight")),
    iconButton("last", t("Next moment worth a look"), () => leap(1), keyed("n")),
  ];
}

/**
 * Where a moment leads: its analysis, and at a table its replay and a link to share.
 * @param {string} position
 * @param {string | null} table
 * @param {number | null} event
 * @param {() => void} onShare
 */
function linksFrom(position, table, event, onShare) {
  const share = () =>
    h(
      "button",
      { type: "button", class: "small", on: { click: onShare } },
      icon("share"),
      t("Share"),
    );
  return [
    link(
      analysisPath(position),
      { class: "button small" },
      icon("search"),
      t("Analyse this position"),
    ),
    table !== null &&
      event !== null &&
      link(`/t/${table}?n=${event}`, { class: "button small" }, icon("play"), t("Replay")),
    table !== null && !isOnDevice(table) && share(),
  ];
}

/**
 * @param {import("./story.js").Decision} decision
 * @param {boolean} solo
 * @param {ReturnType<typeof createStage>["preview"]} onPick
 */
function decisionPart(decision, solo, onPick) {
  const isMove = movesOf(decision).length > 0;
  return [
    verdictLine(decision, solo),
    optionBars(decision.options, { solo, chosen: decision.chosen, ...(isMove && { onPick }) }),
    decision.why && h("p", { class: "why" }, decision.why),
  ];
}

/** @param {string} key */
function keyed(key) {
  return { "aria-keyshortcuts": key };
}

/**
 * The grade of a decision, and what it gave away.
 * @param {Decision} decision
 * @param {boolean} solo
 */
function verdictLine(decision, solo) {
  if (!isError(decision))
    return h(
      "p",
      { class: "grade-line good" },
      icon("check"),
      decision.grade === "best" ? t("The best option.") : t("Fine: about as good as the best."),
    );
  return h(
    "p",
    { class: "grade-line" },
    markSign(/** @type {Mark["kind"]} */ (decision.grade)),
    h("strong", {}, gradeText(decision.grade)),
    ` ${changeText(-decision.error, solo)}`,
  );
}

/**
 * What the dice of an event brought.
 * @param {Story} story
 * @param {number} n
 */
function rollPart({ rolls, solo }, n) {
  const roll = rolls.get(n);
  if (!roll) return null;
  return h(
    "p",
    { class: roll.luck < 0 ? "roll-line bad" : "roll-line good" },
    t("The roll {dice}: luck {luck}.", {
      dice: roll.dice.join(" "),
      luck: changeText(roll.luck, solo),
    }),
  );
}
