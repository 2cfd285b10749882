/** What each event looks and sounds like as it happens: dice, bust, column won, victory, reaction. */

import { withPart } from "../../core/parts.js";
import { pause, vibrate } from "../../device/motion.js";
import { play as sound } from "../../device/sound.js";
import { shake, stamp } from "./animations.js";
import { announce, toast } from "../../ui/dialog.js";
import { joinList, t } from "../../words/i18n.js";
import { eventText, resultText, seatName } from "../../words/sentences.js";

/** From such a risk on a roll is a drama. */
const DRAMATIC = 0.3;
/** Milliseconds for a frame or two: a slow phone has no time to draw all that comes in one of them. */
const FRAMES = 34;
/** Confetti besides the winners' colours. */
const FESTIVE = ["#ffd21f", "#fffaf0"];

/** @typedef {import("../../net/state.js").State} State */
/** @typedef {import("../../net/protocol.js").TableEvent} TableEvent */

/**
 * @typedef {object} Scene
 * @property {HTMLElement} area  around the board
 * @property {import("../../board/dice.js").Dice} dice
 * @property {{at: (index: number) => Element | undefined}} players
 * @property {() => void} draw  the state as it is now
 * @property {number[]} mine  the seats at this browser
 */

/**
 * Show an event: animation, sound and announcement.
 * @param {Scene} scene
 * @param {TableEvent} event
 * @param {State} before
 * @param {State} after
 */
export async function showEvent({ area, dice, players, draw, mine }, event, before, after) {
  announce(event.kind === "finished" ? resultText(after, mine) : eventText(event, after));
  switch (event.kind) {
    case "rolled":
      await showRoll({ area, dice, draw }, event.data.dice, before, after);
      break;
    case "moved":
      sound("step");
      draw();
      await pause(350);
      break;
    case "stopped": {
      const { won } = event.data;
      sound(won.length ? "column" : "stop");
      if (won.length) vibrate([40, 30, 40]);
      draw();
      await pause(FRAMES);
      if (won.length) await stamp(area, wonText(won), "column", 1000);
      else await pause(250);
      break;
    }
    case "busted":
      await pause(FRAMES);
      sound("bust");
      shake(area);
      await stamp(area, t("Bust!"), "bust", 1200);
      draw();
      break;
    case "finished":
      draw();
      if (event.data.reason) break;
      sound("win");
      if (isCelebrated(event.data.winners, after.seats, mine))
        confetti([...event.data.winners.map((seat) => colourOf(after.seats[seat])), ...FESTIVE]);
      break;
    case "hinted":
      break; // the decision goes on: a redraw would take the focus off it
    case "reacted":
      draw();
      sound("react");
      face(players.at(event.seat), event.data.reaction);
      break;
    case "declined":
      draw();
      if (event.seat !== null && !mine.includes(event.seat)) toast(eventText(event, after));
      break;
    case "ordered":
    case "revoked":
    case "rematched":
      draw();
      if (event.seat !== null && !mine.includes(event.seat)) toast(eventText(event, after));
      break;
    default:
      draw();
  }
}

/**
 * The dice fall; where much was at stake, the last one takes its time, and survival is cheered.
 * @param {Pick<Scene, "area" | "dice" | "draw">} scene
 * @param {number[]} thrown
 * @param {State} before
 * @param {State} after
 */
async function showRoll({ area, dice, draw }, thrown, before, after) {
  const [bad, all] = before.view.bust_chance ?? [0, 1];
  const dramatic = before.view.phase === "choice" && bad / all >= DRAMATIC;
  if (after.dice !== "entered") {
    sound(dramatic ? "suspense" : "roll");
    area.classList.toggle("suspense", dramatic);
    await dice.settle(thrown, dramatic);
    area.classList.remove("suspense");
  }
  draw();
  if (after.view.phase === "move") await pause(FRAMES); // then the moves are shown
  if (dramatic && after.view.phase === "move") {
    sound("cheer");
    vibrate([25, 35, 25]);
    stamp(area, t("Phew!"), "cheer", 900);
  }
  if (after.view.phase === "start" || after.view.dice === null) await pause(900);
}

/**
 * Whether there is confetti for a win: not for a bot's before the eyes of the people it has beaten.
 * @param {number[]} winners
 * @param {import("../../net/state.js").Seat[]} seats
 * @param {number[]} mine  the seats at this browser
 */
export function isCelebrated(winners, seats, mine) {
  return !mine.length || winners.some((seat) => !seats[seat].bot);
}

/** @param {string[]} colours */
function confetti(colours) {
  withPart(import("./celebration.js"), ({ celebrate }) => celebrate(colours));
}

/**
 * @param {Element | undefined} player
 * @param {string} reaction
 */
function face(player, reaction) {
  withPart(import("../panels/reactions.js"), ({ showReaction }) => showReaction(player, reaction));
}

/**
 * Say only how a turn ended that is not shown, and whose is next.
 * @param {HTMLElement} area
 * @param {TableEvent} event
 * @param {State} before
 * @param {State} after
 * @param {number[]} mine
 */
export function announceEvent(area, event, before, after, mine) {
  if (event.kind === "stopped" || event.kind === "busted") announce(eventText(event, after));
  showTurn(area, before, after, mine);
}

/** @param {number[]} won */
function wonText(won) {
  return won.length === 1
    ? t("Column {column}!", { column: won[0] })
    : t("Columns {columns}!", { columns: joinList(won) });
}

/** @param {import("../../net/state.js").Seat} seat */
function colourOf({ colour }) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--seat-${colour}`).trim();
}

/**
 * Say whose turn begins: to screen readers always, on the board where people share a screen.
 * @param {HTMLElement} area
 * @param {State} before
 * @param {State} after
 * @param {number[]} mine  the seats at this browser
 */
export function showTurn(area, before, after, mine) {
  const { view } = after;
  const decided = before.view.phase === "start" && view.phase === "roll";
  if (after.stage !== "playing" || view.phase !== "roll") return;
  if (before.view.turn === view.turn && !decided) return;
  const name = seatName(after.seats[after.view.seat], after.view.seat);
  const here = mine.includes(after.view.seat);
  if (decided) announce(t("{name} starts.", { name }));
  announce(here && mine.length === 1 ? t("It is your turn.") : t("It is {name}’s turn.", { name }));
  if (here) sound("turn");
  if (here && mine.length > 1) stamp(area, name, "turn", 700);
}
