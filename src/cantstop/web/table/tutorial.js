/**
 * The guide at a tutorial table. Every sentence follows from the position it stands beside, whatever
 * the player has done; what was explained once is not explained again.
 */

import { h, write } from "../core/dom.js";
import { load, save } from "../core/prefs.js";
import { link } from "../core/router.js";
import { useStyle } from "../core/styles.js";
import { announce } from "../ui/dialog.js";
import { joinList, t } from "../words/i18n.js";
import { earlyWords, sharingWords } from "../words/rules-text.js";
import { resultText, statusText } from "../words/sentences.js";

useStyle("coach");

/** @typedef {import("../net/state.js").State} State */
/** @typedef {import("../net/protocol.js").View} View */

/**
 * Something to say: the first in a list that holds and was not said before is said.
 * @typedef {object} Advice
 * @property {string} text
 * @property {"roll" | "stop" | "moves"} [point]  the button to press
 * @property {string} [once]  an explanation: what has this key is not explained at later decisions
 * @property {boolean} [lesson]  this is what the lesson is about
 */

/** @typedef {false | null | "" | Advice} Maybe */

const LEARNER = 0;
const BOT = 1;
const RUNNERS = 3;

export function createGuide() {
  const text = h("p", {});
  const onward = link("/learn", { class: "onward", hidden: true }, "");
  const element = h("aside", { class: "coach", role: "note" }, text, onward);
  /** @type {Set<string>} explanations that were given at earlier decisions */
  const said = new Set();
  let decision = "";
  /** @type {Advice | null} */
  let now = null;
  let seen = false;

  return {
    element,
    /** @param {State} state */
    update(state) {
      const { view } = state;
      const here = view.seat === LEARNER ? `${view.turn} ${view.rolls} ${view.phase}` : view.turn;
      if (decision !== String(here)) {
        if (now?.once) said.add(now.once);
        decision = String(here);
      }
      now = adviceFor(state, said);
      if (now.lesson || isOver(state)) learned(state.lesson ?? "");
      seen ||= now.lesson === true;
      element.setAttribute("aria-label", t("Guide"));
      if (text.textContent !== now.text) announce(now.text);
      write(text, now.text);
      write(onward, t("Next lesson"));
      onward.hidden = !seen || state.stage === "over";
      document.documentElement.dataset.point = now.point ?? "";
    },
    leave() {
      delete document.documentElement.dataset.point;
    },
  };
}

/** @param {string} lesson */
function learned(lesson) {
  const done = load("lessons", /** @type {string[]} */ ([]));
  if (!done.includes(lesson)) save("lessons", [...done, lesson]);
}

/** @param {State} state */
function isOver({ stage, view }) {
  return stage === "over" || view.phase === "over";
}

/**
 * @param {State} state
 * @param {Set<string>} said
 * @returns {Advice}
 */
function adviceFor(state, said) {
  const { view } = state;
  const lesson = LESSONS[state.lesson ?? "basics"] ?? LESSONS.basics;
  if (isOver(state)) return { text: overText(state, lesson) };
  if (view.phase === "bust") return { text: bustText(view) };
  const found = view.seat === LEARNER ? ownTurn(state, lesson) : lesson.watch(state);
  const fresh = found.find((advice) => advice && !said.has(advice.once ?? ""));
  return fresh || { text: statusText(state, [LEARNER]) };
}

/**
 * @param {State} state
 * @param {Script} lesson
 * @returns {Maybe[]}
 */
function ownTurn(state, lesson) {
  const { view } = state;
  if (view.phase === "roll") return [...lesson.roll(state), say(t("Your turn: roll."), "roll")];
  if (view.phase === "move") return [...lesson.move(view), say(t("Pick a move."), "moves")];
  return [
    ...topReached(view),
    ...lesson.choice(state),
    view.may_stop &&
      say(
        isSafe(view)
          ? t("Stop to keep what you climbed, or roll again: this roll cannot bust.")
          : t("Stop to keep what you climbed, or roll again and risk it: your choice."),
      ),
  ];
}

/**
 * Whether no roll can bust.
 * @param {View} view
 */
