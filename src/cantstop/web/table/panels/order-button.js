/** Standing orders: the button in the top bar, which shows whether one stands. */

import { setAttribute } from "../../core/dom.js";
import { iconButton } from "../../ui/layout.js";
import { t } from "../../words/i18n.js";
import { orderText } from "../../words/sentences.js";

/** @typedef {import("../../net/session.js").Session} Session */
/** @typedef {import("../../net/state.js").State} State */

/**
 * Whether a player of this browser may give a standing order now.
 * @param {Session} session
 * @param {State} state
 */
export function mayOrder({ ownSeat }, { stage, seats, orders }) {
  if (ownSeat === null || !orders || stage !== "playing") return false;
  return !seats[ownSeat].substitute && !seats[ownSeat].resigned;
}

/**
 * The button that opens the panel of standing orders, where there can be any.
 * @param {Session} session
 */
export function createOrderButton(session) {
  /** @type {import("./orders.js").OrderPanel | null} */
  let panel = null;
  const open = async () => {
    panel = (await import("./orders.js")).openOrders(session);
  };
  const button = iconButton("order", t("Standing order"), open, {
    class: "icon-button order-button",
    "aria-keyshortcuts": "g",
    hidden: true,
  });
  return {
    button,
    /** @param {State} state */
    update(state) {
      const own = session.ownSeat === null ? undefined : state.seats[session.ownSeat].order;
      const known = state.seats.some(({ order }) => order);
      button.hidden = !mayOrder(session, state) && !known;
      button.classList.toggle("standing", Boolean(own));
      const name = own
        ? t("Standing order: {order}", { order: orderText(own) })
        : t("Standing order");
      setAttribute(button, "aria-label", name);
      setAttribute(button, "title", name);
      panel?.update(state);
    },
  };
}
