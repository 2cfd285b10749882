/** A position to look at or to decide: board and dice, and the answers as buttons and keys. */

import { h, setAttribute } from "../core/dom.js";
import { useStyle } from "../core/styles.js";
import { createBoard } from "../board/board.js";
import { geometry } from "../board/geometry.js";
import { createButtons } from "../board/buttons.js";
import { createDice, pairing } from "../board/dice.js";
import { tableKeys } from "../board/keyboard.js";
import { createMoves } from "../board/moves.js";
import { toast } from "../ui/dialog.js";
import { viewAt } from "./position.js";

useStyle("stage");

/** @typedef {import("../net/state.js").Seat} Seat */
/** @typedef {ReturnType<typeof createStage>} Stage */

/**
 * The board and the dice of a position.
 * @param {string} position  the first that it shows: the board keeps its shape
 * @param {Seat[]} seats
 */
export function createStage(position, seats) {
  let view = viewAt(position);
  const shape = geometry(view.lengths);
  const board = createBoard(
    view.lengths,
    () => {},
    () => {},
  );
  const dice = createDice();
  const area = h("div", { class: "board-area" }, board.element);
  area.style.setProperty("--board", `${shape.width} / ${shape.height}`);

  /** @param {string | null} move  what the board shows the way of */
  function preview(move) {
    board.preview(view.moves.find((offer) => offer.move === move)?.runners ?? null);
  }

  return {
    board,
    dice,
    preview,
    view: () => view,
    /**
     * @param {string} shown
     * @param {string[]} [moves]  the moves to choose from
     */
    show(shown, moves = []) {
      view = viewAt(shown, moves);
      board.update(view, seats);
      preview(null);
      setAttribute(dice.element, "hidden", !view.dice);
      if (view.dice) dice.show(view.dice, view.dice.length);
    },
    element: h("div", { class: "stage" }, area, dice.element),
  };
}

/**
 * What can be done in the position on a stage, to be answered by a click or a key.
 * @param {Stage} stage
 * @param {(action: string) => void} onAnswer
 */
export function createQuestion(stage, onAnswer) {
  const moves = createMoves(
    (option) => onAnswer(option.move),
    (option) => {
      const { dice } = stage.view();
      stage.preview(option?.move ?? null);
      stage.dice.pair(option && dice ? pairing(dice, option.split) : null);
    },
  );
  const buttons = createButtons(
    () => onAnswer("roll"),
    () => onAnswer("stop"),
    toast,
  );
  const element = h("div", { class: "question" }, moves.element, buttons.element);
  return {
    element,
    /** Stops listening to keys. */
    leave: tableKeys({ board: stage.board, dice: stage.dice, moves, buttons }),
    /** Offers what can be done now; returns whether that is which move. */
    ask() {
      const view = stage.view();
      const isMove = view.phase === "move";
      moves.update(view, true, null);
      buttons.update(view, true, null);
      buttons.element.hidden = isMove;
      element.hidden = false;
      return isMove;
    },
  };
}
