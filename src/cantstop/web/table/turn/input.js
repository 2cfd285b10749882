/** What clicks and taps on the board and the buttons do: preview a move, pick it, roll, stop. */

import { pairing } from "../../board/dice.js";
import { options } from "../../board/moves.js";

/** @typedef {import("../../board/moves.js").Option} Option */

/**
 * The parts of the table that input acts on.
 * @typedef {object} Parts
 * @property {import("../../board/board.js").Board} board
 * @property {import("../../board/dice.js").Dice} dice
 * @property {import("../../board/moves.js").Moves} moves
 * @property {import("../../board/buttons.js").Buttons} buttons
 * @property {HTMLElement} [skip]
 */

/**
 * @param {import("../../net/session.js").Session} session
 * @param {() => Parts} parts  called later: the parts need these handlers to be built
 * @param {(decision: import("./advice.js").Decision, take: () => void) => void} consider
 *   a decision before it is taken
 */
export function createInput(session, parts, consider) {
  const mayAct = () => session.myTurn && !session.pending;

  /** @param {Option | undefined} option */
  function preview(option) {
    const { board, dice } = parts();
    const rolled = session.state?.view.dice;
    board.preview(option?.runners ?? null);
    dice.pair(option && rolled ? pairing(rolled, option.split) : null);
  }

  /** @param {Option | undefined} option */
  function pick(option) {
    if (!option || !mayAct()) return;
    preview(undefined);
    decide({ kind: "move", move: option.move });
  }

  /** @param {import("./advice.js").Decision} decision */
  function decide(decision) {
    consider(decision, () => {
      if (!mayAct()) return;
      if (decision.kind === "roll")
        parts().dice.tumble(session.state?.view.phase === "start" ? 2 : 4);
      session.play(decision);
    });
  }

  /**
   * The move that uses a column: each sum belongs to one split, and a split uses a column once.
   * @param {number} column
   */
  function moveIn(column) {
    const view = session.state?.view;
    if (!view || !mayAct() || view.phase !== "move") return undefined;
    return options(view).find((option) => option.columns.includes(column));
  }

  return {
    preview,
    pick,
    roll() {
      if (mayAct()) decide({ kind: "roll" });
    },
    stop() {
      if (mayAct()) decide({ kind: "stop" });
    },
    /** @param {number} column */
    clickColumn(column) {
      pick(moveIn(column));
    },
    /** @param {number | null} column */
    pointColumn(column) {
      const option = column === null ? undefined : moveIn(column);
      parts().moves.mark(option);
      preview(option);
    },
  };
}
