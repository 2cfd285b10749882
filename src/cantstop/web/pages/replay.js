/** A game step by step: a slider over everything that happened, and a link to any move of it. */

import { h, fill, write } from "../core/dom.js";
import { pageAddress } from "../core/site.js";
import { analysisPath, shareAddress } from "../core/paths.js";
import { playedEvents } from "../core/played-events.js";
import { go, link } from "../core/router.js";
import { useStyle } from "../core/styles.js";
import { fetchState, isOnDevice } from "../net/api.js";
import { fetchEvents } from "../net/table-requests.js";
import { afterEvent } from "../net/state.js";
import { setTempo, skipMotion } from "../device/motion.js";
import { tableErrorPage } from "./error.js";
import { createBoard } from "../board/board.js";
import { Animals } from "../table/effects/animals.js";
import { showEvent } from "../table/effects/events.js";
import { createPlayers } from "../table/panels/players.js";
import { createTurnList } from "../table/panels/turn-list.js";
import { createDice } from "../board/dice.js";
import { listenToKeys } from "../board/keyboard.js";
import { openDialog, announce } from "../ui/dialog.js";
import { icon } from "../ui/icons.js";
import { iconButton, pageFrame } from "../ui/layout.js";
import { shareField } from "../ui/share-link.js";
import { pictureField } from "../ui/share-picture.js";
import { t } from "../words/i18n.js";
import { eventText, seatName } from "../words/sentences.js";

useStyle("forms");
useStyle("replay");

/** @typedef {import("../net/state.js").State} State */
/** @typedef {import("../net/protocol.js").TableEvent} TableEvent */

const PACE = 700;
const SPEEDS = [1, 2, 4];

/**
 * @param {string} id
 * @param {number} asked  the event to begin with
 * @param {boolean} plays  whether it begins by itself
 * @returns {Promise<import("../core/router.js").Page>}
 */
export async function replayPage(id, asked, plays) {
  let state, states;
  try {
    state = await fetchState(id);
    states = statesOf(state, await fetchEvents(id));
  } catch (error) {
    return tableErrorPage(id, /** @type {import("../net/api.js").ApiError} */ (error));
  }
  const review = link(`/t/${id}/review`, { class: "button small" }, icon("chart"), t("Review"));
  const viewer = createViewer(id, state, states, (n) => {
    review.href = `/t/${id}/review?event=${n}`;
  });
  viewer.show(Number.isFinite(asked) ? asked : states.length);
  if (plays) viewer.play();
  const title = t("Replay");
  const element = pageFrame(
    "replay",
    [h("h1", { class: "sr-only", tabindex: -1 }, title), viewer.element],
    [
      state.stage === "over" && !state.lesson && review,
      link(
        `/t/${id}`,
        { class: "button small" },
        icon("back"),
        state.stage === "over" ? t("To the table") : t("To the game"),
      ),
    ],
  );
  return { title, element, leave: viewer.leave };
}

/**
 * The state after each event, from the one that opened the table.
 * @param {State} last
 * @param {TableEvent[]} events
 */
function statesOf(last, events) {
  /** @type {State} */
  let state = { ...last, n: 0, log: [], stage: "open", secret: null, view: last.view };
  return untilTheEnd(events).map((event) => (state = afterEvent(state, event)));
}

/**
 * A game that is over ends with its end: an offer of a rematch is no part of it.
 * @param {TableEvent[]} events
 */
function untilTheEnd(events) {
  const end = events.findLastIndex(({ kind }) => kind === "finished");
  const goesOn = events.slice(end + 1).some(({ kind }) => kind === "takenback");
  return end < 0 || goesOn ? events : events.slice(0, end + 1);
}

/**
 * @param {string} id
 * @param {State} last
 * @param {State[]} states
 * @param {(n: number) => void} onShow  an event is shown
 */
