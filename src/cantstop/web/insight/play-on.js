/** A position played on from the analysis board: one's own seat against an animal, with fresh dice. */

import { fill, h } from "../core/dom.js";
import { LADDER } from "../core/ladder.js";
import { positionText } from "../core/position.js";
import { load, save } from "../core/prefs.js";
import { botFace } from "../ui/bot-faces.js";
import { toast } from "../ui/dialog.js";
import { segments } from "../ui/segments.js";
import { t } from "../words/i18n.js";
import { botName } from "../words/sentences.js";

/** @typedef {import("../core/position.js").Position} Position */
/** @typedef {import("../net/protocol.js").AnalysisAnswer} Analysis */

/** Milliseconds that the others take for a decision: one sees what they do. */
const PACE = 900;

/** It plays what the analysis says is best: nobody has to be asked. */
const BEST = "champion";

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
    /** @type {string} */
    this.bot = load("play-on", BEST);
    if (!LADDER.includes(this.bot)) this.bot = BEST;
    this.button = h("button", {
      type: "button",
      class: "wide play-on",
      on: { click: () => this.toggle() },
    });
    this.element = h(
      "div",
      { class: "play-on-box" },
      this.button,
      segments(
        "play-on",
        t("Opponent"),
        LADDER.map((bot) => ({ value: bot, content: botFace(bot), name: botName(bot) })),
        this.bot,
        (bot) => this.choose(bot),
      ),
    );
    this.draw();
  }

  draw() {
    const name = botName(this.bot);
    fill(
      this.button,
      botFace(this.bot),
      this.seat === null
        ? t("Play on from here against {name}", { name })
        : t("Stop playing against {name}", { name }),
    );
    this.button.setAttribute("aria-pressed", String(this.seat !== null));
  }

  /** @param {string} bot  who plays the others from now on */
  choose(bot) {
    this.bot = bot;
    save("play-on", bot);
    this.draw();
    if (this.latest) this.see(this.latest);
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
    const { phase, seat } = analysis;
    if (this.seat === null || phase === "over") return;
    if (phase !== "bust" && seat === this.seat) return;
    this.timer = setTimeout(() => this.decide(analysis), PACE);
  }

  /** @param {Analysis} analysis  of the position in which the animal is to decide */
  async decide(analysis) {
    const action = await this.decision(analysis);
    if (action && this.isOn && this.latest === analysis) this.play(action);
  }

  /** @param {Analysis} analysis */
  async decision({ phase, options }) {
    if (phase === "bust") return "bust";
    if (this.bot === BEST || options.length < 2) return options[0]?.move;
    try {
      const { askDevice } = await import("../local/device.js");
      return await askDevice("play", "decide", this.bot, positionText(this.now()));
    } catch (error) {
      toast(/** @type {Error} */ (error).message, "bad");
      if (this.isOn) this.toggle();
      return null;
    }
  }

  /** Whether dice are thrown, rather than set by hand. */
  get isOn() {
    return this.seat !== null;
  }

  leave() {
    clearTimeout(this.timer);
    this.seat = null;
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
