/** The guide at a tutorial table: explains what happens, and highlights the next button. */

import { h, write } from "../core/dom.js";
import { load, save } from "../core/prefs.js";
import { t } from "../words/i18n.js";

/** @typedef {import("../net/state.js").State} State */
/** @typedef {{text: string, point?: "roll" | "stop" | "moves"}} Advice */

export function createGuide() {
  const text = h("p", {});
  const element = h("aside", { class: "coach", role: "note" }, text);
  return {
    element,
    /** @param {State} state */
    update(state) {
      if (state.stage === "over") finish(state.lesson ?? "");
      const advice = adviceFor(state);
      element.setAttribute("aria-label", t("Guide"));
      write(text, advice.text);
      document.documentElement.dataset.point = advice.point ?? "";
    },
    leave() {
      delete document.documentElement.dataset.point;
    },
  };
}

/** @param {string} lesson */
function finish(lesson) {
  const done = new Set(load("lessons", /** @type {string[]} */ ([])));
  save("lessons", [...done.add(lesson)]);
}

/**
 * @param {State} state
 * @returns {Advice}
 */
function adviceFor(state) {
  const { view, lesson } = state;
  if (state.stage === "over") return { text: overText(state) };
  if (view.seat !== 0) return { text: LESSONS[lesson ?? "basics"]?.watch(view.turn) ?? "" };
  const topped = view.runners.some((space, column) => space === view.lengths[column]);
  if (topped && view.may_stop)
    return {
      text: t(
        "A runner stands on the top! It has won nothing yet: stop now, and the column is yours.",
      ),
      point: "stop",
    };
  return LESSONS[lesson ?? "basics"].act(view.turn, view.phase, rollsInTurn(state), view);
}

/** @param {State} state */
function overText({ view, lesson }) {
  if (!view.outcome?.winners.includes(0))
    return t("The bot was faster. Never mind: you have seen how it goes.");
  return lesson === "basics"
    ? t("You won! A real game takes three columns. You are ready for one.")
    : t("You won! Now you know this variant.");
}

/** @param {State} state */
function rollsInTurn({ log }) {
  const since = log.findLastIndex((event) => ["stopped", "busted", "started"].includes(event.kind));
  return log.slice(since + 1).filter((event) => event.kind === "rolled").length;
}

/**
 * @typedef {object} Script
 * @property {(turn: number) => string} watch  while the bot plays
 * @property {(turn: number, phase: string, rolls: number, view: import("../net/protocol.js").View) => Advice} act
 */

/** @type {Record<string, Script>} */
const LESSONS = {
  basics: {
    watch: (turn) =>
      turn > 2
        ? t(
            "Bust! No pair of your dice could move a runner, so the climb of this turn is lost. Your tokens stayed. Now the bot plays.",
          )
        : t(
            "Your runners became tokens: those are yours for good. Now the bot plays; tokens may share a space.",
          ),
    act: basics,
  },
  "no-rest": {
    watch: () => t("The bot puts its tokens on 6 and 7. Remember where they stand."),
    act: (turn, phase, rolls, view) => {
      if (view.stop_reason === "shared")
        return {
          text: t(
            "Your runners share a space with tokens of the bot. With no rest you cannot stop here: the button says why. Roll again to get clear.",
          ),
          point: "roll",
        };
      if (turn > 2 && phase === "choice" && rolls > 1)
        return { text: t("All clear: now you may stop. Do it!"), point: "stop" };
      return opening(turn, phase);
    },
  },
  leapfrog: {
    watch: () => t("The bot puts its tokens on 6 and 7. They will be your stepping stones."),
    act: (turn, phase) => {
      if (turn > 2 && phase === "move")
        return {
          text: t(
            "Play the move: your runners jump over the bot’s tokens and land one space higher.",
          ),
          point: "moves",
        };
      if (turn > 2 && phase === "choice")
        return {
          text: t(
            "Leapfrog makes the game fast: every token in your way is a space gained. Stop, or play on as you like.",
          ),
          point: "stop",
        };
      return opening(turn, phase);
    },
  },
  early: {
    watch: () => t("The bot has to bring its runners out early, too."),
    act: (turn, phase, rolls) => {
      if (phase === "move" && rolls === 1)
        return {
          text: t(
            "2, 3, 4 and 5 also make 7 and 7, but that brings out one runner only. The other two moves bring out two, so one of them it is.",
          ),
          point: "moves",
        };
      if (phase === "move" && rolls === 2)
        return {
          text: t(
            "The third runner has to come out if it can. Early on you lose your freedom, and the risk comes sooner.",
          ),
          point: "moves",
        };
      if (phase === "choice" && rolls > 1)
        return {
          text: t("All runners are out. Stop, or play the game to its end as you like."),
          point: "stop",
        };
      return phase === "choice" ? { text: t("Roll again."), point: "roll" } : opening(turn, phase);
    },
  },
};