function isSafe({ bust_chance: chance }) {
  return chance?.[0] === 0;
}

/**
 * @param {string} text
 * @param {Advice["point"]} [point]
 * @returns {Advice}
 */
function say(text, point) {
  return { text, point };
}

/**
 * @param {string} text
 * @param {Advice["point"]} [point]
 * @param {string} [once]
 * @returns {Advice}
 */
function explain(text, point, once = text) {
  return { text, point, once };
}

// What holds in every lesson

/**
 * @param {State} state
 * @param {Script} lesson
 */
function overText(state, lesson) {
  const { outcome } = state.view;
  if (!outcome) return resultText(state, []);
  const result = outcome.winners.includes(LEARNER) ? t("You win!") : t("The bot was faster.");
  return `${result} ${lesson.moral()}`;
}

/** @param {View} view */
function bustText(view) {
  if (view.seat !== LEARNER)
    return t("Bust! The bot can use no pair of these dice, and loses what it climbed this turn.");
  const lost = t("Bust! No pair of these dice can move a runner: what you climbed is lost.");
  return hasTokens(view, LEARNER) ? `${lost} ${t("Your tokens stay.")}` : lost;
}

/**
 * @param {View} view
 * @returns {Maybe[]}
 */
function topReached(view) {
  return [
    view.may_stop &&
      view.runners.some((space, column) => space === view.lengths[column]) &&
      say(
        t("A runner stands on the top! It has won nothing yet: stop now, and the column is yours."),
        "stop",
      ),
  ];
}

/**
 * @param {View} view
 * @param {number} seat
 */
function hasTokens(view, seat) {
  return view.tokens[seat].some(Boolean);
}

/** @param {View} view */
function runnersOut(view) {
  return view.runners.filter(Boolean).length;
}

/**
 * How a player's last turn ended; null before the first one.
 * @param {State} state
 * @param {number} seat
 */
function lastEnd({ log }, seat) {
  const end = log.findLast(
    (event) => event.seat === seat && (event.kind === "stopped" || event.kind === "busted"),
  );
  return end?.kind ?? null;
}

/** @param {State} state */
function rollsInTurn({ log }) {
  const since = log.findLastIndex((event) => ["stopped", "busted", "started"].includes(event.kind));
  return log.slice(since + 1).filter((event) => event.kind === "rolled").length;
}

/**
 * The columns in which the bot's tokens stand, as a sentence has them.
 * @param {View} view
 */
function botColumns(view) {
  return joinList(view.tokens[BOT].flatMap((space, column) => (space ? [column + 2] : [])));
}

// The lessons

/**
 * @typedef {object} Script
 * @property {(state: State) => Maybe[]} watch  while the bot plays
 * @property {(state: State) => Maybe[]} roll
 * @property {(view: View) => Maybe[]} move
 * @property {(state: State) => Maybe[]} choice
 * @property {() => string} moral  what to take along, at the end
 */

/**
 * @param {State} state
 * @param {string} text
 * @returns {Maybe}
 */
function firstTurn({ view }, text) {
  return view.turn === 1 && say(text, "roll");
}

function shortOpening() {
  return t("One column wins this lesson. Roll the dice.");
}

