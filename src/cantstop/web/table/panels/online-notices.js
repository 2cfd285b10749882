/** Notices at a table with others: a player away, a bot plays for you, a take-back asked for. */

import { h, write } from "../../core/dom.js";
import { pendingAsk } from "../../net/state.js";
import { joinList, t } from "../../words/i18n.js";
import { seatName } from "../../words/sentences.js";
import { slowNotices } from "./slow-notices.js";

/** @typedef {import("../../net/session.js").Session} Session */
/** @typedef {import("../../net/state.js").Seat} Seat */
/** @typedef {import("../../net/state.js").State} State */

/**
 * Everything that there is to say, beside the connection.
 * @param {Session} session
 * @param {State} state
 */
export function onlineNotices(session, state) {
  const slow = state.days ? slowNotices(session, state) : [];
  return [...absences(session, state), ...slow, takeBackNotice(session, state)];
}

/**
 * What these notices depend on.
 * @param {Session} session
 * @param {State} state
 */
export function noticeFacts(session, { seats, stage, log, days, view }) {
  const slow = days && [session.clock, session.catchingUp, view.seat];
  return [seats, session.mine, stage, session.watchers, pendingAsk(log), slow];
}

/**
 * Count the seconds down until a bot may play for whoever is away.
 * @param {Session} session
 * @param {HTMLElement} element
 */
export function countDown(session, element) {
  for (const place of element.querySelectorAll("[data-bot-at]"))
    write(place, awayText(session, Number(place.getAttribute("data-bot-at"))));
}

/**
 * @param {Session} session
 * @param {State} state
 */
function absences(session, state) {
  if (state.stage === "over") return [];
  return state.seats.flatMap((seat, index) => {
    if (seat.resigned) return [];
    if (session.mine.includes(index))
      return seat.substitute ? [comeBack(session, state, index)] : [];
    if (state.days) return [];
    const gone = (seat.kind === "human" && !seat.present) || seat.kind === "reserved";
    if (!(gone || seat.idle) || seat.substitute || !session.mine.length) return [];
    return [away(session, index, seat)];
  });
}

/**
 * @param {Session} session
 * @param {State} state
 * @param {number} seat
 */
function comeBack(session, state, seat) {
  const last = state.log.findLast((each) => each.kind === "substituted" && each.seat === seat);
  const late = last?.kind === "substituted" && last.data.reason === "time";
  return h(
    "p",
    { class: "notice" },
    h("span", {}, late ? t("Your time is up: a bot plays for you.") : t("A bot plays for you.")),
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
    h("span", { "data-bot-at": index }, awayText(session, index)),
    // until the server has said who is expected, everybody is
    (seat.expected === false || seat.idle) &&
      !hasTime(session) &&
      h("button", { type: "button", class: "small", on: { click: ask } }, t("Let a bot play")),
  );
}

/**
 * Who is away, and when a bot may play; or who takes long.
 * @param {Session} session
 * @param {number} index
 */
function awayText(session, index) {
  const seat = session.state?.seats[index];
  const name = seatName(seat, index);
  if (seat?.present) return t("{name} has not decided for a while.", { name });
  const seconds = Math.ceil(((session.botAt[index] ?? 0) - performance.now()) / 1000);
  return seconds > 0 && seat?.expected && !hasTime(session)
    ? t("{name} is away. A bot may play in {seconds} s.", { name, seconds })
    : t("{name} is away.", { name });
}

/**
 * Whether a clock keeps the seat for whoever is away: then nobody can give it to a bot.
 * @param {Session} session
 */
function hasTime({ clock, state }) {
  if (!clock || !state) return false;
  const since = Date.now() - Date.parse(state.log.at(-1)?.at ?? "");
  return state.stage === "playing" || since < 1000 * clock.seconds;
}

/**
 * Who has still to agree, by name: there may be one.
 * @param {State} state
 * @param {{seat: number, agreed: number[]}} ask
 */
function waitingText({ seats }, { seat: asking, agreed }) {
  const names = seats.flatMap((seat, index) =>
    index === asking || agreed.includes(index) || seat.kind !== "human" || seat.resigned
      ? []
      : [seatName(seat, index)],
  );
  return t("Waiting for {names} to agree…", { names: joinList(names) });
}

/**
 * A player asks to take their last decision back: the others answer.
 * @param {Session} session
 * @param {State} state
 */
function takeBackNotice(session, state) {
  const ask = pendingAsk(state.log);
  if (!ask || !session.mine.length) return null;
  const name = seatName(state.seats[ask.seat], ask.seat);
  const seat = session.mine.find(
    (mine) => mine !== ask.seat && !ask.agreed.includes(mine) && !state.seats[mine].resigned,
  );
  if (session.mine.includes(ask.seat) || seat === undefined)
    return h("p", { class: "notice lost" }, waitingText(state, ask));
  /** @param {"agree" | "decline"} kind */
  const answer = (kind) => () => session.act({ kind, seat, asked: ask.n });
  return h(
    "p",
    { class: "notice" },
    h("span", {}, t("{name} asks to take back their last decision.", { name })),
    h(
      "button",
      { type: "button", class: "small primary", on: { click: answer("agree") } },
      t("Agree"),
    ),
    h("button", { type: "button", class: "small", on: { click: answer("decline") } }, t("Decline")),
  );
}