/**
 * @param {number} turn
 * @param {string} phase
 * @returns {Advice}
 */
function opening(turn, phase) {
  if (phase === "roll")
    return {
      text: turn > 2 ? t("Your turn: roll.") : t("One column wins this lesson. Roll the dice."),
      point: "roll",
    };
  if (phase === "move") return { text: t("Pick a move."), point: "moves" };
  return turn > 2
    ? { text: t("Stop, or roll again: your choice.") }
    : { text: t("Stop here for now."), point: "stop" };
}

/**
 * @param {number} turn
 * @param {string} phase
 * @param {number} rolls
 * @returns {Advice}
 */
function basics(turn, phase, rolls) {
  if (phase === "roll") return beforeRoll(turn);
  if (phase === "move") return { text: movesText(turn, rolls), point: "moves" };
  if (turn === 1 && rolls < 2)
    return {
      text: t(
        "Your runners, the stars, climb for this turn only: nothing is safe until you stop. Roll again; the button shows the risk.",
      ),
      point: "roll",
    };
  if (turn === 1)
    return {
      text: t("Good. Now stop: your runners become tokens, and nothing can take them away."),
      point: "stop",
    };
  if (turn === 3 && rolls < 3)
    return {
      text: t("You could stop. But let us be greedy this once, and see what happens: roll again."),
      point: "roll",
    };
  if (turn === 5 && rolls < 2)
    return {
      text: t("One more step in column 12 and you are at its top. Roll again!"),
      point: "roll",
    };
  return { text: t("Stop to keep what you climbed, or roll again and risk it: your choice.") };
}

/**
 * @param {number} turn
 * @returns {Advice}
 */
function beforeRoll(turn) {
  if (turn === 1)
    return {
      text: t(
        "Eleven columns, from 2 to 12. Climb to the top of one before the bot does, and you win this lesson. Roll the dice!",
      ),
      point: "roll",
    };
  if (turn === 3)
    return {
      text: t("Your turn again. New runners start just above your tokens. Roll!"),
      point: "roll",
    };
  if (turn === 5)
    return {
      text: t(
        "That was a bust: no pair of those dice could move a runner, so the climb was lost. Your tokens stayed. Try again: roll!",
      ),
      point: "roll",
    };
  return { text: t("Your turn: roll."), point: "roll" };
}

/** Only where something can be pointed at without being pressed. */
function previewText() {
  return matchMedia("(hover: hover)").matches
    ? t("Point at a button to see it on the board, then pick one.")
    : t("Pick one.");
}

/**
 * @param {number} turn
 * @param {number} rolls
 */
function movesText(turn, rolls) {
  if (turn === 1 && rolls === 1) {
    const pairs = t(
      "Four dice make two pairs. Each button is one way to pair them, and the sums name the columns where a runner climbs.",
    );
    return `${pairs} ${previewText()}`;
  }
  if (turn === 1)
    return t(
      "New numbers bring out new runners, three at most. Two equal sums are two steps in one column. Pick a move.",
    );
  if (turn === 3 && rolls === 1)
    return t("Three equal dice leave only one way to pair them. Play it.");
  if (turn === 3)
    return t("Two new columns, but only one runner is left: you choose which of them to play.");
  return t("Pick a move.");
}
