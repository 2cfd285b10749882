/**
 * A table as this browser sees it: the state so far, the queue of events still to be animated, and
 * the actions of its player.
 */

import { prefs } from "../core/prefs.js";
import { myGame, newSalt, saveGame } from "../core/saved-games.js";
import { pause, reducedMotion, setTempo } from "../device/motion.js";
import {
  boundSeats,
  diceTurn,
  dueActions,
  isGradual,
  revealBeforeRoll,
  saltCommitment,
} from "./salts.js";
import { openConnection } from "./socket.js";
import { afterEvent, withPresence } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./protocol.js").TableEvent} TableEvent */
/** @typedef {import("./protocol.js").Problem} Problem */
/** @typedef {import("./socket.js").NewAction} NewAction */
/** @typedef {import("./socket.js").ConnectionStatus} ConnectionStatus */

/** With more events than this in the queue, they are applied without animation. */
const MAX_ANIMATED = 6;

/** How much of their time events take that were missed. */
const CATCH_UP = 0.75;
/** Milliseconds that one of them is looked at where nothing moves. */
const STILL = 700;

/** How much of their time events of bots take on screen. */
const TEMPOS = { normal: 1, fast: 0.5, "at-once": 0 };
/** Milliseconds after which a notice says that the server has not answered yet. */
const PATIENCE = 2000;

/** The phases in which a player has something to decide; the others pass by themselves. */
const DECISIONS = ["start", "roll", "move", "choice"];

/**
 * What shows the table: `play` takes its time over an event, `tell` only says it, `changed` draws
 * what is.
 * @typedef {object} Renderer
 * @property {(event: TableEvent, before: State, after: State) => void} tell
 * @property {(event: TableEvent, before: State, after: State) => Promise<void> | void} play
 * @property {() => void} changed
 * @property {(error: Problem) => void} refused
 * @property {(code: number, error: Problem | null) => void} rejected
 */

export class Session {
  /** @type {State | null} */
  state = null;
  /** @type {number[]} the seats that this browser holds */
  mine = [];
  watchers = 0;
  /** @type {ConnectionStatus} */
  status = "connecting";
  /** how many pages show it; it is closed with the last one */
  users = 0;
  /** whether this player asked for the rematch, and so goes there without being asked */
  wantsRematch = false;
  /** @type {NewAction | null} sent and not answered yet */
  pending = null;
  /** @type {(import("./protocol.js").ClockView & {at: number}) | null} and when it was received */
  clock = null;
  /** @type {Record<string, number>} when a bot may play for each seat that is expected back */
  botAt = {};
  /** whether the bots' turns are skipped, up to this player's own */
  skipping = false;
  /** whether that takes longer than it should */
  late = false;
  #patience = 0;

  /** @type {Renderer | null} */
  #renderer = null;
  /** @type {TableEvent[]} */
  #queue = [];
  /** whether events are still being shown */
  showing = false;
  /** whether these are what others did since the player was last here */
  catchingUp = false;
  /** @type {number | null} the last event received, shown or not */
  #lastReceived = null;
  /** @type {State | null} the state after all events received, shown or not, before the game */
  #open = null;
  /** @type {Set<string>} what was sent about salts */
  #sent = new Set();
  #connection;
  /** @type {(code: number | null) => void} */
  #resolveReady = () => {};
  /** @type {Promise<number | null>} null once there is a state, or the code of the rejection */
  ready = new Promise((settled) => {
    this.#resolveReady = settled;
  });

  /**
   * @param {string} id
   * @param {string | null} secret  null to watch
   * @param {string} salt  what this browser adds to the dice
   * @param {State | null} known  the state, where it came before the connection
   * @param {typeof openConnection} open  for a table on this device another one
   * @param {TableEvent[]} missed  what happened after that state, to be shown: see `showMissed`
   */
  constructor(id, secret, salt, known, open = openConnection, missed = []) {
    this.id = id;
    this.secret = secret;
    this.salt = salt;
    if (known) this.#reset(known);
    if (known && missed.length) this.#miss(missed);
    this.#connection = open(
      id,
      () => ({
        secret,
        ...(secret && { salt_commitment: saltCommitment(this.salt), pace: this.#pace }),
      }),
      {
        after: () => this.#lastReceived,
        message: (message) => this.#onMessage(message),
        status: (status) => this.#setStatus(status),
        rejected: (code, error) => this.#reject(code, error),
      },
    );
    if (known) this.#sendSalts(known, true);
  }

  /** @param {TableEvent[]} missed */
  #miss(missed) {
    this.catchingUp = this.showing = true;
    this.#queue = [...missed];
    this.#lastReceived = missed[missed.length - 1].n;
  }

