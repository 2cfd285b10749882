/** Notices at a slow table: what is being caught up with, who is away, who has let turns pass. */

import { h } from "../../core/dom.js";
import { closeDialog, openDialog } from "../../ui/dialog.js";
import { date, plural, t } from "../../words/i18n.js";
import { seatName } from "../../words/sentences.js";

/** @typedef {import("../../net/session.js").Session} Session */
/** @typedef {import("../../net/state.js").State} State */

/**
 * @param {Session} session
 * @param {State} state
 */
export function slowNotices(session, state) {
  if (state.stage !== "playing" || !session.mine.length) return [];
  if (session.catchingUp)
    return [h("p", { class: "notice told" }, t("What happened since your last turn"))];
  const { drop = [], away = [] } = session.clock ?? {};
  const { seat } = state.view;
  const others = drop.filter((each) => !session.mine.includes(each));
  const until = away[seat];
  return [
    ...others.map((each) => missedNotice(session, state, each)),
    ...(until && !session.mine.includes(seat) ? [awayNotice(state, seat, until)] : []),
  ];
}

/**
 * @param {State} state
 * @param {number} seat
 * @param {string} until
 */
function awayNotice({ seats }, seat, until) {
  const fields = { name: seatName(seats[seat], seat), time: date(until) };
  return h("p", { class: "notice told" }, t("{name} is away until {time}.", fields));
}

/**
 * @param {Session} session
 * @param {State} state
 * @param {number} seat
 */
function missedNotice(session, state, seat) {
  const count = session.clock?.missed?.[seat] ?? 2;
  const fields = { name: seatName(state.seats[seat], seat), count };
  return h(
    "p",
    { class: "notice" },
    h(
      "span",
      {},
      plural(
        count,
        t("{name} has let {count} turn pass.", fields),
        t("{name} has let {count} turns pass.", fields),
      ),
    ),
    h(
      "button",
      { type: "button", class: "small", on: { click: () => askToDrop(session, state, seat) } },
      endsGame(state) ? t("End the game") : t("Go on without"),
    ),
  );
}

/**
 * Whether nobody would be left to play with.
 * @param {State} state
 */
function endsGame({ seats }) {
  return seats.filter(({ resigned }) => !resigned).length === 2;
}

/**
 * @param {Session} session
 * @param {State} state
 * @param {number} seat
 */
function askToDrop(session, state, seat) {
  const name = seatName(state.seats[seat], seat);
  const [title, text, button] = endsGame(state)
    ? [t("End the game?"), t("You win, as if {name} had resigned.", { name }), t("End the game")]
    : [
        t("Go on without {name}?", { name }),
        t("Their seat is given up, as if they had resigned: a bot plays it to the end.", { name }),
        t("Go on without {name}", { name }),
      ];
  const drop = () => {
    closeDialog();
    session.act({ kind: "drop", seat: session.ownSeat ?? 0, for: seat });
  };
  openDialog(title, [
    h("p", {}, text),
    h(
      "div",
      { class: "actions" },
      h("button", { type: "button", class: "drop-seat", on: { click: drop } }, button),
      h("button", { type: "button", class: "primary", on: { click: closeDialog } }, t("Wait")),
    ),
  ]);
}
