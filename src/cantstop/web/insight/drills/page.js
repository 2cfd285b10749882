/** Drills: a position with one good answer, what every answer is worth, and why; then the next. */

import { h, fill, setAttribute } from "../../core/dom.js";
import { analysisPath } from "../../core/paths.js";
import { readPosition } from "../../core/position.js";
import { load, prefs, save } from "../../core/prefs.js";
import { link } from "../../core/router.js";
import { useStyle } from "../../core/styles.js";
import { send } from "../../net/api.js";
import { listenToKeys } from "../../board/keyboard.js";
import { announce } from "../../ui/dialog.js";
import { icon } from "../../ui/icons.js";
import { pageFrame } from "../../ui/layout.js";
import { optionBars } from "../../ui/option-bars.js";
import { seatMark } from "../../ui/seat-marks.js";
import { number, t } from "../../words/i18n.js";
import { earlyWords, rulesText, sharingWords } from "../../words/rules-text.js";
import { createQuestion, createStage } from "../stage.js";
import { DrillRun, noteAnswer, runSummary } from "./run.js";
import {
  keepProgress,
  myProgress,
  progressLine,
  progressFile,
  replaceProgress,
} from "./progress.js";

useStyle("forms");
useStyle("drills");

/** @typedef {import("../../core/position.js").Position} Position */
/** @typedef {import("../../net/protocol.js").NextDrillAnswer} Drill */
/** @typedef {import("../../net/protocol.js").VerdictAnswer} Verdict */
/** @typedef {import("../../net/protocol.js").Topic} Topic */
/** @typedef {import("../../net/api.js").ApiError} ApiError */
/** @typedef {import("../../net/state.js").Seat} Seat */
/** @typedef {import("./progress.js").Progress} Progress */

/**
 * A drill on the page, and what was answered.
 * @typedef {object} Shown
 * @property {Drill} drill
 * @property {string | null} answer
 * @property {Progress | null} before  the progress that the answer was given with
 * @property {boolean} kept  whether the progress after it is
 */

/** @typedef {{topic: Topic | null, players: number | null}} Choice */

const CHOICE = "drill-choice";

/** @type {Shown | null} it outlives the page: another language, or a look elsewhere, changes nothing */
let shown = null;

/** @returns {import("../../core/router.js").Page} */
export default function drillPage() {
  const title = t("Drills");
  const drills = new Drills();
  const stopKeys = listenToKeys({
    n: () => /** @type {HTMLElement | null} */ (drills.place.querySelector(".drill-next"))?.click(),
  });
  drills.begin();
  return {
    title,
    element: pageFrame("drill", [
      h("h1", { tabindex: -1 }, title),
      drills.figures,
      drills.run.element,
      choices(() => drills.next()),
      drills.place,
      h(
        "p",
        { class: "hint keys-hint" },
        t("Keys: 1 to 6 for a move, R to roll, S to stop, N for the next drill."),
      ),
      progressFile(() => {
        drills.showFigures();
        drills.next();
      }),
    ]),
    leave() {
      stopKeys();
      drills.close();
    },
  };
}

/** The drill on the page, and the figures of the progress above it. */
class Drills {
  constructor() {
    this.figures = h("section", { class: "drill-progress", "aria-label": t("Your progress") });
    this.place = h("section", { class: "drill card", "aria-busy": "true" });
    this.leaving = new AbortController();
    this.leave = () => {};
    this.asked = 0;
    this.run = new DrillRun((ended) => (ended ? this.showRun(ended) : this.next(true)));
  }

  begin() {
    this.showFigures();
    if (shown) this.showDrill(shown, false);
    else this.next();
  }

  close() {
    this.run.stop();
    this.leaving.abort();
    this.leave();
  }

  showFigures() {
    fill(this.figures, progressLine(myProgress()));
  }

  /** @param {import("../../core/dom.js").Child[]} content */
  show(content) {
    this.leave();
    this.leave = () => {};
    fill(this.place, content);
    setAttribute(this.place, "aria-busy", null);
  }

  /**
   * Ask the server; what it refuses is said, with a way on. Null where that is so, and where
   * something else was asked for meanwhile.
   * @template T
   * @param {string} path
   * @param {object} body
   * @param {() => void} again
   * @returns {Promise<T | null>}
   */
  async ask(path, body, again) {
    const turn = ++this.asked;
    const isOver = () => this.leaving.signal.aborted || turn !== this.asked;
    setAttribute(this.place, "aria-busy", "true");
    try {
      const told = JSON.stringify(body);
      const answered = await send("POST", path, told, { signal: this.leaving.signal });
      const found = await answered.json();
      return isOver() ? null : found;
    } catch (error) {
      if (!isOver()) this.show(this.problemOf(/** @type {ApiError} */ (error), again));
      return null;
    }
  }

