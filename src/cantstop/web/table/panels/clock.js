/** The clock of a table: a ring around the mark of whoever is to decide, and everybody's bank. */

import { h, s, setAttribute, write } from "../../core/dom.js";
import { useStyle } from "../../core/styles.js";
import { announce } from "../../ui/dialog.js";
import { plural, t } from "../../words/i18n.js";

useStyle("clock");

const TICK = 250;

/** When the time left is announced, in seconds. */
const WARNING = 10;

/** @typedef {import("../../net/session.js").Session} Session */

/**
 * Shows the clock of a session from now on. Returns how to draw it again, and how to stop.
 * @param {Session} session
 * @param {{at: (index: number) => Element | undefined}} players
 */
export function createClock(session, players) {
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
      showRing(player, own, clock.seconds, bank);
      showTime(player, own, bank);
    });
    if (left !== null && session.mine.includes(thinking)) warn(Math.ceil(left), clock.at);
  }

  /**
   * Say once a decision that little time is left.
   * @param {number} left
   * @param {number} decision
   */
  function warn(left, decision) {
    if (left > WARNING || left <= 0 || warned === decision) return;
    warned = decision;
    announce(leftText(left));
  }

  const timer = setInterval(draw, TICK);
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
 */
function showRing(player, left, seconds, bank) {
  const face = player.querySelector(".face");
  const old = face?.querySelector(".ring");
  if (left === null || !face) {
    old?.remove();
    return;
  }
  const ring = old ?? face.appendChild(newRing());
  const own = left - bank;
  const share = own > 0 ? own / seconds : left / (bank || 1);
  setAttribute(ring, "class", `ring${own > 0 ? "" : " in-bank"}${left <= WARNING ? " short" : ""}`);
  setAttribute(ring, "aria-label", leftText(Math.ceil(left)));
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
 */
function showTime(player, left, bank) {
  const tags = player.querySelector(".tags");
  const own = left === null ? 0 : left - bank;
  const text = left === null ? `+${timeText(bank)}` : timeText(own > 0 ? own : left);
  const name =
    own > 0
      ? t("Time to think: {time}, then {bank}", { time: text, bank: timeText(bank) })
      : t("Time to think: {time}", { time: timeText(left ?? bank) });
  const tag = tags?.querySelector(".bank") ?? h("span", { class: "tag bank", role: "img" });
  if (!(tag instanceof HTMLElement)) return;
  tags?.prepend(tag);
  write(tag, text);
  setAttribute(tag, "aria-label", name);
  setAttribute(tag, "title", name);
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
