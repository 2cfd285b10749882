/** The decisions that cost a player most, asked once more: the same position, and what each answer is worth. */

import { fill, h } from "../core/dom.js";
import { readPosition } from "../core/position.js";
import { link } from "../core/router.js";
import { useStyle } from "../core/styles.js";
import { fetchAnalysis } from "../insight/requests.js";
import { createQuestion, createStage } from "../insight/stage.js";
import { announce } from "../ui/dialog.js";
import { optionBars } from "../ui/option-bars.js";
import { t } from "../words/i18n.js";
import { actionText, changeText, errorText } from "../words/win-chances.js";

useStyle("drills");

/** @typedef {import("../net/protocol.js").CostlyDecision} Costly */
/** @typedef {import("../net/protocol.js").AnalysisAnswer} Analysis */

export class OwnDrills {
  /**
   * @param {Costly[]} decisions
   * @param {HTMLElement} place
   */
  constructor(decisions, place) {
    this.decisions = decisions;
    this.place = place;
    this.at = 0;
    this.right = 0;
  }

  async ask() {
    const { position, error } = this.decisions[this.at];
    /** @type {Analysis} */
    let analysis;
    try {
      analysis = await fetchAnalysis(position);
    } catch (problem) {
      fill(
        this.place,
        h("p", { class: "problem", role: "alert" }, /** @type {Error} */ (problem).message),
      );
      return;
    }
    const moves = analysis.options.map(({ move }) => move).filter((move) => /\d/.test(move));
    const seats = Array.from({ length: readPosition(position).players }, (_, at) => seatAt(at));
    const stage = createStage(position, seats);
    const question = createQuestion(stage, (action) => {
      question.leave();
      this.answer(action, analysis);
    });
    stage.show(
      position,
      moves.sort((a, b) => parseInt(a, 10) - parseInt(b, 10)),
    );
    const title = h("h3", { tabindex: -1 });
    this.verdict = h("div", { class: "own-verdict" });
    fill(
      this.place,
      title,
      h(
        "p",
        { class: "hint" },
        t("{at} of {count}", { at: this.at + 1, count: this.decisions.length }),
        " · ",
        t("In the game this cost {points}.", { points: errorText(error, false) }),
      ),
      stage.element,
      question.element,
      this.verdict,
    );
    fill(title, question.ask() ? t("Which move?") : t("Stop, or roll again?"));
    this.question = question;
    title.focus({ preventScroll: true });
  }

  /**
   * @param {string} action
   * @param {Analysis} analysis
   */
  answer(action, { options }) {
    const { chosen, table, n } = this.decisions[this.at];
    const best = options[0];
    const mine = options.find(({ move }) => move === action) ?? best;
    const lost = mine.win - best.win;
    const right = mine === best || changeText(lost, false) === changeText(0, false);
    this.right += right ? 1 : 0;
    const said = right ? t("Best!") : t("Not the best: {lost}.", { lost: changeText(lost, false) });
    if (this.question) this.question.element.hidden = true;
    this.at += 1;
    const last = this.at === this.decisions.length;
    const next = h(
      "button",
      {
        type: "button",
        class: "primary wide",
        on: { click: () => (last ? this.sum() : this.ask()) },
      },
      last ? t("To the summary") : t("Next"),
    );
    fill(
      this.verdict ?? this.place,
      h(
        "p",
        {},
        h("strong", {}, said),
        " ",
        t("In the game: {action}", { action: actionText(chosen) }),
      ),
      optionBars(options, { solo: false, chosen: action, tag: t("your answer") }),
      link(`/t/${table}/review?n=${n}`, { class: "button small" }, t("In the review")),
      next,
    );
    announce(said);
    next.focus({ preventScroll: true });
  }

  sum() {
    fill(
      this.place,
      h(
        "h3",
        { tabindex: -1 },
        t("{good} of {count} put right", { good: this.right, count: this.decisions.length }),
      ),
    );
    /** @type {HTMLElement} */ (this.place.firstElementChild).focus();
  }
}

/** @param {number} at */
function seatAt(at) {
  return /** @type {import("../net/state.js").Seat} */ ({ name: "", bot: null, colour: at });
}
