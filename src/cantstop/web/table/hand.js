// @ts-check
/** The player's hand: what clicks, taps and keys do at the table. */

import { toast } from "../dialog.js";
import { t } from "../i18n.js";
import { pairing } from "./dice.js";
import { listenToKeys, showKeys } from "./keys.js";
import { options } from "./moves.js";

/** @typedef {import("./moves.js").Option} Option */

/**
 * What the hand reaches for; it is filled once everything is built.
 * @typedef {object} Reach
 * @property {import("./board.js").Board} board
 * @property {import("./dice.js").Dice} dice
 * @property {import("./moves.js").Moves} moves
 * @property {import("./controls.js").Controls} controls
 */

/**
 * @param {import("../session.js").Session} session
 * @param {() => Reach} reach
 */
export function createHand(session, reach) {
  const may = () => session.myTurn && !session.pending;

  /** @param {Option | null} option */
  function preview(option) {
    const { board, dice } = reach();
    const lying = session.state?.view.dice;
    board.preview(option?.runners ?? null);
    dice.pair(option && lying ? pairing(lying, option.split) : null);
  }

  /** @param {Option} option */
  function pick(option) {
    if (!may()) return;
    preview(null);
    session.play({ kind: "move", move: option.move });
  }

  /** @param {number} column */
  function offered(column) {
    const view = session.state?.view;
    if (!view || !may() || view.phase !== "move") return [];
    return options(view).filter((option) => option.columns.includes(column));
  }

  return {
    preview,
    pick,
    roll() {
      if (!may()) return;
      reach().dice.tumble(session.state?.view.phase === "start" ? 2 : 4);
      session.play({ kind: "roll" });
    },
    stop() {
      if (may()) session.play({ kind: "stop" });
    },
    /** @param {number} column */
    clickColumn(column) {
      const found = offered(column);
      if (found.length === 1) pick(found[0]);
      if (found.length > 1)
        toast(t("Several moves use column {column}: pick one of them.", { column }));
    },
    /** @param {number | null} column */
    pointColumn(column) {
      const found = column === null ? [] : offered(column);
      reach().moves.mark(found);
      preview(found.length === 1 ? found[0] : null);
    },
  };
}

/**
 * The keys of the table. Returns how to let go of them.
 * @param {() => Reach} reach
 */
export function tableKeys(reach) {
  const numbers = Array.from({ length: 9 }, (_, at) => [
    String(at + 1),
    () => /** @type {HTMLElement | undefined} */ (reach().moves.element.children[at])?.click(),
  ]);
  return listenToKeys({
    ...Object.fromEntries(numbers),
    r: () => reach().controls.roll.click(),
    s: () => reach().controls.stop.click(),
    m: () => /** @type {HTMLElement | null} */ (document.querySelector(".sound-button"))?.click(),
    "?": showKeys,
  });
}
