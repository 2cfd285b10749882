/** The clock of a table: a ring around the mark of whoever is to decide, and everybody's bank. */

import { h, s, setAttribute, write } from "../../core/dom.js";
import { useStyle } from "../../core/styles.js";
import { announce } from "../../ui/dialog.js";
import { date, plural, t } from "../../words/i18n.js";
import { shortTime, timeText as daysText } from "../../words/time-left.js";

useStyle("clock");

/**
 * How time is shown: in minutes and seconds for a decision, in days and hours for a turn.
 * @typedef {object} Scale
 * @property {number} tick  milliseconds between two looks
 * @property {number} warning  seconds from which on little is left
 * @property {(seconds: number) => string} tag  where there is little room
 * @property {(seconds: number) => string} said
 * @property {(seconds: number) => string} left
 */

/** @type {Scale} */
const DECISION = { tick: 250, warning: 10, tag: timeText, said: timeText, left: leftText };
/** @type {Scale} */
const TURN = {
  tick: 20_000,
  warning: 6 * 3600,
  tag: shortTime,
  said: daysText,
  left: (seconds) => t("{time} left", { time: daysText(seconds) }),
};

/** @typedef {import("../../net/session.js").Session} Session */

/**
 * Shows the clock of a session from now on. Returns how to draw it again, and how to stop.
 * @param {Session} session
 * @param {{at: (index: number) => Element | undefined}} players
 */
export function createClock(session, players) {
  const isSlow = Boolean(session.state?.days);
  const scale = isSlow ? TURN : DECISION;
  let warned = 0;

  function draw() {
    const { clock } = session;
    if (!clock || session.state?.stage !== "playing") return;
    const left = secondsLeft(clock);
    const thinking = clock.seat !== null && left !== null ? clock.seat : -1;
    clock.banks.forEach((bank, seat) => {
      const player = players.at(seat);
      if (!player || session.state?.seats[seat].kind === "bot") return;
      const own = seat === thinking ? (left ?? 0) : null;
      showRing(player, own, clock.seconds, bank, scale);
      showTime(player, own, bank, scale);
      if (isSlow) showAway(player, clock.away?.[seat] ?? null);
    });
    if (left !== null && session.mine.includes(thinking) && !isSlow)
      warn(Math.ceil(left), clock.at);
  }

  /**
   * Say once a decision that little time is left.
   * @param {number} left
   * @param {number} decision
   */
  function warn(left, decision) {
    if (left > scale.warning || left <= 0 || warned === decision) return;
    warned = decision;
    announce(leftText(left));
  }

  const timer = setInterval(draw, scale.tick);
  draw();
  return { draw, stop: () => clearInterval(timer) };
}

/** @param {NonNullable<Session["clock"]>} clock */
function secondsLeft({ left, at }) {
  return left === null ? null : Math.max(0, left - (performance.now() - at) / 1000);
}

/**
 * The ring empties with the time for the decision; then, in another colour, with the bank.
 * @param {Element} player
 * @param {number | null} left  null for everybody who is not to decide
 * @param {number} seconds
 * @param {number} bank
 * @param {Scale} scale
 */
function showRing(player, left, seconds, bank, scale) {
  const face = player.querySelector(".face");
  const old = face?.querySelector(".ring");
  if (left === null || !face) {
    old?.remove();
    return;
  }
  const ring = old ?? face.appendChild(newRing());
  const own = left - bank;
  const share = own > 0 ? own / seconds : left / (bank || 1);
  setAttribute(
    ring,
    "class",
    `ring${own > 0 ? "" : " in-bank"}${left <= scale.warning ? " short" : ""}`,
  );
  setAttribute(ring, "aria-label", scale.left(Math.ceil(left)));
  const arc = /** @type {SVGElement} */ (ring.lastElementChild);
  arc.style.strokeDashoffset = String(100 * (1 - Math.min(1, share)));
}

function newRing() {
  return s(
    "svg",
    { class: "ring", viewBox: "0 0 40 40", role: "img" },
    s("circle", { class: "ring-track", cx: 20, cy: 20, r: 18 }),
    s("circle", { class: "ring-arc", cx: 20, cy: 20, r: 18, pathLength: 100 }),
  );
}

/**
 * Who decides has the time for this decision, then the reserve; all others have theirs in reserve.
 * @param {Element} player
 * @param {number | null} left  null for everybody who is not to decide
 * @param {number} bank
 * @param {Scale} scale
 */
function showTime(player, left, bank, { tag: short, said }) {
  const tags = player.querySelector(".tags");
  const own = left === null ? 0 : left - bank;
  const text = left === null ? `+${short(bank)}` : short(own > 0 ? own : left);
  const name =
    own > 0
      ? t("Time to think: {time}, then {bank}", { time: said(own), bank: said(bank) })
      : t("Time to think: {time}", { time: said(left ?? bank) });
  const tag = tags?.querySelector(".bank") ?? h("span", { class: "tag bank", role: "img" });
  if (!(tag instanceof HTMLElement)) return;
  tags?.prepend(tag);
  write(tag, text);
  setAttribute(tag, "aria-label", name);
  setAttribute(tag, "title", name);
}

/**
 * A player who has said that they are away is not only gone from their screen.
 * @param {Element} player
 * @param {string | null} until
 */
function showAway(player, until) {
  const tags = player.querySelector(".tags");
  const old = tags?.querySelector(".on-leave");
  if (!until) return old?.remove();
  const tag = old ?? tags?.appendChild(h("span", { class: "tag away on-leave" }));
  if (!tag) return;
  write(tag, t("away"));
  setAttribute(tag, "title", t("away until {time}", { time: date(until) }));
}

/** @param {number} seconds */
function leftText(seconds) {
  const fields = { seconds };
  return plural(seconds, t("{seconds} second left.", fields), t("{seconds} seconds left.", fields));
}

/**
 * Minutes and seconds; of what is longer, the hours.
 * @param {number} seconds
 */
export function timeText(seconds) {
  if (seconds >= 3600) return t("{hours} h", { hours: Math.floor(seconds / 3600) });
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
