/**
 * A table for the real game: the players throw their own dice and enter what they show, die by die;
 * with the last one the roll is made. Everything can be undone, and all can read it from their seats.
 */

import { fill, h, setAttribute } from "../core/dom.js";
import { load, save } from "../core/prefs.js";
import { useStyle } from "../core/styles.js";
import { keepAwake } from "../device/wake-lock.js";
import { playedEvents } from "../core/played-events.js";
import { takeBackSeat } from "../net/state.js";
import { ownDiceText } from "./panels/own-dice.js";
import { riskText } from "../board/buttons.js";
import { die } from "../board/dice.js";
import { listenToKeys } from "../board/keyboard.js";
import { toast } from "../ui/dialog.js";
import { icon } from "../ui/icons.js";
import { t } from "../words/i18n.js";
import { seatName, startThrows } from "../words/sentences.js";

useStyle("companion");

/** @typedef {import("../net/session.js").Session} Session */
/** @typedef {import("../net/state.js").State} State */

/** The phases in which dice are thrown. */
const THROWN_IN = ["start", "roll", "choice"];
const FACES = [1, 2, 3, 4, 5, 6];
/** Milliseconds after the last die in which a key is one die too many, and picks no move. */
const SETTLE = 400;
const LARGE = "large-print";

/**
 * The parts of the table that change here.
 * @typedef {object} Places
 * @property {HTMLElement} table
 * @property {HTMLElement} area  around the board
 * @property {HTMLElement} thrown  where dice and moves lie
 * @property {HTMLElement} controls
 * @property {HTMLElement} panel
 */

/**
 * @param {Session} session
 * @param {Places} places
 */
