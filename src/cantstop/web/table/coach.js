/**
 * The coach of the first games for real: one advice and one reason, on the button that it means. It
 * speaks less in each game: always, where it matters, where a mistake is near.
 */

import { coachedGame, endCoaching, noteCoached } from "../core/coaching.js";
import { fill, h, s } from "../core/dom.js";
import { useStyle } from "../core/styles.js";
import { choiceReason, moveReason } from "../insight/reasons.js";
import { fetchHint } from "../insight/requests.js";
import { announce } from "../ui/dialog.js";
import { fitText } from "../ui/fit-text.js";
import { t } from "../words/i18n.js";
import { statusText } from "../words/sentences.js";
import { actionText, worthText } from "../words/win-chances.js";

useStyle("coach");

/** @typedef {import("../net/state.js").State} State */
/** @typedef {import("../net/session.js").Session} Session */
/** @typedef {import("../net/protocol.js").HintAnswer} Hint */

/** What an option has to be worth more than the next, for a word in each of the games. */
const MATTERS = [0, 0.015, 0.04];
const TEN = 10;

/** The coach at a table. */
export class Coach {
  /**
   * @param {Session} session
   * @param {number} game  which of the coached ones it is, from 1
   */
  constructor(session, game) {
    this.session = session;
    this.game = game;
    /** the position that it was asked about last */
    this.asked = "";
    this.words = h("div", { class: "coach-words" });
    this.element = h("aside", { class: "coach for-real", role: "note" }, signFace(), this.words);
    noteCoached(session.id);
  }

  /** @param {State} state */
  update(state) {
    const { view, stage } = state;
    const { session } = this;
    this.element.setAttribute("aria-label", t("Coach"));
    this.element.hidden = stage === "over";
    const deciding = stage === "playing" && session.myTurn && !session.pending;
    const open = deciding && (view.phase === "move" || view.phase === "choice");
    if (open && this.asked === view.position) return;
    this.asked = "";
    point("");
    this.say(state, "", "");
    if (open) this.advise(state);
  }

  /** @param {State} state */
  async advise(state) {
    const { position } = state.view;
    this.asked = position;
    const { id, secret } = this.session;
    const hint = await fetchHint(id, secret).catch(() => null);
    if (this.asked !== position || !hint || !this.element.isConnected) return;
    const [best, second] = hint.options;
    if (!second || best.win - second.win < MATTERS[this.game - 1]) return;
    const [advice, reason] = [actionText(best.move), reasonOf(state, hint)];
    this.say(state, advice, reason);
    announce(`${t("{advice}:", { advice })} ${reason}`);
    point(best.move === "stop" || best.move === "roll" ? best.move : "moves", best.move);
  }

  /**
   * @param {State} state
   * @param {string} advice  what to do; empty where that is the player's own affair
   * @param {string} reason
   */
  say(state, advice, reason) {
    const { view } = state;
    const [bad, all] = view.bust_chance ?? [0, 1];
    fill(
      this.words,
      h(
        "p",
        {},
        advice ? h("strong", {}, t("{advice}:", { advice })) : null,
        advice && " ",
        reason || statusText(state, this.session.mine),
      ),
      advice && view.phase === "choice" && bad > 0 && rolls(bad / all),
      h(
        "p",
        { class: "coach-foot muted" },
        h(
          "span",
          { class: "coach-game" },
          t("Game {game} of 3 with the coach.", { game: this.game }),
          " ",
        ),
        h(
          "button",
          { type: "button", class: "coach-alone", on: { click: () => this.end() } },
          t("I can do it alone"),
        ),
      ),
    );
    fitText(this.element); // an advice comes after the table was drawn
  }

  end() {
    endCoaching();
    this.element.remove();
    point("");
  }

  leave() {
    point("");
  }
}

/**
 * The coach looks on where one person plays against bots with hints.
 * @param {State} state
 */
export function mayCoach({ id, lesson, hints, mode, daily, seats }) {
  const people = seats.filter((seat) => !seat.bot).length;
  if (lesson || !hints || mode === "online" || daily || people !== 1 || seats.length < 2)
    return null;
  return coachedGame(id);
}

/**
 * @param {State} state
 * @param {Hint} hint
 */
function reasonOf({ view }, { options, solo }) {
  const [best, second] = options;
  if (best.move === "stop" || best.move === "roll") return choiceReason(view, best.move);
  return moveReason(view, best, second, (worth) => worthText(worth, solo));
}

/**
 * Mark the button that is meant.
 * @param {string} kind
 * @param {string} [move]
 */
function point(kind, move = "") {
  document.documentElement.dataset.point = kind === "moves" ? "" : kind;
  for (const button of document.querySelectorAll(".move"))
    button.classList.toggle(
      "advised",
      kind === "moves" && /** @type {HTMLElement} */ (button).dataset.move === move,
    );
}

/** Ten rolls, those that can be used before those that bust. @param {number} risk */
function rolls(risk) {
  const good = Math.round(TEN * (1 - risk));
  return h(
    "div",
    { class: "ten-rolls", "aria-hidden": "true" },
    Array.from({ length: TEN }, (_, at) => h("span", { class: at < good ? "usable" : "" })),
  );
}

/** A stop sign that smiles. */
function signFace() {
  const stroke = { fill: "none", stroke: "#fffaf0", "stroke-width": 4, "stroke-linecap": "round" };
  return s(
    "svg",
    { class: "coach-face", viewBox: "0 0 100 100", "aria-hidden": "true" },
    s("polygon", { class: "logo-rim", points: "29,0 71,0 100,29 100,71 71,100 29,100 0,71 0,29" }),
    s("polygon", { class: "logo-line", points: "31,5 69,5 95,31 95,69 69,95 31,95 5,69 5,31" }),
    [35, 65].map((cx) => s("circle", { cx, cy: 42, r: 8, fill: "#fffaf0" })),
    [36, 66].map((cx) => s("circle", { cx, cy: 44, r: 4.5, fill: "#22252d" })),
    s("path", { d: "M30 64q20 18 40 0", ...stroke }),
  );
}