  /** The table is on screen: show what was missed. */
  showMissed() {
    if (this.catchingUp) this.#playQueue();
  }

  /** @param {Renderer} renderer */
  attach(renderer) {
    this.#renderer = renderer;
  }

  close() {
    setTempo(1);
    this.#renderer = null;
    clearTimeout(this.#patience);
    this.#connection.close();
  }

  /** Whether the player at this browser is to act. */
  get myTurn() {
    const { state } = this;
    if (state?.stage !== "playing" || this.showing) return false;
    return DECISIONS.includes(state.view.phase) && this.#holds(state.view.seat);
  }

  /** Whether a bot plays and nobody else waits for it, or what was missed is shown: that can be skipped. */
  get maySkip() {
    const { state, mine } = this;
    if (this.catchingUp) return true;
    if (state?.stage !== "playing" || !mine.length || mine.includes(state.view.seat)) return false;
    return state.seats.every(({ bot }, at) => bot !== null || mine.includes(at));
  }

  /** Skip the bots' turns, up to this player's own. */
  skip() {
    if (!this.maySkip || this.skipping) return;
    this.skipping = true;
    setTempo(0);
    this.#connection.setPace(this.#pace);
    this.#renderer?.changed();
  }

  /** The preferred pace has changed. */
  updatePace() {
    this.#connection.setPace(this.#pace);
  }

  get #pace() {
    return this.skipping ? "at-once" : prefs().pace;
  }

  /** The seat that this browser speaks for where it is not about the turn; null when watching. */
  get ownSeat() {
    const seat = this.state?.view?.seat ?? -1;
    return this.mine.includes(seat) ? seat : (this.mine[0] ?? null);
  }

  /**
   * What the player in turn does.
   * @param {{kind: "roll", dice?: number[]} | {kind: "stop"} | {kind: "move", move: string}} action
   */
  play(action) {
    if (!this.state) return;
    if (action.kind === "roll") this.#revealBeforeRoll(this.state);
    this.act({ ...action, seat: this.state.view.seat });
  }

  /** @param {NewAction} action */
  act(action) {
    this.pending = action;
    clearTimeout(this.#patience);
    this.#patience = setTimeout(() => this.#setLate(this.pending === action), PATIENCE);
    this.#connection.act(action);
    this.#renderer?.changed();
  }

  /** @param {boolean} late */
  #setLate(late) {
    if (this.late === late) return;
    this.late = late;
    this.#renderer?.changed();
  }

  #answered() {
    this.pending = null;
    this.late = false;
    clearTimeout(this.#patience);
  }

