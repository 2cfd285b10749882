/** The analysis board: any position set up by taps, and everything that is known about it. */

import { h, fill, setAttribute } from "../core/dom.js";
import { pageAddress } from "../core/site.js";
import { analysisPath, shareAddress } from "../core/paths.js";
import { emptyPosition, parsePosition, positionText } from "../core/position.js";
import { useStyle } from "../core/styles.js";
import { fetchOffers } from "../net/api.js";
import { listenToKeys } from "../board/keyboard.js";
import { announce } from "../ui/dialog.js";
import { icon } from "../ui/icons.js";
import { pageFrame } from "../ui/layout.js";
import { optionBars } from "../ui/option-bars.js";
import { seatMark } from "../ui/seat-marks.js";
import { shareField } from "../ui/share-link.js";
import { readRecord } from "../verify/record.js";
import { percent, t } from "../words/i18n.js";
import { seatName } from "../words/sentences.js";
import {
  actionText,
  chanceText,
  errorText,
  estimateText,
  worthText,
} from "../words/win-chances.js";
import { turnEndText } from "./hint-text.js";
import { afterAction } from "./position.js";
import { fetchAnalysis } from "./requests.js";
import { afterBust, PlayOn, throwDice } from "./play-on.js";
import { rollMap } from "./roll-map.js";
import { Setup } from "./setup.js";

useStyle("analysis");

/** @typedef {import("../net/protocol.js").AnalysisAnswer} Analysis */
/** @typedef {import("../core/position.js").Position} Position */
/** @typedef {{action: string, position: string, seat: number}} Tried */

/** Milliseconds of rest before a changed position is sent. */
const REST = 150;

/** Milliseconds until a server that is busy or gone is asked again. */
const RETRY = 2500;
const PASSING = ["unavailable", "too-many", "offline"];

/**
 * @param {import("../core/router.js").Place} place
 * @returns {Promise<import("../core/router.js").Page>}
 */
export default async function analysisPage({ query }) {
  const asked = query.get("position")?.trim() ?? "";
  const { editions } = await fetchOffers();
  const board = createAnalysis(asked, editions);
  const title = t("Analysis");
  return {
    title,
    element: pageFrame("analysis", [h("h1", { tabindex: -1 }, title), board.element]),
    leave: board.leave,
  };
}

/**
 * @param {string} asked  the text in the address
 * @param {import("../net/protocol.js").EditionOffer[]} editions
 */
