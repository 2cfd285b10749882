/** One's own mistakes once more: the same positions, a new answer, and its grade. */

import { h, fill } from "../../core/dom.js";
import { link } from "../../core/router.js";
import { announce } from "../../ui/dialog.js";
import { icon } from "../../ui/icons.js";
import { optionBars } from "../../ui/option-bars.js";
import { t } from "../../words/i18n.js";
import { seatName } from "../../words/sentences.js";
import { actionText } from "../../words/win-chances.js";
import { createQuestion, createStage } from "../stage.js";
import { markSign } from "./chart.js";
import { mistakesOf, movesOf } from "./story.js";
import { changeText, gradeText } from "./words.js";

/** @typedef {import("./story.js").Story} Story */
/** @typedef {import("./story.js").Decision} Decision */
/** @typedef {import("./story.js").Mark} Mark */
/** @typedef {Decision["options"][number]} Choice */

/**
 * @param {Story} story
 * @param {number} seat  whose mistakes
 * @param {string} back  the address of the review
 */
export function createRetry(story, seat, back) {
  const decisions = mistakesOf(story, seat);
  const stage = createStage(story.answer.moments[0].position, story.seats);
  const question = createQuestion(stage, answer);
  const title = h("h2", { class: "retry-title", tabindex: -1 });
  const place = h("p", { class: "hint retry-place" });
  const verdict = h("div", { class: "retry-verdict" });
  const element = h(
    "section",
    { class: "retry card" },
    title,
    place,
    stage.element,
    question.element,
    verdict,
  );
  /** @type {Choice[]} the answers so far */
  let answers = [];
  let at = 0;

  function ask() {
    const decision = decisions[at];
    stage.show(decision.position, movesOf(decision));
    const isMove = question.ask();
    fill(title, isMove ? t("Which move?") : t("Stop, or roll again?"));
    fill(
      place,
      t("{at} of {count} · turn {turn}", {
        at: at + 1,
        count: decisions.length,
        turn: decision.turn,
      }),
    );
    fill(verdict);
    title.focus({ preventScroll: true });
  }

  /** @param {string} action */
  function answer(action) {
    const decision = decisions[at];
    const chosen = decision.options.find((option) => option.action === action);
    if (!chosen || answers.length > at) return;
    answers.push(chosen);
    question.element.hidden = true;
    const last = at + 1 === decisions.length;
    const next = h(
      "button",
      { type: "button", class: "primary wide retry-next", on: { click: goOn } },
      last ? t("To the summary") : t("Next"),
    );
    fill(
      verdict,
      gradeLine(chosen, decision),
      optionBars(decision.options, { solo: story.solo, chosen: action, tag: t("your answer") }),
      decision.why && h("p", { class: "why" }, decision.why),
      next,
    );
    announce(gradeWords(chosen, decision));
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  }

  function goOn() {
    at += 1;
    if (at < decisions.length) ask();
    else summarise();
  }

  /**
   * @param {Choice} chosen
   * @param {Decision} decision
   */
  function gradeWords({ action, grade, win }, { chosen, options }) {
    if (grade === "best") return t("Best!");
    if (grade === "fine") return t("Fine: about as good as the best.");
    const lost = changeText(win - options[0].win, story.solo);
    return action === chosen
      ? t("The same again: {lost}.", { lost })
      : `${gradeText(grade)}: ${lost}.`;
  }

  /**
   * @param {Choice} chosen
   * @param {Decision} decision
   */
  function gradeLine(chosen, decision) {
    const good = chosen.grade === "best" || chosen.grade === "fine";
    return h(
      "p",
      { class: good ? "grade-line good" : "grade-line", "data-grade": chosen.grade },
      good ? icon("check") : markSign(/** @type {Mark["kind"]} */ (chosen.grade)),
      h("strong", {}, gradeWords(chosen, decision)),
      h(
        "span",
        { class: "hint" },
        t("In the game: {action}", { action: actionText(decision.chosen) }),
      ),
    );
  }

  function summarise() {
    const good = answers.filter(({ grade }) => grade === "best" || grade === "fine").length;
    fill(
      element,
      h(
        "h2",
        { class: "retry-title", tabindex: -1 },
        t("{good} of {count} put right", { good, count: decisions.length }),
      ),
      h(
        "ul",
        { class: "retry-list" },
        decisions.map((decision, index) => summaryRow(decision, answers[index])),
      ),
      h(
        "div",
        { class: "actions" },
        good < decisions.length &&
          h(
            "button",
            { type: "button", class: "primary", on: { click: again } },
            icon("again"),
            t("Once more"),
          ),
        link(back, { class: "button" }, t("Back to the review")),
      ),
    );
    /** @type {HTMLElement} */ (element.firstElementChild).focus();
  }

  /**
   * @param {Decision} decision
   * @param {Choice} chosen
   */
  function summaryRow(decision, chosen) {
    const good = chosen.grade === "best" || chosen.grade === "fine";
    const fields = {
      turn: decision.turn,
      action: actionText(chosen.action),
      chosen: actionText(decision.chosen),
    };
    return h(
      "li",
      {},
      good ? icon("check", "good") : markSign(/** @type {Mark["kind"]} */ (chosen.grade)),
      link(
        `${back}${back.includes("?") ? "&" : "?"}n=${decision.n}`,
        {},
        chosen.action === decision.chosen
          ? t("Turn {turn}: {action} again", fields)
          : t("Turn {turn}: {action} instead of {chosen}", fields),
      ),
    );
  }

  function again() {
    answers = [];
    at = 0;
    fill(element, title, place, stage.element, question.element, verdict);
    ask();
  }

  if (decisions.length) ask();
  else
    fill(
      element,
      h(
        "h2",
        { class: "retry-title", tabindex: -1 },
        t("{name} made no mistakes.", { name: seatName(story.seats[seat], seat) }),
      ),
      link(back, { class: "button" }, t("Back to the review")),
    );
  return {
    element,
    leave: question.leave,
    /** Once it is on the page: screen readers begin with the question. */
    focus() {
      /** @type {HTMLElement | null} */ (element.querySelector("h2"))?.focus({
        preventScroll: true,
      });
    },
  };
}
