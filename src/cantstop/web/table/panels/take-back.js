/** Taking the last decision back: the button beside the board. */

import { takeBackSeat } from "../../net/state.js";
import { iconButton } from "../../ui/layout.js";
import { t } from "../../words/i18n.js";

/** @typedef {import("../../net/session.js").Session} Session */
/** @typedef {import("../../net/state.js").State} State */

/**
 * The button that takes back the last decision, while that is possible.
 * @param {Session} session
 */
export function createTakeBack(session) {
  /** @param {Event} event */
  const takeBack = (event) => {
    event.stopPropagation(); // a tap on the board skips a bot's turn
    const seat = session.state && takeBackSeat(session.state, session.mine);
    if (seat !== null) session.act({ kind: "takeback", seat });
  };
  const button = iconButton("undo", t("Take back"), takeBack, {
    class: "icon-button take-back",
    "aria-keyshortcuts": "u",
    hidden: true,
  });
  return {
    button,
    /** @param {State} state */
    update(state) {
      button.hidden = Boolean(session.pending) || takeBackSeat(state, session.mine) === null;
    },
  };
}
