/**
 * A hint at the table: first what every option is worth, then why; and the tutor, who asks whether
 * a mistake is to be taken back.
 */

import { h, setAttribute } from "../core/dom.js";
import { gradeOf } from "../core/grades.js";
import { prefs } from "../core/prefs.js";
import { useStyle } from "../core/styles.js";
import { announce, toast } from "../ui/dialog.js";
import { icon } from "../ui/icons.js";
import { worthBar } from "../ui/option-bars.js";
import { t } from "../words/i18n.js";
import { actionText, worthText } from "../words/win-chances.js";
import { hintText } from "./hint-text.js";
import { fetchHint } from "./requests.js";

useStyle("hints");

/** @typedef {import("../net/protocol.js").HintAnswer} Hint */
/** @typedef {import("../net/session.js").Session} Session */
/** @typedef {import("../table/turn/advice.js").Decision} Decision */

/**
 * Where hints are shown.
 * @typedef {object} Places
 * @property {HTMLElement} area  around the board
 * @property {HTMLElement} moves
 * @property {HTMLElement} controls  of Roll and Stop
 */

/** A choice waits so long for the tutor, if its hint is still on the way. */
const PATIENCE = 1500;

/** The hints of a session's player, and the tutor that warns of a mistake. */
export class Hints {
  /**
   * @param {Session} session
   * @param {HTMLElement} bulb
   * @param {Places} places
   */
  constructor(session, bulb, places) {
    this.session = session;
    this.bulb = bulb;
    this.places = places;
    /** @type {{position: string, asked: Promise<Hint>} | null} the last one asked for */
    this.latest = null;
    /** @type {Hint | null} the one on screen */
    this.shown = null;
    this.level = 0;
    /** the position in which the tutor has spoken already */
    this.warnedAt = "";
    this.considering = false;
    this.note = h("p", { class: "hint-note", role: "status" });
  }

  positionNow() {
    return this.session.state?.view.position ?? "";
  }

  /** The hint for the position as it is; asked for once. */
  hintNow() {
    const position = this.positionNow();
    if (this.latest?.position === position) return this.latest.asked;
    const asked = fetchHint(this.session.id, this.session.secret);
    this.latest = { position, asked };
    asked.catch(() => this.latest?.asked === asked && (this.latest = null));
    return asked;
  }

  hide() {
    this.shown = null;
    this.level = 0;
    this.draw();
  }

  draw() {
    const names = [t("Hint"), t("Why?"), t("Hide the hint")];
    this.bulb.setAttribute("aria-label", names[this.level]);
    this.bulb.title = names[this.level];
    this.bulb.classList.toggle("lit", this.level > 0);
    this.note.textContent = this.shown && this.level === 2 ? hintText(this.shown) : "";
    if (this.level === 2) this.places.area.append(this.note);
    else this.note.remove();
    drawWorths(this.places, this.shown);
  }

  /** One step on: what the options are worth, why, nothing. */
  async next() {
    if (this.level) {
      this.level = this.level === 1 ? 2 : 0;
      if (!this.level) this.shown = null;
      return this.draw();
    }
    if (this.bulb.getAttribute("aria-busy")) return undefined;
    const position = this.positionNow();
    this.bulb.setAttribute("aria-busy", "true");
    try {
      const hint = await this.hintNow();
      if (this.positionNow() !== position) return undefined;
      this.shown = hint;
      this.level = 1;
      this.draw();
      announce(spoken(hint));
    } catch (error) {
      toast(/** @type {Error} */ (error).message, "bad");
    } finally {
      this.bulb.removeAttribute("aria-busy");
    }
    return undefined;
  }

  /** The table was drawn: a hint belongs to its position, and goes with it. */
  update() {
    if (!this.shown) return;
    if (this.latest?.position !== this.positionNow() || this.session.pending) this.hide();
    else drawWorths(this.places, this.shown);
  }

  /** Ask quietly for what the tutor needs to know. */
  prefetch() {
    if (this.session.pending || this.session.state?.view.phase === "roll") return;
    this.hintNow().catch(() => {});
  }