/** @type {Record<string, Script>} */
const LESSONS = {
  basics: {
    watch: (state) => [
      lastEnd(state, LEARNER) === "stopped" &&
        explain(
          t(
            "Your runners became tokens: those are yours for good. Now the bot plays; tokens may share a space.",
          ),
        ),
    ],
    roll: basicsRoll,
    move: basicsMove,
    choice: basicsChoice,
    moral: () => t("A real game takes three columns. You are ready for one."),
  },
  "no-rest": {
    watch: () => [
      explain(t("Now the bot plays. Watch where its tokens end up: that matters here.")),
    ],
    roll: (state) => [
      firstTurn(state, shortOpening()),
      hasTokens(state.view, BOT) &&
        explain(
          t(
            "The bot’s tokens stand in {columns}. Pass them, but do not stop on their spaces. Roll!",
            {
              columns: botColumns(state.view),
            },
          ),
          "roll",
          "tokens",
        ),
    ],
    move: () => [],
    choice: (state) => [
      state.view.stop_reason === "shared" && {
        text: t(
          "In {columns} you share a space with a bot’s token. With no rest you cannot stop there: roll again to get clear.",
          { columns: joinList(state.view.shared) },
        ),
        point: "roll",
        lesson: true,
      },
      pastBot(state.view) &&
        explain(t("None of your runners shares a space with the bot: you may stop."), "stop"),
      state.view.turn === 1 && explain(t("Stop here for now."), "stop"),
    ],
    moral: () => sharingWords()["no-rest"],
  },
  leapfrog: {
    watch: () => [explain(t("Now the bot plays. Its tokens will be your stepping stones."))],
    roll: (state) => [
      firstTurn(state, shortOpening()),
      hasTokens(state.view, BOT) &&
        explain(
          t("The bot’s tokens stand in {columns}: your runners jump over them. Roll!", {
            columns: botColumns(state.view),
          }),
          "roll",
          "tokens",
        ),
    ],
    move: (view) => {
      const columns = jumps(view);
      return [
        columns.length > 0 && {
          text: t("In {columns} your runner jumps over a bot’s token. Pick a move.", {
            columns: joinList(columns),
          }),
          point: "moves",
          lesson: true,
        },
      ];
    },
    choice: (state) => [
      pastBot(state.view) &&
        explain(
          t(
            "Leapfrog makes the game fast: every token in your way is a space gained. Stop, or play on as you like.",
          ),
          "stop",
        ),
      state.view.turn === 1 && explain(t("Stop here for now."), "stop"),
    ],
    moral: () => sharingWords().leapfrog,
  },
  early: {
    watch: () => [explain(t("The bot has to bring its runners out early, too."))],
    roll: (state) => [firstTurn(state, shortOpening())],
    move: (view) => {
      const splits = joinList(leftOut(view).map((split) => split.join("+")));
      return [
        splits && runnersOut(view) === RUNNERS - 1
          ? {
              text: t(
                "The third runner has to come out if it can: {splits} would leave it out, and is not allowed.",
                { splits },
              ),
              point: "moves",
              lesson: true,
            }
          : splits && {
              text: t(
                "The dice also make {splits}, but that would bring out fewer new runners: it is not allowed.",
                { splits },
              ),
              point: "moves",
              lesson: true,
            },
      ];
    },
    choice: ({ view }) => [
      runnersOut(view) === RUNNERS &&
        explain(
          t("All runners are out, and now the risk is real. Stop, or play on as you like."),
          "stop",
        ),
      runnersOut(view) < RUNNERS &&
        explain(t("A runner is still to come out. Roll again."), "roll"),
    ],
    moral: earlyWords,
  },
};

/**
 * Whether a runner has left a token of the bot behind in this turn.
 * @param {View} view
 */
function pastBot({ runners, tokens, may_stop: mayStop }) {
  return (
    mayStop &&
    runners.some((space, column) => {
      const other = tokens[BOT][column];
      return other > tokens[LEARNER][column] && space > other;
    })
  );
}

/**
 * The columns in which one of the moves jumps over a token of the bot.
 * @param {View} view
 */
function jumps(view) {
  const found = view.moves.flatMap(({ runners }) =>
    runners.flatMap((to, column) => {
      const from = view.runners[column] || view.tokens[LEARNER][column];
      const other = view.tokens[BOT][column];
      return to !== view.runners[column] && other > from && to > other ? [column + 2] : [];
    }),
  );
  return [...new Set(found)].sort((a, b) => a - b);
}

/**
 * The splits that could be played, but for the rule that runners come out early.
 * @param {View} view
 */
function leftOut(view) {
  const free = runnersOut(view) < RUNNERS;
  /** @param {number} sum */
  const playable = (sum) => {
    const at = sum - 2;
    if (view.owners[at] !== null || view.runners[at] === view.lengths[at]) return false;
    return view.runners[at] > 0 || free;
  };
  const offered = view.moves.flatMap(({ move }) => move.split("+").map(Number));
  return view.splits.filter(
    (split) => split.some(playable) && !split.some((sum) => offered.includes(sum)),
  );
}

