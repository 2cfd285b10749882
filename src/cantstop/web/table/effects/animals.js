/** How the bots at a table take what happens: a mood for every event, and seldom a word. */

import { h } from "../../core/dom.js";
import { useStyle } from "../../core/styles.js";
import { announce } from "../../ui/dialog.js";
import { animalLine } from "../../words/animal-lines.js";
import { botName } from "../../words/sentences.js";

useStyle("animals");

/** @typedef {import("../../net/state.js").State} State */
/** @typedef {import("../../net/protocol.js").TableEvent} TableEvent */
/** @typedef {import("../../ui/bot-faces.js").Mood} Mood */
/** @typedef {import("../../words/animal-lines.js").Occasion} Occasion */

/** From such a risk on they watch, and from such a one they cannot look. */
const EXCITING = 0.25;
const UNBEARABLE = 0.4;
/** A mood lasts so long, a word a little longer. */
const LASTS = 2200;
const READ = 3200;
/** Turns between two words of the same animal. */
const QUIET = 3;
/** @type {Occasion[]} whatever was said before */
const ALWAYS = ["reply", "won", "lost"];

/** @type {Record<string, Mood>} how they answer a reaction */
const ANSWERS = {
  cheer: "grinning",
  tease: "hiding",
  sympathise: "waving",
  gasp: "watching",
  applaud: "grinning",
  laugh: "grinning",
};

/** The bots of a table. */
export class Animals {
  /** @param {ReturnType<typeof import("../panels/players.js").createPlayers>} players */
  constructor(players) {
    this.players = players;
    /** @type {Map<number, number>} the turn in which each seat spoke last */
    this.spoke = new Map();
    /** @type {Map<number, number>} timers of the moods that something has just caused */
    this.moods = new Map();
  }

  /**
   * The table was drawn: whoever waits for a decision shows what they think of the risk.
   * @param {State} state
   */
  wait(state) {
    const { view } = state;
    eachBot(state, (seat, bot) => {
      const mood = waitingMood(state, seat);
      if (!this.moods.has(seat)) this.players.show(seat, bot, mood);
      if (mood === "hiding") this.speak(seat, bot, "risk", view.turn);
    });
  }

  /**
   * Something happened.
   * @param {TableEvent} event
   * @param {State} before
   * @param {State} after
   */
  see(event, before, after) {
    eachBot(after, (seat, bot) => {
      const found = reactionTo(event, seat, riskOf(before));
      if (!found) return;
      this.feel(seat, bot, found.mood);
      if (found.occasion) this.speak(seat, bot, found.occasion, after.view.turn);
    });
  }

  /**
   * @param {number} seat
   * @param {string} bot
   * @param {Mood} mood
   */
  feel(seat, bot, mood) {
    clearTimeout(this.moods.get(seat));
    this.players.show(seat, bot, mood);
    const calm = () => {
      this.moods.delete(seat);
      this.players.show(seat, bot, "rest");
    };
    this.moods.set(seat, setTimeout(calm, LASTS));
  }

  /**
   * @param {number} seat
   * @param {string} bot
   * @param {Occasion} occasion
   * @param {number} turn
   */
  speak(seat, bot, occasion, turn) {
    const last = this.spoke.get(seat);
    const text = animalLine(bot, occasion);
    if (!text || (last !== undefined && turn - last < QUIET && !ALWAYS.includes(occasion))) return;
    this.spoke.set(seat, turn);
    showWord(this.players.at(seat), text);
    announce(`${botName(bot)}: ${text}`);
  }

  leave() {
    for (const timer of this.moods.values()) clearTimeout(timer);
  }
}

/**
 * @param {State} state
 * @param {(seat: number, bot: string) => void} use
 */
function eachBot({ seats }, use) {
  seats.forEach(({ bot }, seat) => bot && use(seat, bot));
}

/** The chance that the next roll is a bust. @param {State} state */
function riskOf({ view }) {
  const [bad, all] = view.bust_chance ?? [0, 1];
  return bad / all;
}

/**
 * @param {State} state
 * @param {number} seat
 * @returns {Mood}
 */
function waitingMood(state, seat) {
  const { stage, view } = state;
  if (stage !== "playing" || view.phase !== "choice" || view.seat === seat) return "rest";
  const risk = riskOf(state);
  return risk >= UNBEARABLE ? "hiding" : risk >= EXCITING ? "watching" : "rest";
}

/**
 * @param {TableEvent} event
 * @param {number} seat
 * @param {number} risk  that a roll was a bust
 * @returns {{mood: Mood, occasion?: Occasion} | null}
 */
function reactionTo(event, seat, risk) {
  const own = event.seat === seat;
  switch (event.kind) {
    case "rolled":
      return { mood: risk >= UNBEARABLE && !own ? "hiding" : "watching" };
    case "busted":
      return own ? { mood: "sighing", occasion: "bust" } : { mood: "watching" };
    case "stopped":
      if (!event.data.won.length) return null;
      return own ? { mood: "grinning", occasion: "column" } : { mood: "sighing" };
    case "finished":
      if (event.data.reason === "closed") return null;
      return event.data.winners.includes(seat)
        ? { mood: "grinning", occasion: "won" }
        : { mood: "sighing", occasion: "lost" };
    case "reacted":
      return own ? null : { mood: ANSWERS[event.data.reaction] ?? "grinning", occasion: "reply" };
    default:
      return null;
  }
}

/**
 * A word beside a player, above the board's corner, for a while.
 * @param {Element | undefined} player
 * @param {string} text
 */
function showWord(player, text) {
  if (!player) return;
  const list = player.parentElement;
  list?.querySelector(".speech")?.remove();
  const word = h("span", { class: "speech", "aria-hidden": "true" }, text);
  player.append(word);
  setTimeout(() => word.remove(), READ);
}