function createViewer(id, last, states, onShow) {
  const board = createBoard(
    last.view.lengths,
    () => {},
    () => {},
  );
  const dice = createDice();
  const players = createPlayers();
  const turns = createTurnList(last, (n) => step(n - at));
  const sentence = h("p", { class: "status" });
  const place = h("output", { class: "place" });
  const slider = h("input", {
    type: "range",
    class: "slider",
    min: 1,
    max: states.length,
    "aria-label": t("Moment of the game"),
    on: { input: () => show(Number(slider.value)) },
  });
  const playButton = iconButton("play", t("Play it back"), () => (running ? pause() : play()), {
    class: "icon-button play",
  });
  const speedButton = h("button", {
    type: "button",
    class: "speed",
    on: {
      click: () => {
        speed = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length];
        setTempo(1 / speed);
        writeSpeed();
      },
    },
  });
  const area = h("div", { class: "board-area" }, board.element);
  const animals = new Animals(players);
  area.addEventListener("pointerdown", skipMotion);
  let at = 1;
  /** the run that plays it back, counted; 0 while nothing does */
  let running = 0;
  let runs = 0;
  let speed = SPEEDS[0];

  function writeSpeed() {
    write(speedButton, `×${speed}`);
    speedButton.setAttribute("aria-label", t("Speed: ×{speed}", { speed }));
  }
  writeSpeed();

  /**
   * @param {number} n
   * @param {boolean} [announced]  whether it has been announced already
   */
  function show(n, announced = false) {
    at = Math.max(1, Math.min(states.length, Math.round(n)));
    const state = states[at - 1];
    const event = /** @type {TableEvent} */ (state.log.at(-1));
    const text = eventText(event, state) || reactionText(event, state);
    players.update(state, []);
    turns.update(at);
    board.update(state.view, state.seats);
    dice.show(diceOf(state), state.view.roll_off ? 2 : 4);
    animals.wait(state);
    write(sentence, text);
    write(place, `${at} / ${states.length}`);
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", text);
    if (!announced) announce(text);
    history.replaceState(null, "", pageAddress(`/t/${id}?n=${at}`));
    onShow(at);
  }

  /** @param {number} by */
  function step(by) {
    pause();
    show(at + by);
  }

  /** Event by event, each with everything that it had when it was played. */
  async function play() {
    if (at === states.length) show(1);
    const run = (running = ++runs);
    fill(playButton, icon("pause"));
    playButton.setAttribute("aria-label", t("Pause"));
    await later(PACE / speed);
    while (running === run && at < states.length) {
      await showNext(at);
      if (running === run) await later(PACE / speed);
    }
    if (running === run) pause();
  }

  /** @param {number} here */
  async function showNext(here) {
    const [before, after] = [states[here - 1], states[here]];
    const event = /** @type {TableEvent} */ (after.log.at(-1));
    const draw = () => at === here && show(here + 1, true);
    animals.see(event, before, after);
    await showEvent({ area, dice, players, draw, mine: [] }, event, before, after);
    draw();
  }

  function pause() {
    running = 0;
    dice.rest();
    fill(playButton, icon("play"));
    playButton.setAttribute("aria-label", t("Play it back"));
  }

  /** @param {number} by  to the beginning of the next or previous turn */
  function turn(by) {
    const { turn: now } = states[at - 1].view;
    const found =
      by > 0
        ? states.findIndex((state) => state.view.turn > now)
        : states.findIndex((state) => state.view.turn >= Math.max(1, now - 1));
    step((found < 0 ? states.length : found + 1) - at);
  }

  const drawing = /** @type {SVGSVGElement} */ (board.element.querySelector("svg"));
  const share = () =>
    openDialog(t("Share this moment"), [
      !isOnDevice(id) && shareField(t("Link to this moment"), shareAddress(`/t/${id}?n=${at}`)),
      pictureField(drawing, sentence.textContent ?? ""),
    ]);
  const stopKeys = listenToKeys({
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    ArrowUp: () => turn(-1),
    ArrowDown: () => turn(1),
    Home: () => step(-states.length),
    End: () => step(states.length),
    " ": () => (running ? pause() : play()),
  });
  const buttons = h(
    "div",
    { class: "replay-buttons" },
    iconButton("first", t("To the beginning"), () => step(-states.length)),
    iconButton("back", t("One step back"), () => step(-1)),
    playButton,
    iconButton("forward", t("One step on"), () => step(1)),
    iconButton("last", t("To the end"), () => step(states.length)),
  );
  const more = h(
    "div",
    { class: "replay-buttons" },
    speedButton,
    place,
    iconButton("share", t("Share this moment"), share),
    (last.stage === "over" || last.hints) &&
      iconButton("search", t("Analyse the position"), () =>
        go(analysisPath(states[at - 1].view.position)),
      ),
  );
  return {
    show,
    play,
    element: h(
      "div",
      { class: "table replay" },
      players.element,
      area,
      h(
        "section",
        { class: "panel" },
        sentence,
        dice.element,
        slider,
        buttons,
        more,
        turns.element,
      ),
    ),
    leave() {
      pause();
      setTempo(1);
      animals.leave();
      stopKeys();
    },
  };
}

/**
 * The pace of a replay: for those who want no motion, too.
 * @param {number} milliseconds
 */
function later(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}

/**
 * The dice that lie on the table: those of the last roll, until the next turn has begun.
 * @param {State} state
 */
function diceOf({ log, view }) {
  const roll = playedEvents(log).findLast(({ kind }) => kind === "rolled");
  return roll?.kind === "rolled" ? roll.data.dice : view.dice;
}

/**
 * @param {TableEvent} event
 * @param {State} state
 */
function reactionText(event, state) {
  if (event.kind === "opened") return t("The table is open.");
  if (event.seat === null) return "";
  return t("{name} reacts.", { name: seatName(state.seats[event.seat], event.seat) });
}
