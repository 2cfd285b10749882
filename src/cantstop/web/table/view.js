// @ts-check
/** The table on screen: players, board, dice, moves and the two big buttons, kept in step. */

import { h, fill, setAttribute, write } from "../dom.js";
import { toast } from "../dialog.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import { noteState } from "../mygames.js";
import { statusText } from "../say.js";
import { createBoard } from "./board.js";
import { createControls } from "./controls.js";
import { createDice } from "./dice.js";
import { createHand, tableKeys } from "./hand.js";
import { createMoves, options } from "./moves.js";
import { createNotice } from "./notice.js";
import { createPlayers } from "./players.js";
import { showEvent, showTurn } from "./show.js";
import { createStory } from "./story.js";
import { sealLine } from "./trust.js";

/** @typedef {import("../session.js").Session} Session */
/** @typedef {import("../types.js").State} State */

/**
 * Put a session's table on screen.
 * @param {Session} session  with its first state
 * @param {() => void} onRejected
 */
export function tableView(session, onRejected) {
  const first = /** @type {State} */ (session.state);
  const hand = createHand(session, () => reach);
  const board = createBoard(first.view.lengths, hand.clickColumn, hand.pointColumn);
  const dice = createDice();
  const moves = createMoves(hand.pick, hand.preview);
  const controls = createControls(hand.roll, hand.stop, toast);
  const players = createPlayers();
  const notice = createNotice(session);
  const story = createStory();
  const status = h("p", { class: "status" });
  const turn = h("p", { class: "turn-number" });
  const watchers = h("p", { class: "watchers", title: t("People who watch") });
  const seal = first.commitment ? sealLine(first.commitment) : null;
  const watching = h("p", { class: "watching muted" }, t("You are watching."));
  const area = h("div", { class: "board-area" }, board.element, turn, watchers);
  const extra = h("div", { class: "extra" });
  const thrown = h("div", { class: "throw" }, seal, dice.element, moves.element);
  const panel = h("section", { class: "panel" }, status, thrown, controls.element, watching, extra);
  const element = h(
    "div",
    { class: "table" },
    players.element,
    area,
    notice.element,
    panel,
    story.element,
  );
  const reach = { board, dice, moves, controls };
  const drawExtra = createExtra(session, extra);
  /** @type {Awaited<ReturnType<typeof coachFor>>} */
  let coach = null;
  let byKey = false;
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
    moves.update(view, live, session.pending?.move ?? null);
    controls.update(view, live, session.pending?.kind ?? null);
    notice.update(state);
    story.update(state);
    coach?.update(state);
    write(status, statusText(state, session.myTurn, session.mine.length === 1));
    fill(watchers, session.watchers > 0 && [icon("eye"), session.watchers]);
    write(turn, state.stage === "playing" ? t("Turn {turn}", { turn: view.turn }) : "");
    const facts = {
      stage: state.stage,
      phase: view.phase,
      live,
      rolls: view.rolls,
      watching: !session.mine.length,
    };
    for (const [name, value] of Object.entries(facts))
      setAttribute(element, `data-${name}`, String(value));
    if (byKey && live) keepFocus();
    drawExtra(state);
  }

  /** Who plays with the keyboard finds the focus where the next decision is. */
  function keepFocus() {
    const move = /** @type {HTMLElement | null} */ (moves.element.firstElementChild);
    if (move && !moves.element.contains(document.activeElement)) move.focus();
    else if (!move && !controls.element.contains(document.activeElement)) controls.roll.focus();
  }

  const letGo = tableKeys(() => reach);
  session.attach({
    async play(event, before, after) {
      await showEvent({ area, dice, players, draw }, event, after);
      showTurn(area, before, after, session.mine);
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
      letGo();
      coach?.leave();
    },
  };
}

/**
 * What only some tables need, and only before or after the game, comes when they need it.
 * @param {Session} session
 * @param {HTMLElement} box
 */
function createExtra(session, box) {
  let drawn = "";
  let stage = "";
  /** @param {State} state */
  return async (state) => {
    if (stage !== state.stage) noteState(state, session.mine);
    stage = state.stage;
    // who comes and goes is not in it: somebody may be filling in a form
    const seats = state.seats.map(({ kind, name, colour }) => [kind, name, colour]);
    const wanted = JSON.stringify([stage, state.next, session.mine, seats]);
    if (wanted === drawn || session.showing) return;
    drawn = wanted;
    const content = await extraFor(session, state);
    if (wanted === drawn) fill(box, content);
  };
}

/**
 * @param {Session} session
 * @param {State} state
 */
async function extraFor(session, { stage, mode }) {
  if (stage === "open" && mode === "online") return (await import("./lobby.js")).lobby(session);
  return stage === "over" ? (await import("./after.js")).afterwards(session) : null;
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
