/** Notices at the table: connection lost, a player away, a bot plays for you. */

import { h, fill } from "../../core/dom.js";
import { t } from "../../words/i18n.js";
import { seatName } from "../../words/sentences.js";

/** @typedef {import("../../net/session.js").Session} Session */
/** @typedef {import("../../net/state.js").Seat} Seat */
/** @typedef {import("../../net/state.js").State} State */

/** @param {Session} session */
export function createNotice(session) {
  const element = h("div", { class: "notices", "aria-live": "polite" });
  let drawn = "";
  return {
    element,
    /** @param {State} state */
    update(state) {
      const key = JSON.stringify([
        session.status,
        session.late,
        state.seats,
        session.mine,
        state.stage,
        session.watchers,
        t("away"),
      ]);
      if (key === drawn) return;
      drawn = key;
      fill(element, connection(session), absences(session, state));
    },
  };
}

/** @param {Session} session */
function connection({ status, late }) {
  if (status === "open" && !late) return null;
  const text = late
    ? t("No answer yet. It is sent again as soon as the server can be reached.")
    : t("Connection lost. Coming back…");
  return h("p", { class: late ? "notice lost late" : "notice lost", role: "status" }, text);
}

/**
 * @param {Session} session
 * @param {State} state
 */
function absences(session, state) {
  if (state.mode !== "online" || state.stage === "over") return [];
  return state.seats.flatMap((seat, index) => {
    if (session.mine.includes(index)) return seat.substitute ? [comeBack(session, index)] : [];
    const gone = (seat.kind === "human" && !seat.present) || seat.kind === "reserved";
    if (!gone || seat.substitute || !session.mine.length) return [];
    return [away(session, index, seat)];
  });
}

/**
 * @param {Session} session
 * @param {number} seat
 */
function comeBack(session, seat) {
  return h(
    "p",
    { class: "notice" },
    h("span", {}, t("A bot plays for you.")),
    h(
      "button",
      {
        type: "button",
        class: "small primary",
        on: { click: () => session.act({ kind: "return", seat }) },
      },
      t("Play myself"),
    ),
  );
}

/**
 * @param {Session} session
 * @param {number} index
 * @param {Seat} seat
 */
function away(session, index, seat) {
  const ask = () => session.act({ kind: "substitute", seat: session.ownSeat ?? 0, for: index });
  return h(
    "p",
    { class: "notice" },
    h("span", {}, t("{name} is away.", { name: seatName(seat, index) })),
    // until the server has said who is expected, everybody is
    seat.expected === false &&
      h("button", { type: "button", class: "small", on: { click: ask } }, t("Let a bot play")),
  );
}
