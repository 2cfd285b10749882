/** A position played on from the analysis board: one's own seat against best play, with fresh dice. */

import { fill, h } from "../core/dom.js";
import { botFace } from "../ui/bot-faces.js";
import { t } from "../words/i18n.js";
import { botName } from "../words/sentences.js";

/** @typedef {import("../core/position.js").Position} Position */
/** @typedef {import("../net/protocol.js").AnalysisAnswer} Analysis */

/** Milliseconds that the others take for a decision: one sees what they do. */
const PACE = 900;

export class PlayOn {
  /**
   * @param {() => Position} now  the position on the board
   * @param {(action: string) => void} play
   */
  constructor(now, play) {
    this.now = now;
    this.play = play;
    /** @type {number | null} one's own seat; null while nobody plays */
    this.seat = null;
    this.timer = 0;
    /** @type {Analysis | null} */
    this.latest = null;
    this.button = h("button", {
      type: "button",
      class: "wide play-on",
      on: { click: () => this.toggle() },
    });
    this.draw();
  }

  draw() {
    const name = botName("champion");
    fill(
      this.button,
      botFace("champion"),
      this.seat === null
        ? t("Play on from here against {name}", { name })
        : t("Stop playing against {name}", { name }),
    );
    this.button.setAttribute("aria-pressed", String(this.seat !== null));
  }

  toggle() {
    this.seat = this.seat === null ? this.now().seat : null;
    clearTimeout(this.timer);
    this.draw();
    if (this.latest) this.see(this.latest);
  }

  /**
   * Another position has been judged: what is not one's own to decide goes on by itself.
   * @param {Analysis} analysis
   */
  see(analysis) {
    this.latest = analysis;
    clearTimeout(this.timer);
    const { phase, options, seat } = analysis;
    if (this.seat === null || phase === "over") return;
    if (phase !== "bust" && seat === this.seat) return;
    const action = phase === "bust" ? "bust" : options[0]?.move;
    if (action) this.timer = setTimeout(() => this.play(action), PACE);
  }

  /** Whether dice are thrown, rather than set by hand. */
  get isOn() {
    return this.seat !== null;
  }

  leave() {
    clearTimeout(this.timer);
  }
}

/**
 * Four dice, as fair as this device can throw them.
 * @param {number} sides
 */
export function throwDice(sides) {
  const dice = [];
  while (dice.length < 4) {
    const [byte] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < sides * Math.floor(256 / sides)) dice.push(1 + (byte % sides));
  }
  return dice.sort((a, b) => a - b);
}

/**
 * The next player's turn after a bust.
 * @param {Position} position
 * @returns {Position}
 */
export function afterBust(position) {
  const { tokens, seat, runners } = position;
  return {
    ...position,
    runners: runners.map(() => 0),
    seat: (seat + 1) % tokens.length,
    dice: [],
  };
}