  /**
   * @param {Decision} decision
   * @param {() => void} take
   */
  async consider(decision, take) {
    const position = this.positionNow();
    if (this.latest?.position !== position || this.warnedAt === position) return take();
    if (this.considering) return undefined;
    this.considering = true;
    const hint = await orNull(this.latest.asked);
    this.considering = false;
    if (this.positionNow() !== position) return undefined;
    const chosen = hint && chosenOf(hint, decision);
    if (!hint || !chosen || !deservesWarning(hint, hint.options[0].win - chosen.win)) return take();
    this.warnedAt = position;
    return this.warn(hint, chosen, take);
  }

  /**
   * @param {Hint} hint
   * @param {Hint["options"][number]} chosen
   * @param {() => void} keep
   */
  async warn(hint, chosen, keep) {
    const { state } = this.session;
    const { showTutor } = await import("./tutor.js");
    if (!state || this.positionNow() !== hint.position) return keep();
    const { move } = hint.options[0];
    const better = move === "roll" || move === "stop" ? { kind: move } : { kind: "move", move };
    const take = () => this.session.play(/** @type {Decision} */ (better));
    return showTutor(state, hint, chosen, { keep, take });
  }
}

/**
 * What a promise brings, or null if that fails or takes long.
 * @template T
 * @param {Promise<T>} asked
 * @returns {Promise<T | null>}
 */
function orNull(asked) {
  const late = new Promise((done) => setTimeout(() => done(null), PATIENCE));
  return Promise.race([asked.catch(() => null), /** @type {Promise<null>} */ (late)]);
}

/**
 * @param {Hint} hint
 * @param {Decision} decision
 */
function chosenOf({ options }, decision) {
  const action = decision.kind === "move" ? decision.move : decision.kind;
  return options.find((option) => option.move === action);
}

/**
 * Whether the tutor was asked to speak up about so much.
 * @param {Hint} hint
 * @param {number} lost
 */
function deservesWarning({ solo, error }, lost) {
  const grade = gradeOf(lost, solo, error);
  return grade === "blunder" || (grade === "mistake" && prefs().tutor === "mistakes");
}

/**
 * A bar and a figure under every move, or under Roll and Stop; the buttons stay where they are.
 * @param {Places} places
 * @param {Hint | null} hint
 */
function drawWorths({ moves, controls }, hint) {
  for (const [action, button] of offered(moves, controls)) {
    const host = button.classList.contains("move") ? button : controls;
    const old = host.querySelector(`:scope > [data-worth="${action}"]`);
    const option = hint?.options.find((each) => each.move === action);
    if (Boolean(old) === Boolean(option)) continue;
    old?.remove();
    const id = `worth-${action}`;
    setAttribute(button, "aria-describedby", describedBy(button, id, Boolean(option)));
    if (!option || !hint) continue;
    const best = option === hint.options[0];
    host.append(
      h(
        "span",
        { class: best ? "worth best" : "worth", "data-worth": action, id },
        best && icon("check"),
        worthBar(hint.solo ? 1 / (1 - option.win) : option.win),
        h("span", {}, worthText(option.win, hint.solo)),
      ),
    );
  }
}

/**
 * The buttons of all options.
 * @param {HTMLElement} moves
 * @param {HTMLElement} controls
 * @returns {[string, HTMLElement][]}
 */
function offered(moves, controls) {
  const buttons = /** @type {HTMLElement[]} */ ([...moves.querySelectorAll(".move")]);
  const pair = ["roll", "stop"].map((action) => [action, controls.querySelector(`.${action}`)]);
  const all = /** @type {[string, HTMLElement][]} */ ([
    ...buttons.map((button) => [button.dataset.move ?? "", button]),
    ...pair,
  ]);
  // with dice of one's own there is no button to roll with: its place is that of Undo
  return all.filter(([, button]) => button?.checkVisibility());
}

/**
 * The ids of what describes a button, with this one or without.
 * @param {HTMLElement} button
 * @param {string} id
 * @param {boolean} added
 */
function describedBy(button, id, added) {
  const ids = (button.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean);
  const kept = ids.filter((each) => each !== id);
  return (added ? [...kept, id] : kept).join(" ") || null;
}

/**
 * All options, for screen readers.
 * @param {Hint} hint
 */
function spoken({ options, solo }) {
  return options.map(({ move, win }) => `${actionText(move)}: ${worthText(win, solo)}`).join("; ");
}