export function createCompanion(session, { table, area, thrown, controls, panel }) {
  /** @type {number[]} */
  let faces = [];
  /** The decision that the faces belong to. */
  let decision = "";
  let settling = 0;
  /** @type {(() => void) | null} */
  let sleep = null;

  const places = h("div", { class: "entered", "aria-live": "polite" });
  const keys = FACES.map((face) =>
    h(
      "button",
      {
        type: "button",
        class: "die-key",
        "aria-label": t("Die: {face}", { face }),
        "aria-keyshortcuts": face,
        on: { click: () => enter(face) },
      },
      die(face, "key-die"),
    ),
  );
  const keypad = h(
    "div",
    { class: "keypad", role: "group", "aria-label": t("What the dice show") },
    places,
    h("div", { class: "die-keys" }, keys),
  );
  const undoButton = h(
    "button",
    { type: "button", class: "big undo", "aria-keyshortcuts": "u", on: { click: undo } },
    icon("undo"),
    h("span", { class: "label" }, t("Undo")),
  );
  const afterwards = h("button", { type: "button", class: "wide undo-end", on: { click: undo } });
  fill(afterwards, icon("undo"), t("Undo the last entry"));
  const print = h("button", {
    type: "button",
    class: "icon-button print",
    on: { click: () => setPrint(!load(LARGE, false)) },
  });
  fill(print, h("span", { "aria-hidden": "true" }, "Aa"));

  thrown.append(keypad);
  controls.prepend(undoButton);
  panel.append(afterwards);
  area.append(print);
  setPrint(load(LARGE, false));

  /** @param {boolean} large */
  function setPrint(large) {
    save(LARGE, large);
    setAttribute(table, "data-print", large ? "large" : null);
    const name = large ? t("Normal print") : t("Large print");
    print.setAttribute("aria-label", name);
    print.title = name;
  }

  /** Whether a player at this device is to throw dice. */
  function isDue() {
    const { state } = session;
    return (
      state?.stage === "playing" &&
      THROWN_IN.includes(state.view.phase) &&
      session.mine.includes(state.view.seat)
    );
  }

  function dueCount() {
    return session.state?.view.phase === "start" ? 2 : 4;
  }

  /** @param {number} face */
  function enter(face) {
    if (!isDue() || session.pending || faces.length === dueCount()) return;
    faces = [...faces, face];
    if (faces.length === dueCount()) {
      session.play({ kind: "roll", dice: faces });
      settle();
    }
    draw();
  }

  function settle() {
    setAttribute(table, "data-settling", true);
    settling = setTimeout(settled, SETTLE);
  }

  function settled() {
    clearTimeout(settling);
    settling = 0;
    setAttribute(table, "data-settling", null);
  }

  function undo() {
    if (session.pending) return;
    settled();
    if (faces.length) {
      faces = faces.slice(0, -1);
      draw();
      return;
    }
    const seat = session.state && takeBackSeat(session.state, session.mine);
    if (seat !== null) session.act({ kind: "takeback", seat });
  }

  /**
   * A number is a die while dice are due; right after the last one it is none, and no move either.
   * @param {number} number
   */
  function type(number) {
    if (settling) toast(t("The dice are complete already; undo takes them back."), "bad");
    else if (!isDue()) return false;
    else if (FACES.includes(number)) enter(number);
    else toast(t("A die shows 1 to {sides}, not {face}.", { sides: 6, face: number }), "bad");
    return true;
  }

  const stopKeys = listenToKeys(
    {
      ...Object.fromEntries(Array.from({ length: 10 }, (_, at) => [String(at), () => type(at)])),
      r: () => true, // nobody rolls here but the players
      u: undo,
      Backspace: undo,
    },
    true,
  );

  /** The dice so far, or what there is to say before the first of them. */
  function draw() {
    const { state } = session;
    if (!state) return;
    const due = isDue();
    keypad.hidden = !due;
    for (const key of keys) key.disabled = Boolean(session.pending);
    const words = faces.length ? "" : sentenceFor(state);
    if (words) fill(places, h("span", { class: "words" }, words));
    else
      fill(
        places,
        h("span", { class: "sr-only" }, faces.join(" ")),
        Array.from({ length: dueCount() }, (_, at) =>
          die(faces[at] ?? 0, at < faces.length ? "place filled" : "place"),
        ),
        h("span", { class: "risk" }, faces.length ? "" : riskText(state.view)),
      );
    const nothing = !faces.length && takeBackSeat(state, session.mine) === null;
    undoButton.disabled = nothing || Boolean(session.pending);
    afterwards.hidden = state.stage !== "over" || nothing;
  }

  return {
    /** @param {State} state */
    update(state) {
      const { turn, rolls, phase, seat } = state.view;
      const now = [turn, rolls, phase, seat].join();
      if (now !== decision || (faces.length === dueCount() && !session.pending)) faces = [];
      decision = now;
      if (state.stage === "playing") sleep ??= keepAwake();
      else {
        sleep?.();
        sleep = null;
      }
      draw();
    },
    /**
     * What to do now, where that is to throw dice.
     * @param {State} state
     */
    prompt(state) {
      const { phase, seat } = state.view;
      if (!isDue()) return null;
      const name = seatName(state.seats[seat], seat);
      if (phase === "start") return t("{name}, enter your two dice for the start.", { name });
      if (phase === "roll")
        return startThrows(state)
          ? t("{name} starts: enter your four dice.", { name })
          : t("{name}, enter your four dice.", { name });
      return state.view.may_stop
        ? t("{name}, stop or enter your next four dice.", { name })
        : t("{name}, enter your next four dice.", { name });
    },
    leave() {
      stopKeys();
      settled();
      sleep?.();
    },
  };
}

/**
 * What stands in the place of the dice before the first one is entered: why nobody can check them,
 * who threw what for the start, or why the last roll was a bust.
 * @param {State} state
 */
function sentenceFor(state) {
  const played = playedEvents(state.log);
  if (!played.length) return ownDiceText();
  const throws = startThrows(state);
  if (throws) return throws.map((dice, seat) => thrownText(state, seat, dice)).join(" · ");
  if (played.at(-1)?.kind !== "busted") return "";
  const roll = played.at(-2);
  const dice = roll?.kind === "rolled" ? roll.data.dice.join(" ") : "";
  return t("No split of {dice} can be used: bust.", { dice });
}

/**
 * @param {State} state
 * @param {number} seat
 * @param {number[] | null} dice
 */
function thrownText({ seats }, seat, dice) {
  const sum = dice ? dice.reduce((total, face) => total + face, 0) : "…";
  return `${seatName(seats[seat], seat)} ${sum}`;
}