  /** @param {boolean} [focus]  whether screen readers and keys go on with the new question */
  async next(focus = false) {
    shown = null;
    const again = this.run.missedDrill();
    if (again) {
      shown = { drill: again, answer: null, before: null, kept: false };
      this.showDrill(shown, focus);
      return;
    }
    const { topic, players } = choice();
    const body = { progress: myProgress(), topic, players };
    /** @type {Drill | null} */
    const drill = await this.ask("/api/drills/next", body, () => this.next(true));
    if (!drill) return;
    shown = { drill, answer: null, before: null, kept: false };
    this.showDrill(shown, focus);
  }

  /**
   * @param {Shown} current
   * @param {boolean} focus
   */
  showDrill(current, focus) {
    const { drill } = current;
    const position = readPosition(drill.position);
    const seats = seatsOf(position);
    const stage = createStage(drill.position, seats);
    const question = createQuestion(stage, (action) => this.answer(current, action));
    stage.show(drill.position, /\d/.test(drill.answers[0]) ? drill.answers : []);
    const heading = h("h2", { class: "drill-title", tabindex: -1 });
    const difficulty = t("Difficulty {number}", { number: number(drill.difficulty) });
    this.show([
      h(
        "div",
        { class: "drill-ask" },
        heading,
        h("p", { class: "hint drill-kind" }, [topicNames()[drill.topic], difficulty].join(" · ")),
        seatList(seats, stage.view().owners, position),
        rulesOf(drill, position),
      ),
      stage.element,
      question.element,
    ]);
    this.place.dataset.drill = drill.id;
    this.leave = question.leave;
    fill(heading, question.ask() ? t("Which move?") : t("Stop, or roll again?"));
    if (focus) {
      heading.focus({ preventScroll: true });
      heading.scrollIntoView({ block: "nearest" });
    } else if (current.answer === null) announce(heading.textContent ?? "");
    if (current.answer !== null) this.answer(current, current.answer);
  }

  /**
   * @param {Shown} current
   * @param {string} action
   */
  async answer(current, action) {
    if (this.place.hasAttribute("aria-busy") || this.place.querySelector(".drill-verdict")) return;
    if (current.answer === null) Object.assign(current, { answer: action, before: myProgress() });
    const { drill, before, kept } = current;
    const body = { drill: drill.id, answer: current.answer, progress: before };
    /** @type {Verdict | null} */
    const verdict = await this.ask("/api/drills/answer", body, () => this.showDrill(current, true));
    if (!verdict) return;
    if (!kept) keepProgress(verdict.progress);
    if (!kept) noteAnswer(drill, verdict.right);
    current.kept = true;
    this.showFigures();
    const { next, ended } = this.run.answered(verdict.right);
    if (next) return void this.next(true);
    this.showVerdict(current, verdict, !kept);
    if (ended) this.place.append(runSummary(ended, () => this.run.begin(ended.kind)));
  }

  /**
   * @param {Shown} current
   * @param {Verdict} verdict
   * @param {boolean} isNew  whether it was answered just now
   */
  showVerdict(current, verdict, isNew) {
    const on = h(
      "button",
      {
        type: "button",
        class: "primary wide drill-next",
        "aria-keyshortcuts": "n",
        on: { click: () => this.next(true) },
      },
      t("Next drill"),
    );
    /** @type {HTMLElement} */ (this.place.querySelector(".question")).hidden = true;
    this.place.append(verdictPart(current, verdict, on));
    setAttribute(this.place, "aria-busy", null);
    if (!isNew) return;
    announce([verdict.verdict, ...verdict.reasons].join(" "));
    on.focus({ preventScroll: true });
    on.scrollIntoView({ block: "nearest" });
  }

  /**
   * A run is over.
   * @param {import("./run.js").Ended} ended
   */
  showRun(ended) {
    shown = null;
    this.asked += 1; // what was on its way comes too late
    this.show([runSummary(ended, () => this.run.begin(ended.kind))]);
    /** @type {HTMLElement | null} */ (this.place.querySelector("h2"))?.focus();
  }

  /**
   * @param {ApiError} error
   * @param {() => void} again
   */
  problemOf({ message, code }, again) {
    // the progress on this device is no progress: it is put aside, not lost
    const anew = () => {
      replaceProgress(null);
      this.showFigures();
      this.next(true);
    };
    const isDamaged = code === "malformed";
    return [
      h("p", { class: "problem", role: "alert" }, message),
      code !== "not-found" &&
        h(
          "button",
          { type: "button", class: "primary", on: { click: isDamaged ? anew : again } },
          isDamaged ? t("Start over") : t("Try again"),
        ),
    ];
  }
}

