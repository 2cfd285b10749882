/** The table on screen: builds its parts and redraws them whenever the session changes. */

import { h, fill, setAttribute, write } from "../core/dom.js";
import { coachedGame } from "../core/coaching.js";
import { nextTask } from "../core/frames.js";
import { neededPart, withPart } from "../core/parts.js";
import { saveState } from "../core/saved-games.js";
import { createAttention } from "../device/attention.js";
import { playedEvents } from "../core/played-events.js";
import { skipMotion } from "../device/motion.js";
import { createBoard } from "../board/board.js";
import { showEvent, showTurn, announceEvent } from "./effects/events.js";
import { createTakeBack } from "./panels/take-back.js";
import { createNotice } from "./panels/notices.js";
import { createPlayers } from "./panels/players.js";
import { sealLine } from "./panels/seal-line.js";
import { createAdvice } from "./turn/advice.js";
import { createButtons } from "../board/buttons.js";
import { createDice } from "../board/dice.js";
import { createInput } from "./turn/input.js";
import { tableKeys } from "../board/keyboard.js";
import { createMoves, options } from "../board/moves.js";
import { createSkip } from "./turn/skip.js";
import { trayNote } from "./turn/tray-note.js";
import { toast } from "../ui/dialog.js";
import { fitText } from "../ui/fit-text.js";
import { icon } from "../ui/icons.js";
import { roundOf } from "../words/counts.js";
import { percent, t } from "../words/i18n.js";
import { eventText, resultText, statusText, tableTitle } from "../words/sentences.js";

/** @typedef {import("../net/session.js").Session} Session */
/** @typedef {import("../net/state.js").State} State */
/** @typedef {{element: HTMLElement, update: (state: State) => void, leave: () => void}} Guide */

/**
 * Put a session's table on screen.
 * @param {Session} session  with its first state
 * @param {(code: number) => void} onRejected
 */