  /** @param {number} seat */
  #holds(seat) {
    return this.mine.includes(seat) && !this.state?.seats[seat].substitute;
  }

  /** @param {import("./protocol.js").ServerMessage} message */
  #onMessage(message) {
    if (message.t === "state") {
      this.#reset(message.d);
      this.#sendSalts(message.d, true);
    } else if (message.t === "event") this.#receive(message.d);
    else if (message.t === "presence") this.#updatePresence(message.d);
    else if (message.t === "clock") this.#setClock(message.d);
    else if (message.t === "refused") this.#refuse(message.d.error);
  }

  /** @param {State} state */
  #reset(state) {
    this.#queue = [];
    this.#lastReceived = state.n;
    this.state = state;
    this.mine = state.you;
    this.#answered();
    this.#resolveReady(null);
    this.#renderer?.changed();
  }

  /**
   * Commit to this browser's salt, or reveal it, when that is due; nobody has to ask for it.
   * @param {State} state  up to the last event received, shown or not
   * @param {boolean} connecting
   */
  #sendSalts(state, connecting) {
    this.#open = state.stage === "open" ? state : null;
    for (const action of dueActions(state, this.mine, this.salt, connecting)) {
      const key = JSON.stringify(action);
      if (this.#sent.has(key)) continue; // the connection sends it again by itself
      this.#sent.add(key);
      if (action.kind === "reveal") this.#note(state);
      this.#connection.act(action);
    }
  }

  /**
   * At a slow table a seat reveals its salt with its first roll.
   * @param {State} state
   */
  #revealBeforeRoll(state) {
    const reveal = revealBeforeRoll(state, this.salt);
    if (!reveal) return;
    this.#note(state);
    this.#connection.act(reveal);
  }

  /**
   * Note what every seat is bound to, before our salt is revealed: at a slow table the first time.
   * @param {State} state
   */
  #note(state) {
    if (isGradual(state) && myGame(this.id)?.bound) return;
    saveGame(this.id, { bound: this.#boundNow(state), boundTurn: diceTurn(state) });
  }

  /**
   * What every seat is bound to; a reserved seat of this browser to what its hello says.
   * @param {State} state
   */
  #boundNow(state) {
    return boundSeats(state).map((seat, at) =>
      this.mine.includes(at) && seat.salt === null
        ? { salt: null, commitment: saltCommitment(this.salt) }
        : seat,
    );
  }

  /** All draw new salts: the one before may be known. */
  #drawSalt() {
    this.salt = newSalt();
    saveGame(this.id, { salt: this.salt, bound: null });
  }

  /**
   * @param {number} code
   * @param {Problem | null} error
   */
  #reject(code, error) {
    this.#resolveReady(code);
    this.#renderer?.rejected(code, error);
  }

  /** @param {TableEvent} event */
  #receive(event) {
    if (this.#lastReceived === null || event.n <= this.#lastReceived) return;
    if (event.n > this.#lastReceived + 1) {
      this.#connection.resync();
      return;
    }
    this.#lastReceived = event.n;
    this.#queue.push(event);
    if (event.kind === "redrawn") this.#drawSalt();
    if (this.#open) this.#sendSalts(afterEvent(this.#open, event), false);
    if (!this.showing) this.#playQueue();
  }

  async #playQueue() {
    this.showing = true;
    for (let event = this.#queue.shift(); event && this.state; event = this.#queue.shift()) {
      const before = this.state;
      this.state = afterEvent(before, event);
      this.#answered();
      await this.#show(event, before, this.state);
    }
    setTempo(1);
    if (this.catchingUp) this.#stopSkipping();
    this.catchingUp = this.showing = false;
    this.#renderer?.changed();
  }

  #stopSkipping() {
    if (!this.skipping) return;
    this.skipping = false;
    this.#connection.setPace(this.#pace);
  }

  /**
   * Show an event: a bot's at the pace that the player prefers, one of many without animation.
   * @param {TableEvent} event
   * @param {State} before
   * @param {State} after
   */
  async #show(event, before, after) {
    const tempo = this.#tempoOf(event, after);
    setTempo(tempo);
    if (!tempo) this.#renderer?.tell(event, before, after);
    else if (this.catchingUp || this.#queue.length < MAX_ANIMATED)
      await this.#renderer?.play(event, before, after);
    if (this.catchingUp && reducedMotion()) await pause(STILL, true);
    if (!this.maySkip) this.#stopSkipping();
  }

  /**
   * @param {TableEvent} event
   * @param {State} after
   */
  #tempoOf(event, after) {
    if (this.catchingUp) return this.skipping ? 0 : CATCH_UP;
    return event.seat !== null && after.seats[event.seat]?.bot ? TEMPOS[this.#pace] : 1;
  }

  /** @param {import("./protocol.js").Presence} presence */
  #updatePresence(presence) {
    if (!this.state) return;
    this.state = withPresence(this.state, presence);
    this.watchers = presence.watchers;
    const now = performance.now();
    this.botAt = Object.fromEntries(
      Object.entries(presence.bot_in ?? {}).map(([seat, left]) => [seat, now + 1000 * left]),
    );
    this.#renderer?.changed();
  }

  /** @param {import("./protocol.js").ClockView} clock */
  #setClock(clock) {
    this.clock = { ...clock, at: performance.now() };
    this.#renderer?.changed();
  }

  /** @param {Problem} error */
  #refuse(error) {
    this.#answered();
    this.#renderer?.changed();
    this.#renderer?.refused(error);
  }

  /** @param {ConnectionStatus} status */
  #setStatus(status) {
    this.status = status;
    this.#renderer?.changed();
  }
}
