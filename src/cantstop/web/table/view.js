// @ts-check
/** The table on screen: players, board, dice, moves and the two big buttons, kept in step. */

import { h, fill, write } from "../dom.js";
import { toast } from "../dialog.js";
import { t } from "../i18n.js";
import { statusText } from "../say.js";
import { setSounding, sounding } from "../sound.js";
import { createBoard } from "./board.js";
import { createControls } from "./controls.js";
import { createDice, pairing } from "./dice.js";
import { listenToKeys, showKeys } from "./keys.js";
import { createMoves, options } from "./moves.js";
import { createNotice } from "./notice.js";
import { createPlayers } from "./players.js";
import { showEvent, showTurn } from "./show.js";
import { createStory } from "./story.js";

/** @typedef {import("../session.js").Session} Session */
/** @typedef {import("../types.js").State} State */
/** @typedef {import("./moves.js").Option} Option */

/**
 * Put a session's table on screen.
 * @param {Session} session  with its first state
 * @param {(code: number) => void} onRejected
 */
export function tableView(session, onRejected) {
  const first = /** @type {State} */ (session.state);
  const board = createBoard(first.view.lengths, clickColumn, pointColumn);
  const dice = createDice();
  const players = createPlayers();
  const moves = createMoves(pick, preview);
  const controls = createControls(roll, stop, (reason) => toast(reason));
  const notice = createNotice(session);
  const status = h("p", { class: "status" });
  const extra = h("div", { class: "extra" });
  const story = createStory();
  const area = h("div", { class: "board-area" }, board.element);
  const panel = h("section", { class: "panel" }, status, dice.element, moves.element, controls.element, extra);
  const scene = { area, dice, players, draw };
  /** @type {Awaited<ReturnType<typeof coachFor>>} */
  let coach = null;
  let extraFor = "";

  function draw() {
    const state = /** @type {State} */ (session.state);
    const live = session.myTurn && !session.pending;
    players.update(state, session.mine);
    board.update(state.view, state.seats);
    dice.show(lying(state), state.view.phase === "start" ? 2 : 4);
    moves.update(state.view, live, session.pending?.move ?? null);
    board.offer(live ? options(state.view).flatMap((option) => option.columns) : []);
    controls.update(state.view, live, session.pending?.kind ?? null);
    notice.update(state);
    story.update(state);
    coach?.update(state);
    write(status, statusText(state, session.myTurn, session.mine.length === 1));
    element.dataset.stage = state.stage;
    element.dataset.phase = state.view.phase;
    element.dataset.live = String(live);
    drawExtra(state);
  }

  /**
   * What only some tables need comes when they need it.
   * @param {State} state
   */
  async function drawExtra(state) {
    const wanted = `${state.stage} ${state.next} ${session.mine} ${JSON.stringify(state.seats)}`;
    if (state.stage === "playing" || (state.stage === "over" && session.showing)) fill(extra);
    if (wanted === extraFor || session.showing) return;
    extraFor = wanted;
    if (state.stage === "open") fill(extra, (await import("./lobby.js")).lobby(session));
    else if (state.stage === "over") fill(extra, (await import("./after.js")).afterwards(session));
  }

  function roll() {
    if (!session.myTurn || session.pending) return;
    dice.tumble(session.state?.view.phase === "start" ? 2 : 4);
    session.play({ kind: "roll" });
  }

  function stop() {
    if (session.myTurn && !session.pending) session.play({ kind: "stop" });
  }

  /** @param {Option} option */
  function pick(option) {
    if (!session.myTurn || session.pending) return;
    preview(null);
    session.play({ kind: "move", move: option.move });
  }

  /** @param {Option | null} option */
  function preview(option) {
    const view = session.state?.view;
    board.preview(option?.runners ?? null);
    dice.pair(option && view?.dice ? pairing(view.dice, option.split) : null);
  }

  /** @param {number} column */
  function offered(column) {
    const view = session.state?.view;
    if (!view || !session.myTurn || view.phase !== "move") return [];
    return options(view).filter((option) => option.columns.includes(column));
  }

  /** @param {number} column */
  function clickColumn(column) {
    const found = offered(column);
    if (found.length === 1) pick(found[0]);
    else if (found.length > 1) {
      moves.mark([column]);
      toast(t("Several moves use column {column}: pick one of them.", { column }));
    }
  }

  /** @param {number | null} column */
  function pointColumn(column) {
    const found = column === null ? [] : offered(column);
    moves.mark(found.length ? [/** @type {number} */ (column)] : []);
    preview(found.length === 1 ? found[0] : null);
  }

  const numbers = Array.from({ length: 9 }, (_, at) => [
    String(at + 1),
    () => /** @type {HTMLElement | undefined} */ (moves.element.children[at])?.click(),
  ]);
  const silence = listenToKeys({
    ...Object.fromEntries(numbers),
    r: () => controls.element.querySelector("button")?.click(),
    s: () => /** @type {HTMLElement | null} */ (controls.element.querySelector(".stop"))?.click(),
    m: () => setSounding(!sounding()),
    "?": showKeys,
  });

  const element = h("div", { class: "table" }, players.element, area, panel, story.element, notice.element);
  session.attach({
    async play(event, before, after) {
      await showEvent(scene, event, after);
      showTurn(scene, before, after, session.mine);
    },
    changed: draw,
    refused: (error) => toast(error.message, "bad"),
    rejected: onRejected,
  });
  draw();
  coachFor(first).then((found) => {
    coach = found;
    if (!coach) return;
    panel.before(coach.element);
    draw();
  });
  return {
    element,
    leave() {
      silence();
      coach?.leave();
    },
  };
}

/**
 * A tutorial table has a guide.
 * @param {State} state
 */
async function coachFor({ lesson }) {
  return lesson ? (await import("./coach.js")).createCoach() : null;
}

/**
 * The dice that lie on the table: those to be used, or else the last ones thrown.
 * @param {State} state
 */
function lying({ view, log }) {
  if (view.dice) return view.dice;
  const last = log.findLast((event) => event.kind === "rolled" || event.kind === "stopped");
  return last?.kind === "rolled" ? last.data.dice : null;
}
