/** The tutor: one's own option and the better one side by side, as they would stand on the board. */

import { h } from "../core/dom.js";
import { useStyle } from "../core/styles.js";
import { createBoard } from "../board/board.js";
import { geometry } from "../board/geometry.js";
import { closeDialog, openDialog } from "../ui/dialog.js";
import { icon } from "../ui/icons.js";
import { percent, plural, t } from "../words/i18n.js";
import { actionText, errorText, worthText } from "../words/win-chances.js";
import { choiceReason, effectOf, moveReason, stepsAtStake } from "./reasons.js";

useStyle("tutor");

/** @typedef {import("../net/protocol.js").HintAnswer} Hint */
/** @typedef {import("../net/protocol.js").OptionView} Option */
/** @typedef {import("../net/state.js").State} State */

/**
 * @param {State} state
 * @param {Hint} hint
 * @param {Option} chosen
 * @param {{keep: () => void, take: () => void}} answers
 */
export function showTutor(state, hint, chosen, answers) {
  const [best] = hint.options;
  /** @param {() => void} act */
  const answer = (act) => () => {
    closeDialog();
    act();
  };
  openDialog(
    t("Sure? There is something better."),
    [
      h(
        "div",
        { class: "tutor-pair" },
        side(state, hint, chosen, t("Your choice")),
        side(state, hint, best, t("The tutor’s choice"), "better"),
      ),
      h(
        "p",
        { class: "tutor-why" },
        icon("bulb"),
        h("span", {}, h("strong", {}, t("Why:")), ` ${whyText(state, hint, chosen)}`),
      ),
      h(
        "p",
        { class: "tutor-lost muted" },
        t("Your choice gives away {lost}.", { lost: errorText(best.win - chosen.win, hint.solo) }),
      ),
      h(
        "div",
        { class: "tutor-buttons" },
        h(
          "button",
          { type: "button", class: "play-anyway", on: { click: answer(answers.keep) } },
          t("Keep {action}", { action: actionText(chosen.move) }),
        ),
        h(
          "button",
          {
            type: "button",
            class: "primary take-better",
            autofocus: true,
            on: { click: answer(answers.take) },
          },
          t("Take {action}", { action: actionText(best.move) }),
        ),
      ),
    ],
    "tutor",
  );
}

/**
 * @param {State} state
 * @param {Hint} hint
 * @param {Option} chosen
 */
export function whyText({ view }, { options, solo }, chosen) {
  const [best] = options;
  if (best.move === "stop" || best.move === "roll") return choiceReason(view, best.move);
  return moveReason(view, best, chosen, (worth) => worthText(worth, solo));
}

/**
 * @param {State} state
 * @param {Hint} hint
 * @param {Option} option
 * @param {string} title
 * @param {string} [className]
 */
function side({ view, seats }, { solo }, { move, win }, title, className = "") {
  const effect = effectOf(view, move);
  const board = createBoard(
    view.lengths,
    () => {},
    () => {},
  );
  board.update(view, seats);
  board.preview(effect?.runners ?? null);
  const { width, height } = geometry(view.lengths);
  const picture = h("div", { class: "tutor-board", "aria-hidden": "true" }, board.element);
  picture.style.aspectRatio = `${width} / ${height}`;
  return h(
    "section",
    { class: `tutor-side ${className}` },
    h("h3", {}, title),
    h("p", { class: "tutor-move" }, actionText(move)),
    picture,
    h("p", {}, doesText(view, move, effect)),
    h("p", {}, h("strong", {}, worthText(win, solo)), !solo && ` ${t("to win")}`),
  );
}

/**
 * What an option does to the next roll.
 * @param {import("../net/protocol.js").View} view
 * @param {string} move
 * @param {import("./reasons.js").Effect | null} effect
 */
function doesText(view, move, effect) {
  if (move === "stop") {
    const steps = stepsAtStake(view);
    return plural(
      steps,
      t("{steps} step is safe", { steps }),
      t("{steps} steps are safe", { steps }),
    );
  }
  const [bad, all] = view.bust_chance ?? [0, 1];
  const bust = effect ? effect.bust : bad / all;
  return bust
    ? t("The next roll busts in {bust} of cases", { bust: percent(bust) })
    : t("The next roll cannot bust");
}
