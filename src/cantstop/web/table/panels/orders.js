/** The panel of standing orders: a tap gives or changes one's own, and all that stand are shown. */

import { h, fill, setAttribute, write } from "../../core/dom.js";
import { useStyle } from "../../core/styles.js";
import { openDialog } from "../../ui/dialog.js";
import { icon } from "../../ui/icons.js";
import { segments } from "../../ui/segments.js";
import { percent, t } from "../../words/i18n.js";
import { orderText, seatName } from "../../words/sentences.js";
import { mayOrder } from "./order-button.js";

useStyle("orders");

/** @typedef {import("../../net/session.js").Session} Session */
/** @typedef {import("../../net/state.js").State} State */
/** @typedef {import("../../net/protocol.js").Order} Order */
/** @typedef {import("../../net/protocol.js").OrderPart} Part */
/** @typedef {{update: (state: State) => void}} OrderPanel */

/** Chances to bust that are offered, in per cent. */
const CHANCES = [20, 30, 40, 50];
const USUAL_CHANCE = 30;

/** @type {Record<Part, (chance: number) => string>} */
const SENTENCES = {
  runners: () => t("Roll until three runners are out"),
  column: () => t("Stop when a column is won"),
  bust: (chance) => t("Stop above a bust chance of {percent}", { percent: percent(chance / 100) }),
};

/**
 * @param {Session} session
 * @returns {OrderPanel}
 */
export function openOrders(session) {
  const state = /** @type {State} */ (session.state);
  const own = ownOrder(session, state);
  let chance = own?.bust ?? USUAL_CHANCE;
  /** @param {Partial<Order>} change */
  const give = (change) => send(session, { ...ownOrder(session, session.state), ...change });
  const toggles = (state.orders ?? []).map((part) => toggle(session, part, () => chance, give));
  const choice = chanceChoice(chance, (value) => {
    chance = value;
    panel.update(/** @type {State} */ (session.state));
    if (ownOrder(session, session.state)?.bust) give({ bust: chance });
  });
  const revoke = h(
    "button",
    { type: "button", class: "revoke", on: { click: () => send(session, {}) } },
    icon("close"),
    h("span", {}, t("Revoke")),
  );
  const form = h(
    "div",
    { class: "order-form" },
    h("p", {}, t("Say what is to be decided for you, even while you are away.")),
    h(
      "div",
      { class: "order-parts", role: "group", "aria-label": t("Standing order") },
      toggles.map(({ element }) => element),
      state.orders?.includes("bust") && choice,
    ),
    h(
      "p",
      { class: "hint" },
      t("It stands until you revoke it, and everybody sees it. A choice of moves is always yours."),
    ),
    revoke,
  );
  const others = h("ul", { class: "order-others" });
  const dialog = openDialog(t("Standing order"), [form, others], "orders");
  const panel = {
    /** @param {State} now */
    update(now) {
      if (!dialog.open) return;
      form.hidden = !mayOrder(session, now);
      const order = ownOrder(session, now);
      for (const { part, element, text } of toggles) {
        setAttribute(element, "aria-pressed", String(Boolean(order?.[part])));
        write(text, SENTENCES[part](chance));
      }
      if (!order && document.activeElement === revoke) toggles[0]?.element.focus();
      revoke.hidden = !order;
      fill(others, told(session, now));
    },
  };
  panel.update(state);
  return panel;
}

/**
 * The chances to bust to choose from; one that was ordered elsewhere is among them.
 * @param {number} chosen
 * @param {(chance: number) => void} choose
 */
function chanceChoice(chosen, choose) {
  const chances = [...new Set([...CHANCES, chosen])].sort((a, b) => a - b);
  const offered = chances.map((value) => ({ value, content: percent(value / 100) }));
  return segments("order-bust", t("Bust chance"), offered, chosen, choose);
}

/**
 * One thing that an order can say: a tap puts it into the order, or takes it out.
 * @param {Session} session
 * @param {Part} part
 * @param {() => number} chance
 * @param {(change: Partial<Order>) => void} give
 */
function toggle(session, part, chance, give) {
  const change = () => {
    const has = Boolean(ownOrder(session, session.state)?.[part]);
    if (part === "bust") give({ bust: has ? null : chance() });
    else give({ [part]: !has });
  };
  const text = h("span", {});
  const element = h(
    "button",
    { type: "button", class: "order-part", "data-part": part, on: { click: change } },
    h("span", { class: "order-box" }, icon("check")),
    text,
  );
  return { part, element, text };
}

/**
 * @param {Session} session
 * @param {State | null} state
 */
function ownOrder({ ownSeat }, state) {
  return ownSeat === null ? undefined : state?.seats[ownSeat].order;
}

/**
 * Give the order, or revoke the one that stands where nothing is left of it.
 * @param {Session} session
 * @param {Partial<Order>} order
 */
function send(session, { runners = false, column = false, bust = null }) {
  const seat = session.ownSeat;
  if (seat === null) return;
  if (runners || column || bust) session.act({ kind: "order", seat, runners, column, bust });
  else session.act({ kind: "revoke", seat });
}

/**
 * What the others have ordered.
 * @param {Session} session
 * @param {State} state
 */
function told({ ownSeat }, { seats }) {
  return seats.flatMap((seat, at) => {
    if (!seat.order || at === ownSeat) return [];
    const name = seatName(seat, at);
    return [h("li", {}, h("strong", {}, name), `: ${orderText(seat.order)}`)];
  });
}