export function tableView(session, onRejected) {
  const first = /** @type {State} */ (session.state);
  const advice = createAdvice(session, () => ({
    area,
    moves: moves.element,
    controls: buttons.element,
  }));
  const input = createInput(session, () => parts, advice.consider);
  const board = createBoard(first.view.lengths, input.clickColumn, input.pointColumn);
  const dice = createDice();
  const moves = createMoves(input.pick, input.preview);
  const buttons = createButtons(input.roll, input.stop, toast);
  const players = createPlayers();
  const notice = createNotice(session);
  /** @type {ReturnType<typeof import("./panels/event-log.js").createEventLog> | null} */
  let eventLog = null;
  const takeBack = createTakeBack(session);
  const tool = h("span", { class: "tool" });
  /** @type {ReturnType<typeof import("./panels/order-button.js").createOrderButton> | null} */
  let orders = null;
  /** @type {ReturnType<typeof import("./panels/clock.js").createClock> | null} */
  let clock = null;
  const status = h("p", { class: "status" });
  const turn = h("p", { class: "turn-number" });
  const watchers = h("p", { class: "watchers", title: t("Spectators") });
  const seal = first.commitment ? sealLine(first.commitment, first) : null;
  const watching = h("p", { class: "watching muted" }, t("You are watching."));
  const area = h(
    "div",
    { class: "board-area" },
    board.element,
    turn,
    watchers,
    advice.bulb,
    takeBack.button,
  );
  const extra = h("div", { class: "extra" });
  const thrown = h("div", { class: "throw" }, seal, dice.element, moves.element);
  const panel = h("section", { class: "panel" }, status, thrown, buttons.element, watching, extra);
  const element = h(
    "div",
    { class: "table", "data-dice": first.dice },
    players.element,
    area,
    notice.element,
    panel,
  );
  const skip = createSkip(session, [area, thrown]);
  buttons.element.append(skip.element);
  const parts = { board, dice, moves, buttons, skip: skip.element };
  const drawExtra = createExtra(session, extra);
  const attention = createAttention(`/t/${session.id}`);
  /** @type {ReturnType<typeof import("./slow-table.js").createSlowTable> | null} */
  let slow = null;
  /** @type {Guide | null} */
  let guide = null;
  /** @type {ReturnType<typeof import("./companion.js").createCompanion> | null} */
  let companion = null;
  /** @type {import("./effects/animals.js").Animals | null} */
  let animals = null;
  let awake = false;
  let byKey = false;
  for (const part of [area, thrown]) part.addEventListener("pointerdown", skipMotion);
  panel.addEventListener("keydown", () => (byKey = true));
  panel.addEventListener("pointerdown", () => (byKey = false));

  function draw() {
    const state = /** @type {State} */ (session.state);
    const { view } = state;
    const live = session.myTurn && !session.pending;
    if (!session.pending && !session.showing) dice.rest();
    players.update(state, session.mine);
    board.update(view, state.seats);
    board.offer(live ? options(view).flatMap((option) => option.columns) : []);
    dice.show(lying(state), view.phase === "start" ? 2 : 4);
    const picked = session.pending?.kind === "move" ? session.pending.move : null;
    // while it is still being shown how the dice fell, the moves wait
    const known = session.showing && view.phase === "move" ? { ...view, moves: [] } : view;
    moves.update(known, live, picked, trayNote(state));
    buttons.update(view, live, session.pending?.kind ?? null);
    notice.update(state);
    eventLog?.update(state);
    guide?.update(state);
    if (guide) fitText(guide.element);
    advice.update(state);
    skip.update();
    takeBack.update(state);
    orders?.update(state);
    clock?.draw();
    slow?.update(state);
    animals?.wait(state);
    attention.update(tableTitle(state), callFor(session, state));
    const now = { showing: session.showing, rolling: session.pending?.kind === "roll" };
    companion?.update(state);
    const said = companion?.prompt(state) ?? statusText(state, session.mine, now);
    if (status.textContent !== said) {
      status.textContent = said;
      fitText(status);
    }
    fill(watchers, session.watchers > 0 && [icon("eye"), session.watchers]);
    write(turn, turnText(state));
    const facts = {
      stage: state.stage,
      phase: view.phase,
      live,
      rolls: view.rolls,
      n: state.n,
      watching: !session.mine.length,
    };
    for (const [name, value] of Object.entries(facts))
      setAttribute(element, `data-${name}`, String(value));
    if (byKey && live) keepFocus();
    drawExtra(state);
  }

  /** Who plays with the keyboard finds the focus where the next decision is. */
  function keepFocus() {
    const move = /** @type {HTMLElement | null} */ (moves.element.querySelector("button"));
    if (move && !moves.element.contains(document.activeElement)) move.focus();
    else if (!move && !buttons.element.contains(document.activeElement)) buttons.roll.focus();
  }

  /** The bots have faces from the start; moods come with what is loaded after the first roll. */
  async function wake() {
    awake = true;
    if (animals || !first.seats.some(({ bot }) => bot)) return;
    const { Animals } = await import("./effects/animals.js");
    animals ??= new Animals(players);
  }

  const stopKeys = tableKeys(parts, advice.bulb, takeBack.button, () => orders?.button);
  session.attach({
    async play(event, before, after) {
      if (event.kind === "reacted") await wake().catch(() => {});
      animals?.see(event, before, after);
      await showEvent({ area, dice, players, draw, mine: session.mine }, event, before, after);
      if (event.kind === "rolled" && session.mine.includes(event.seat))
        withPart(import("../core/feats.js"), ({ noteNerves }) => noteNerves(before, after));
      if (event.kind === "rolled" && !awake) loadRest(wake);
      showTurn(area, before, after, session.mine);
    },
    tell: (event, before, after) => announceEvent(area, event, before, after, session.mine),
    changed: draw,
    refused: (error) =>
      error.code === "salt-needed"
        ? neededPart(() => import("./panels/lost-salt.js")).then((part) =>
            part.showLostSalt(session),
          )
        : toast(error.message, "bad"),
    rejected: onRejected,
  });
  draw();
  prepare((made) => {
    eventLog = made;
    element.append(made.element);
    draw();
  });
  if (first.clock)
    neededPart(() => import("./panels/clock.js")).then(({ createClock }) => {
      clock = createClock(session, players);
    });
  if (first.days)
    neededPart(() => import("./slow-table.js")).then(({ createSlowTable }) => {
      slow = createSlowTable(session, buttons.element);
      draw();
    });
  if (first.orders)
    neededPart(() => import("./panels/order-button.js")).then(({ createOrderButton }) => {
      orders = createOrderButton(session);
      fill(tool, orders.button);
      draw();
    });
  if (first.dice === "entered")
    neededPart(() => import("./companion.js")).then(({ createCompanion }) => {
      const controls = buttons.element;
      companion = createCompanion(session, { table: element, area, thrown, controls, panel });
      draw();
    });
  neededPart(() => guideFor(first, session)).then((found) => {
    guide = found;
    if (!guide) return;
    panel.before(guide.element);
    draw();
  });
  return {
    element,
    /** for the top bar, where nothing covers it */
    tool,
    leave() {
      stopKeys();
      attention.leave();
      guide?.leave();
      notice.leave();
      clock?.stop();
      slow?.leave();
      companion?.leave();
      animals?.leave();
    },
  };
}