function createAnalysis(asked, editions) {
  let position = parsePosition(asked) ?? emptyPosition();
  let text = parsePosition(asked) || !asked ? positionText(position) : asked;
  /** @type {AbortController | null} */
  let asking = null;
  let timer = 0;
  /** which step this is, and whether one follows: every address remembers it, through reloads too */
  let { at = 0, followed = false } = history.state ?? {};
  /** @type {Tried[]} the options that were tried, each with the position before it */
  let line = history.state?.line ?? [];
  const problem = h("p", { class: "problem", role: "alert" });
  const results = h("div", { class: "results" });
  const share = h("div", { class: "share-box" });
  const tried = h("nav", { class: "tried", "aria-label": t("The line that was tried") });
  const field = h("textarea", {
    class: "position-field",
    id: "position-field",
    rows: 2,
    spellcheck: "false",
    autocomplete: "off",
    on: {
      change: () => read(field.value),
      paste: () => setTimeout(() => read(field.value)),
      keydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Enter" || event.shiftKey) return;
        event.preventDefault();
        read(field.value);
      },
    },
  });
  const setup = new Setup(position, editions, (next) => {
    position = next;
    step(positionText(next), REST);
  });
  const playOn = new PlayOn(() => position, play);
  const undo = stepButton("undo", t("Undo"), () => history.back());
  const redo = stepButton("redo", t("Redo"), () => history.forward());
  const clear = stepButton("close", t("Clear the board"), () => {
    read(positionText(emptyPosition()));
  });

  /**
   * Read what was typed or pasted; a text that cannot be read stays, with the reason.
   * @param {string} typed
   */
  function read(typed) {
    const found = parsePosition(typed) ?? endOfRecord(typed);
    if (found) {
      position = found;
      setup.show(found);
    }
    step(found ? positionText(found) : typed.trim(), 0);
  }

  /**
   * One step more: the browser's own Back and Forward undo and redo it.
   * @param {string} next
   * @param {number} delay
   * @param {Tried[]} [leads]  the line that leads there; a position that was set up begins a new one
   */
  function step(next, delay, leads = []) {
    if (next !== text) {
      history.replaceState({ at, followed: true, line }, "");
      at += 1;
      followed = false;
      line = leads;
      history.pushState({ at, followed, line }, "", pageAddress(analysisPath(next)));
    }
    settle(next, delay);
  }

  /**
   * Another text is in force: the address holds it, and the answer follows.
   * @param {string} next
   * @param {number} delay
   */
  function settle(next, delay) {
    text = next;
    field.value = next;
    history.replaceState({ at, followed, line }, "", pageAddress(analysisPath(next)));
    fill(tried, lineOf(line, goBack));
    undo.disabled = at === 0;
    redo.disabled = !followed;
    drawShare();
    clearTimeout(timer);
    asking?.abort();
    results.setAttribute("aria-busy", "true");
    if (delay) timer = setTimeout(ask, delay);
    else ask();
  }

  async function ask() {
    asking = new AbortController();
    const { signal } = asking;
    try {
      const analysis = await fetchAnalysis(text, signal);
      problem.textContent = "";
      fill(results, resultsOf(analysis, position, play));
      announce(spoken(analysis));
      playOn.see(analysis);
    } catch (error) {
      if (signal.aborted) return;
      const { code, message } = /** @type {import("../net/api.js").ApiError} */ (error);
      problem.textContent = message;
      if (PASSING.includes(code)) {
        timer = setTimeout(ask, RETRY);
        return;
      }
      fill(results);
    }
    setAttribute(results, "aria-busy", false);
  }

  /**
   * Go on with an option: a move, a stop; for a roll the dice are to be set, or are thrown.
   * @param {string} action
   */
  function play(action) {
    if (action === "roll" && !playOn.isOn) {
      const first = document.querySelector(".face-button");
      /** @type {HTMLElement | null} */ (first)?.focus();
      return;
    }
    const now = [...line, { action, position: text, seat: position.seat }];
    position = nextPosition(position, action);
    setup.show(position);
    step(positionText(position), 0, now);
  }

  /** @param {number} index  of the line: before this option was tried */
  function goBack(index) {
    const { position: before } = line[index];
    const found = parsePosition(before);
    if (!found) return;
    position = found;
    setup.show(found);
    step(before, 0, line.slice(0, index));
  }

  function drawShare() {
    fill(share, shareField(t("Link to this position"), shareAddress(analysisPath(text))));
  }

  /** @param {"png" | "svg"} kind */
  async function savePicture(kind) {
    const { savePictureOf } = await import("./picture.js");
    await savePictureOf(element, text, kind);
  }

  const digits = Array.from({ length: 9 }, (_, key) => [
    String(key + 1),
    () => setup.addDie(key + 1),
  ]);
  const stopKeys = listenToKeys({
    ...Object.fromEntries(digits),
    Backspace: () => setup.takeDie(),
    r: () => setup.choosePiece("runner"),
    a: () => setup.choosePiece(0),
    b: () => setup.choosePiece(1),
    c: () => setup.choosePiece(2),
    d: () => setup.choosePiece(3),
  });
  const element = h(
    "div",
    { class: "analysis" },
    h(
      "section",
      { class: "analysis-setup", "aria-label": t("Position") },
      setup.element,
      h("div", { class: "analysis-steps" }, undo, redo, clear),
      tried,
      playOn.element,
      h("label", { class: "paste-label", for: "position-field" }, t("Position or record, as text")),
      field,
      problem,
    ),
    results,
    moreParts(setup, share, savePicture),
  );
  settle(text, 0);
  return {
    element,
    leave() {
      clearTimeout(timer);
      asking?.abort();
      playOn.leave();
      stopKeys();
    },
  };
}

/**
 * @param {string} picture
 * @param {string} name
 * @param {() => void} onClick
 */
function stepButton(picture, name, onClick) {
  return h(
    "button",
    { type: "button", class: "small", on: { click: onClick } },
    icon(picture),
    h("span", {}, name),
  );
}

/**
 * @param {string} text
 * @param {() => void} onClick
 */
function pictureButton(text, onClick) {
  return h(
    "button",
    { type: "button", class: "small", on: { click: onClick } },
    icon("save"),
    text,
  );
}

/**
 * Rules, links and pictures, below the board.
 * @param {Setup} setup
 * @param {HTMLElement} share
 * @param {(kind: "png" | "svg") => void} savePicture
 */
function moreParts(setup, share, savePicture) {
  return h(
    "section",
    { class: "analysis-more" },
    h(
      "details",
      { class: "card rules-card" },
      h("summary", {}, icon("gear"), h("span", {}, t("Players and rules"))),
      setup.rules,
    ),
    h(
      "details",
      { class: "card share-card", open: true },
      h("summary", {}, icon("share"), h("span", {}, t("Share"))),
      h(
        "div",
        { class: "share-parts" },
        share,
        h(
          "div",
          { class: "picture-buttons" },
          pictureButton(t("Picture (PNG)"), () => savePicture("png")),
          pictureButton(t("Picture (SVG)"), () => savePicture("svg")),
        ),
      ),
    ),
    h(
      "p",
      { class: "hint keys-hint" },
      t(
        "Keys: 1 to 6 add a die, Backspace takes one away; A to D and R choose the piece; on the board arrows move it.",
      ),
    ),
  );
}