/**
 * What an answer was worth, what the others are, and why.
 * @param {Shown} current
 * @param {Verdict} verdict
 * @param {HTMLElement} on  the button to the next drill
 */
function verdictPart({ drill, answer: given, before }, verdict, on) {
  return h(
    "div",
    { class: "drill-verdict" },
    h(
      "p",
      {
        class: verdict.right ? "grade-line good" : "grade-line bad",
        "data-right": String(verdict.right),
      },
      icon(verdict.right ? "check" : "close"),
      h("strong", {}, verdict.verdict),
      h("span", { class: "hint" }, changeText(before, verdict.progress)),
    ),
    optionBars(verdict.options, { solo: drill.solo, chosen: given, tag: t("your answer") }),
    h(
      "p",
      { class: "hint" },
      drill.solo
        ? t("How many turns will follow this one, on average.")
        : t("The chance to win if everybody plays their best."),
    ),
    h(
      "ul",
      { class: "reasons" },
      verdict.reasons.map((reason) => h("li", {}, reason)),
    ),
    on,
    link(
      analysisPath(drill.position),
      { class: "button small" },
      icon("search"),
      t("Analyse this position"),
    ),
  );
}

/** @returns {Choice} */
function choice() {
  return { topic: null, players: null, ...load(CHOICE, {}) };
}

/** @returns {Record<Topic, string>} */
function topicNames() {
  return {
    stop: t("Stop or roll"),
    move: t("Which move"),
    opening: t("The opening"),
    end: t("The end of the game"),
    variant: t("Variants"),
  };
}

/**
 * What to practise.
 * @param {() => void} onChange
 */
function choices(onChange) {
  const { topic, players } = choice();
  const topics = h(
    "select",
    { "data-field": "topic", on: { change } },
    option("", t("Mixed"), topic === null),
    Object.entries(topicNames()).map(([name, text]) => option(name, text, name === topic)),
  );
  const counts = h(
    "select",
    { "data-field": "players", on: { change } },
    option("", "1 – 4", players === null),
    [1, 2, 3, 4].map((count) => option(String(count), number(count), count === players)),
  );

  function change() {
    save(CHOICE, { topic: topics.value || null, players: Number(counts.value) || null });
    onChange();
  }

  return h(
    "div",
    { class: "drill-choice" },
    h("label", {}, h("span", {}, t("Theme")), topics),
    h("label", {}, h("span", {}, t("Players")), counts),
  );
}

/**
 * @param {string} value
 * @param {string} text
 * @param {boolean} selected
 */
function option(value, text, selected) {
  return h("option", { value, selected }, text);
}

/**
 * Whoever practises has their own colour, and the others what is left.
 * @param {Position} position
 * @returns {Seat[]}
 */
function seatsOf({ tokens, seat: mine }) {
  const others = [0, 1, 2, 3].filter((colour) => colour !== prefs().colour);
  return tokens.map((_, seat) => ({
    kind: "human",
    name: seat === mine ? t("You") : t("Player {number}", { number: seat + 1 }),
    colour: seat === mine ? prefs().colour : others[seat < mine ? seat : seat - 1],
    bot: null,
    present: true,
    substitute: null,
  }));
}

/**
 * Who has which pieces, and how many columns.
 * @param {Seat[]} seats
 * @param {(number | null)[]} owners  of the columns
 * @param {Position} position
 */
function seatList(seats, owners, { seat: turn, win }) {
  /** @param {number} seat */
  const wonBy = (seat) => owners.filter((owner) => owner === seat).length;
  return h(
    "ul",
    { class: "drill-seats" },
    seats.map(({ name, colour }, seat) =>
      h(
        "li",
        { class: seat === turn ? "mine" : null },
        seatMark(colour ?? seat),
        h("span", {}, name),
        h("span", { class: "muted" }, t("{won} of {win}", { won: wonBy(seat), win })),
      ),
    ),
  );
}

/**
 * What is not as in most games.
 * @param {Drill} drill
 * @param {Position} position
 */
function rulesOf({ topic }, position) {
  if (topic !== "variant") return null;
  const { early, sharing } = position;
  const sentences = [early && earlyWords(), sharing !== "free" && sharingWords()[sharing]];
  return h(
    "p",
    { class: "hint drill-rules" },
    h("strong", {}, rulesText(position)),
    sentences.filter(Boolean).map((sentence) => ` ${sentence}`),
  );
}

/**
 * What an answer has done to the rating.
 * @param {Progress | null} before
 * @param {Progress} after
 */
function changeText(before, after) {
  const rating = number(after.rating);
  if (!before) return t("Rating {rating}", { rating });
  const change = Math.round(after.rating) - Math.round(before.rating);
  const signed = change < 0 ? `−${number(-change)}` : `+${number(change)}`;
  return t("Rating {rating} ({change})", { rating, change: signed });
}
