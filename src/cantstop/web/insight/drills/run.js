/** Drills as a game: three minutes, or until the first mistake; and those that were missed come back. */

import { fill, h, write } from "../../core/dom.js";
import { load, save } from "../../core/prefs.js";
import { icon } from "../../ui/icons.js";
import { number, plural, t } from "../../words/i18n.js";

/** @typedef {import("../../net/protocol.js").NextDrillAnswer} Drill */
/** @typedef {"timed" | "streak"} Kind */

/**
 * @typedef {object} Ended
 * @property {Kind} kind
 * @property {number} right
 * @property {number} best  of all runs, with this one
 * @property {boolean} isBest
 */

const MISSED = "drills-missed";
const BEST = "drill-runs";
const MOST_MISSED = 60;
/** The number of other drills before a missed one comes back. */
const APART = 3;
const SECONDS = 180;

/** @returns {Drill[]} the longest ago first */
function missed() {
  return load(MISSED, /** @type {Drill[]} */ ([]));
}

/**
 * One that was answered wrong comes back; once it is answered right, it is done with.
 * @param {Drill} drill
 * @param {boolean} right
 */
export function noteAnswer(drill, right) {
  const others = missed().filter(({ id }) => id !== drill.id);
  save(MISSED, right ? others : [...others, drill].slice(-MOST_MISSED));
}

/** A run of drills, and the row of buttons that begin one. */
export class DrillRun {
  /** @param {(ended: Ended | null) => void} onChange  a run has begun, or ended */
  constructor(onChange) {
    this.onChange = onChange;
    /** @type {Kind | null} */
    this.kind = null;
    this.right = 0;
    this.since = 0;
    this.timer = 0;
    this.ends = 0;
    this.clock = h("strong", { class: "run-clock", role: "timer", "aria-live": "off" });
    this.score = h("span", { class: "run-score" });
    this.element = h("section", { class: "drill-run", "aria-label": t("Drills as a game") });
    this.draw();
  }

  draw() {
    const best = load(BEST, /** @type {Record<string, number>} */ ({}));
    /** @param {Kind} kind @param {string} picture @param {string} text */
    const button = (kind, picture, text) =>
      h(
        "button",
        { type: "button", class: "small", "data-run": kind, on: { click: () => this.begin(kind) } },
        icon(picture),
        text,
        best[kind] &&
          h("span", { class: "muted" }, t("best: {count}", { count: number(best[kind]) })),
      );
    if (this.kind)
      fill(
        this.element,
        this.kind === "timed" && this.clock,
        this.score,
        h(
          "button",
          { type: "button", class: "small run-end", on: { click: () => this.end() } },
          t("End the run"),
        ),
      );
    else
      fill(
        this.element,
        button("timed", "play", t("Three minutes")),
        button("streak", "target", t("Until the first mistake")),
      );
    write(this.score, rightText(this.right));
  }

  /** @param {Kind} kind */
  begin(kind) {
    this.stop();
    this.kind = kind;
    this.right = 0;
    if (kind === "timed") {
      this.ends = performance.now() + 1000 * SECONDS;
      this.timer = setInterval(() => this.tick(), 250);
      this.tick();
    }
    this.draw();
    this.onChange(null);
  }

  tick() {
    const left = Math.max(0, Math.ceil((this.ends - performance.now()) / 1000));
    write(this.clock, `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`);
    if (!left) this.end();
  }

  /**
   * Whether the next drill comes at once, and how the run ended if it did.
   * @param {boolean} right
   */
  answered(right) {
    const { kind } = this;
    if (kind && right) this.right += 1;
    write(this.score, rightText(this.right));
    return {
      next: Boolean(kind) && right,
      ended: kind === "streak" && !right ? this.finish() : null,
    };
  }

  end() {
    const ended = this.finish();
    if (ended) this.onChange(ended);
  }

  /** @returns {Ended | null}  null where there was no run */
  finish() {
    const { kind, right } = this;
    if (!kind) return null;
    const runs = load(BEST, /** @type {Record<string, number>} */ ({}));
    const best = Math.max(right, runs[kind] ?? 0);
    save(BEST, { ...runs, [kind]: best });
    this.stop();
    return { kind, right, best, isBest: right > (runs[kind] ?? 0) };
  }

  stop() {
    clearInterval(this.timer);
    this.kind = null;
    this.draw();
  }

  /** A drill that was missed, now and then; null where a new one is due. */
  missedDrill() {
    this.since += 1;
    if (this.since <= APART) return null;
    this.since = 0;
    return missed()[0] ?? null;
  }
}

/** @param {number} count */
function rightText(count) {
  const fields = { count: number(count) };
  return plural(count, t("{count} right answer", fields), t("{count} right answers", fields));
}

/**
 * @param {Ended} ended
 * @param {() => void} again
 */
export function runSummary({ right, best, isBest }, again) {
  return h(
    "div",
    { class: "run-summary" },
    h("h2", { tabindex: -1 }, rightText(right)),
    h("p", {}, isBest ? t("Your best so far!") : t("Your best: {count}", { count: number(best) })),
    h(
      "button",
      { type: "button", class: "primary wide run-again", on: { click: again } },
      icon("again"),
      t("Once more"),
    ),
  );
}