/**
 * The options that were tried one after the other; each leads back to before it.
 * @param {Tried[]} line
 * @param {(index: number) => void} goBack
 */
function lineOf(line, goBack) {
  if (!line.length) return null;
  return [
    h("span", { class: "muted" }, t("Tried:")),
    line.map(({ action, seat }, index) =>
      h(
        "button",
        {
          type: "button",
          class: "small tried-step",
          title: t("Back to before this"),
          on: { click: () => goBack(index) },
        },
        seatMark(seat),
        action === "bust" ? t("Bust") : actionText(action),
      ),
    ),
  ].flat();
}

/**
 * The last position of a record; null if the text is not a record.
 * @param {string} text
 * @returns {Position | null}
 */
function endOfRecord(text) {
  if (!text.includes("[")) return null;
  try {
    const { game } = readRecord(text);
    return {
      ...game.rules,
      starting: false,
      tokens: game.tokens.map((spaces) => spaces.slice(2)),
      runners: game.runners.slice(2),
      seat: game.seat,
      dice: game.dice ? [...game.dice].sort((one, two) => one - two) : [],
    };
  } catch {
    return null; // the server says what is wrong with it
  }
}

/**
 * The position after a move, a stop, a roll or a bust.
 * @param {Position} position
 * @param {string} action
 * @returns {Position}
 */
function nextPosition(position, action) {
  if (action === "bust") return afterBust(position);
  if (action === "roll") return { ...position, dice: throwDice((position.lengths.length + 1) / 2) };
  return afterAction(position, action);
}

/**
 * @param {Analysis} analysis
 * @param {Position} position
 * @param {(action: string) => void} play
 */
function resultsOf(analysis, position, play) {
  const { options, solo, phase, rolls, error } = analysis;
  return [
    h(
      "section",
      { class: "card verdict-card" },
      solo ? soloWorth(analysis) : seatChances(analysis),
      options.length > 0 && [
        h("h2", {}, phase === "move" ? t("Which move?") : t("Stop or roll?")),
        optionBars(options, { solo, first: phase === "roll", onPick: play }),
      ],
      h("p", { class: "risks" }, risksText(analysis, position)),
      error &&
        h(
          "p",
          { class: "hint" },
          t("Estimated; typically off by {error}.", {
            error: errorText(error.rms, solo),
          }),
        ),
    ),
    rolls && rollMap(rolls, solo),
  ];
}

/** @param {Analysis} analysis */
function soloWorth({ win, error }) {
  return h(
    "p",
    { class: "solo-worth" },
    t("Turns after this one, with best play: {worth}", {
      worth: estimateText(win[0], true, error),
    }),
  );
}

/**
 * Every seat's chance to win, as one bar and in figures.
 * @param {Analysis} analysis
 */
function seatChances({ win, seat, phase }) {
  return [
    h("h2", {}, t("Chance to win")),
    h(
      "div",
      { class: "chance-bar", "aria-hidden": "true" },
      win.map((chance, at) => {
        const part = h("span", { class: `colour-${at}` });
        part.style.flexGrow = String(Math.max(chance, 0.001));
        return part;
      }),
    ),
    h(
      "ul",
      { class: "chances" },
      win.map((chance, at) =>
        h(
          "li",
          { class: at === seat && phase !== "over" ? "to-play" : null },
          seatMark(at),
          h("span", {}, seatName(undefined, at)),
          h("strong", { "data-seat": at }, chanceText(chance)),
        ),
      ),
    ),
  ];
}

/**
 * @param {Analysis} analysis
 * @param {Position} position
 */
function risksText({ phase, next_bust: next, bust }, { dice }) {
  if (phase === "over") return t("The game is over.");
  if (phase === "bust") return t("These dice are of no use: a bust.");
  const turn = turnEndText(bust);
  if (dice.length === 4 || next === null) return turn;
  const roll = next
    ? t("Chance that the next roll is a bust: {bust}.", { bust: percent(next, 1) })
    : t("The next roll cannot be a bust.");
  return `${roll} ${turn}`;
}

/** @param {Analysis} analysis */
function spoken({ options, solo, phase }) {
  return options
    .map(({ move, win }) => `${actionText(move, phase === "roll")}: ${worthText(win, solo)}`)
    .join("; ");
}