// The basics

/**
 * @param {State} state
 * @returns {Maybe[]}
 */
function basicsRoll(state) {
  const bust = t(
    "That was a bust: no pair of those dice could move a runner, so the climb was lost.",
  );
  const again = t("Try again: roll!");
  const kept = hasTokens(state.view, LEARNER) ? `${t("Your tokens stayed.")} ` : "";
  const end = lastEnd(state, LEARNER);
  return [
    firstTurn(
      state,
      t(
        "Eleven columns, from 2 to 12. Climb to the top of one before the bot does, and you win this lesson. Roll the dice!",
      ),
    ),
    end === "busted" && explain(`${bust} ${kept}${again}`, "roll"),
    end === "stopped" &&
      explain(t("Your turn again. New runners start just above your tokens. Roll!"), "roll"),
  ];
}

/**
 * @param {View} view
 * @returns {Maybe[]}
 */
function basicsMove(view) {
  const moves = view.moves.map(({ move }) => move.split("+").map(Number));
  const whole = moves.every((move) => move.length === 2) && moves.length === view.splits.length;
  const pairs = t(
    "Four dice make two pairs. Each button is one way to pair them, and the sums name the columns where a runner climbs.",
  );
  const double = moves.some(([a, b]) => a === b);
  const choice = moves.some(([a, b]) => b === undefined && isPickedFrom(view, a));
  const lost = moves.some(([a, b]) => b === undefined && !isPickedFrom(view, a));
  return [
    whole && moves.length > 1 && explain(`${pairs} ${previewText()}`, "moves"),
    view.splits.length === 1 &&
      moves.length === 1 &&
      explain(t("These dice can be paired in one way only. Play it."), "moves"),
    choice &&
      explain(
        t("Two new columns, but only one runner is left: you choose which of them to play."),
        "moves",
      ),
    lost && explain(t("A sum that is struck out moves no runner. Pick a move."), "moves"),
    double && explain(t("Two equal sums are two steps in one column. Pick a move."), "moves"),
    runnersOut(view) < RUNNERS &&
      explain(t("New numbers bring out new runners, three at most. Pick a move."), "moves"),
  ];
}

/**
 * Whether a column is one of two new ones for the last runner.
 * @param {View} view
 * @param {number} column
 */
function isPickedFrom(view, column) {
  const split = view.splits.find((sums) => sums.includes(column)) ?? [];
  const singles = view.moves.map(({ move }) => move);
  return split[0] !== split[1] && split.every((sum) => singles.includes(String(sum)));
}

/** Only where something can be pointed at without being pressed. */
function previewText() {
  return matchMedia("(hover: hover)").matches
    ? t("Point at a button to see it on the board, then pick one.")
    : t("Pick one.");
}

/**
 * @param {State} state
 * @returns {Maybe[]}
 */
function basicsChoice(state) {
  const { view } = state;
  const nearly = view.runners.findIndex((space, column) => space === view.lengths[column] - 1);
  const safe = isSafe(view);
  return [
    view.turn === 1 &&
      explain(
        safe
          ? t(
              "Your runners climb for this turn only: nothing is safe until you stop. But this roll cannot bust: roll again.",
            )
          : t(
              "Your runners climb for this turn only: nothing is safe until you stop. Roll again; the button shows the risk.",
            ),
        "roll",
        "runners climb",
      ),
    view.turn === 1 &&
      explain(
        t("Good. Now stop: your runners become tokens, and nothing can take them away."),
        "stop",
      ),
    view.turn === 3 &&
      rollsInTurn(state) < 3 &&
      say(
        safe
          ? t("You could stop. But this roll cannot bust, so it is free: roll again.")
          : t("You could stop. But let us be greedy this once, and see what happens: roll again."),
        "roll",
      ),
    nearly >= 0 &&
      say(
        t("One more step in column {column} and you are at its top. Will you roll again?", {
          column: nearly + 2,
        }),
        view.turn === 5 ? "roll" : undefined,
      ),
  ];
}
