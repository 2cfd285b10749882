/** One's own mistakes once more: the same positions, a new answer, and its grade. */

import { h, fill } from "../../core/dom.js";
import { link } from "../../core/router.js";
import { announce } from "../../ui/dialog.js";
import { icon } from "../../ui/icons.js";
import { optionBars } from "../../ui/option-bars.js";
import { roundOf } from "../../words/counts.js";
import { t } from "../../words/i18n.js";
import { seatName } from "../../words/sentences.js";
import { actionText, changeText } from "../../words/win-chances.js";
import { createQuestion, createStage } from "../stage.js";
import { markSign } from "./chart.js";
import { mistakesOf, movesOf } from "./story.js";
import { gradeText } from "./words.js";

/** @typedef {import("./story.js").Story} Story */
/** @typedef {import("./story.js").Decision} Decision */
/** @typedef {import("./story.js").Mark} Mark */
/** @typedef {Decision["options"][number]} Choice */

/** The mistakes of a seat, asked again one after the other. */
export class Retry {
  /**
   * @param {Story} story
   * @param {number} seat  whose mistakes
   * @param {string} back  the address of the review
   */
  constructor(story, seat, back) {
    this.story = story;
    this.back = back;
    this.decisions = mistakesOf(story, seat);
    this.stage = createStage(story.answer.moments[0].position, story.seats);
    this.question = createQuestion(this.stage, (action) => this.answer(action));
    this.title = h("h2", { class: "retry-title", tabindex: -1 });
    this.place = h("p", { class: "hint retry-place" });
    this.verdict = h("div", { class: "retry-verdict" });
    this.element = h("section", { class: "retry card" });
    /** @type {Choice[]} the answers so far */
    this.answers = [];
    this.at = 0;
    if (this.decisions.length) this.again();
    else
      fill(
        this.element,
        h(
          "h2",
          { class: "retry-title", tabindex: -1 },
          t("{name} made no mistakes.", { name: seatName(story.seats[seat], seat) }),
        ),
        link(back, { class: "button" }, t("Back to the review")),
      );
  }

  ask() {
    const decision = this.decisions[this.at];
    this.stage.show(decision.position, movesOf(decision));
    const isMove = this.question.ask();
    fill(this.title, isMove ? t("Which move?") : t("Stop, or roll again?"));
    fill(
      this.place,
      t("{at} of {count} · round {round}", {
        at: this.at + 1,
        count: this.decisions.length,
        round: roundOf(decision.turn, this.story.seats.length),
      }),
    );
    fill(this.verdict);
    this.title.focus({ preventScroll: true });
  }

  /** @param {string} action */
  answer(action) {
    const decision = this.decisions[this.at];
    const chosen = decision.options.find((option) => option.move === action);
    if (!chosen || this.answers.length > this.at) return;
    this.answers.push(chosen);
    this.question.element.hidden = true;
    const last = this.at + 1 === this.decisions.length;
    const next = h(
      "button",
      { type: "button", class: "primary wide retry-next", on: { click: () => this.goOn() } },
      last ? t("To the summary") : t("Next"),
    );
    fill(
      this.verdict,
      this.gradeLine(chosen, decision),
      optionBars(decision.options, {
        solo: this.story.solo,
        chosen: action,
        tag: t("your answer"),
      }),
      decision.why && h("p", { class: "why" }, decision.why),
      next,
    );
    announce(this.gradeWords(chosen, decision));
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  }

  goOn() {
    this.at += 1;
    if (this.at < this.decisions.length) this.ask();
    else this.summarise();
  }

  /**
   * @param {Choice} chosen
   * @param {Decision} decision
   */
  gradeWords({ move, grade, win }, { chosen, options }) {
    if (grade === "best") return t("Best!");
    if (grade === "fine") return t("Fine: about as good as the best.");
    const lost = changeText(win - options[0].win, this.story.solo);
    return move === chosen
      ? t("The same again: {lost}.", { lost })
      : `${gradeText(grade)}: ${lost}.`;
  }

  /**
   * @param {Choice} chosen
   * @param {Decision} decision
   */
  gradeLine(chosen, decision) {
    const good = chosen.grade === "best" || chosen.grade === "fine";
    return h(
      "p",
      { class: good ? "grade-line good" : "grade-line", "data-grade": chosen.grade },
      good ? icon("check") : markSign(/** @type {Mark["kind"]} */ (chosen.grade)),
      h("strong", {}, this.gradeWords(chosen, decision)),
      h(
        "span",
        { class: "hint" },
        t("In the game: {action}", { action: actionText(decision.chosen) }),
      ),
    );
  }

  summarise() {
    const good = this.answers.filter(({ grade }) => grade === "best" || grade === "fine").length;
    fill(
      this.element,
      h(
        "h2",
        { class: "retry-title", tabindex: -1 },
        t("{good} of {count} put right", { good, count: this.decisions.length }),
      ),
      h(
        "ul",
        { class: "retry-list" },
        this.decisions.map((decision, index) => this.summaryRow(decision, this.answers[index])),
      ),
      h(
        "div",
        { class: "actions" },
        good < this.decisions.length &&
          h(
            "button",
            { type: "button", class: "primary", on: { click: () => this.again() } },
            icon("again"),
            t("Once more"),
          ),
        link(this.back, { class: "button" }, t("Back to the review")),
      ),
    );
    /** @type {HTMLElement} */ (this.element.firstElementChild).focus();
  }

  /**
   * @param {Decision} decision
   * @param {Choice} chosen
   */
  summaryRow(decision, chosen) {
    const good = chosen.grade === "best" || chosen.grade === "fine";
    const fields = {
      round: roundOf(decision.turn, this.story.seats.length),
      action: actionText(chosen.move),
      chosen: actionText(decision.chosen),
    };
    return h(
      "li",
      {},
      good ? icon("check", "good") : markSign(/** @type {Mark["kind"]} */ (chosen.grade)),
      link(
        `${this.back}${this.back.includes("?") ? "&" : "?"}n=${decision.n}`,
        {},
        chosen.move === decision.chosen
          ? t("Round {round}: {action} again", fields)
          : t("Round {round}: {action} instead of {chosen}", fields),
      ),
    );
  }

  again() {
    this.answers = [];
    this.at = 0;
    fill(
      this.element,
      this.title,
      this.place,
      this.stage.element,
      this.question.element,
      this.verdict,
    );
    this.ask();
  }

  leave() {
    this.question.leave();
  }

  /** Once it is on the page: screen readers begin with the question. */
  focus() {
    /** @type {HTMLElement | null} */ (this.element.querySelector("h2"))?.focus({
      preventScroll: true,
    });
  }
}