/**
 * What a player in another tab wants to know of.
 * @param {Session} session
 * @param {State} state
 * @returns {import("../device/attention.js").Call | null}
 */
function callFor(session, state) {
  if (session.myTurn) return { key: `turn ${state.view.turn}`, text: t("Your turn!") };
  if (!session.mine.length || session.showing) return null;
  const last = state.log.at(-1);
  const offered = last?.kind === "rematched" && !session.wantsRematch;
  if (offered || last?.kind === "seated")
    return { key: `${state.n}`, text: eventText(last, state) };
  return state.stage === "over" ? { key: "over", text: resultText(state, session.mine) } : null;
}

/**
 * The lobby and the game-over panel are loaded when they are needed.
 * @param {Session} session
 * @param {HTMLElement} box
 */
function createExtra(session, box) {
  let drawn = "";
  let stage = "";
  /** @param {State} state */
  return async (state) => {
    if (stage !== state.stage) nextTask().then(() => saveState(state, session.mine));
    stage = state.stage;
    // presence is left out: a redraw would clear the form that is being filled in
    const seats = state.seats.map(({ kind, name, colour }) => [kind, name, colour]);
    const wanted = JSON.stringify([stage, state.next, session.mine, seats]);
    if (wanted === drawn || session.showing) return;
    drawn = wanted;
    await nextTask(); // the end of a game is shown first
    const content = await neededPart(() => extraFor(session, state));
    if (wanted === drawn) fill(box, content);
  };
}

/**
 * @param {Session} session
 * @param {State} state
 */
async function extraFor(session, { stage, mode }) {
  if (stage === "open" && mode === "online")
    return (await import("./panels/lobby.js")).lobby(session);
  return stage === "over" ? (await import("./panels/game-over.js")).gameOver(session) : null;
}

/**
 * What no frame of an animation has time for, while nothing moves yet: the first number that is
 * formatted, and the log.
 * @param {(log: ReturnType<typeof import("./panels/event-log.js").createEventLog>) => void} use
 */
function prepare(use) {
  whenIdle(() => {
    percent(0);
    withPart(import("./panels/event-log.js"), ({ createEventLog }) => use(createEventLog()));
  });
}

/**
 * What a game needs after its first roll: the first roll did not wait for it, and later nothing has
 * to wait. What has been loaded once is there.
 * @param {() => Promise<void>} wake  the bots
 */
function loadRest(wake) {
  const load = () => {
    withPart(import("../device/service-worker.js"), ({ registerWorker }) => registerWorker());
    const parts = [
      wake(),
      import("./panels/menu.js"),
      import("./panels/game-over.js"),
      import("./effects/celebration.js"),
    ];
    withPart(Promise.all(parts), () => {});
  };
  whenIdle(load);
}

/** @param {() => void} work */
function whenIdle(work) {
  if ("requestIdleCallback" in window) requestIdleCallback(work);
  else setTimeout(work, 500);
}

/**
 * A tutorial table has a guide, and the first games after it a coach.
 * @param {State} state
 * @param {Session} session
 * @returns {Promise<Guide | null>}
 */
async function guideFor(state, session) {
  if (state.lesson) return (await import("./tutorial.js")).createGuide();
  if (coachedGame(state.id) === null) return null;
  const { Coach, mayCoach } = await import("./coach.js");
  const game = mayCoach(state);
  return game === null ? null : new Coach(session, game);
}

/**
 * How far the game is: in rounds, or alone in turns.
 * @param {State} state
 */
function turnText({ stage, seats, view }) {
  if (stage !== "playing" || view.phase === "start") return "";
  return t("Round {round}", { round: roundOf(view.turn, seats.length) });
}

/**
 * The dice that lie on the table: those to be used, or else the last ones thrown.
 * @param {State} state
 */
function lying({ view, log }) {
  if (view.dice) return view.dice;
  const last = playedEvents(log).findLast(({ kind }) => kind === "rolled" || kind === "stopped");
  return last?.kind === "rolled" ? last.data.dice : null;
}
