// @ts-check
/**
 * A table as this browser sees it: the state so far, the events still to be shown one after the
 * other, and the actions of its player.
 */

import { openLine } from "./socket.js";
import { afterEvent, withPresence } from "./state.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").TableEvent} TableEvent */
/** @typedef {import("./types.js").Action} Action */
/** @typedef {import("./socket.js").LineStatus} LineStatus */

/** With more events than this waiting, showing them one by one would only hold people up. */
const PATIENCE = 6;

/** The phases in which a player has something to decide; the others pass by themselves. */
const DECISIONS = ["start", "roll", "move", "choice"];

/**
 * What shows the table: `play` takes its time over an event, `changed` draws what is.
 * @typedef {object} Stage
 * @property {(event: TableEvent, before: State, after: State) => Promise<void> | void} play
 * @property {() => void} changed
 * @property {(error: {code: string, message: string}) => void} refused
 * @property {(code: number, error: {code: string, message: string} | null) => void} rejected
 */

export class Session {
  /** @type {State | null} */
  state = null;
  /** @type {number[]} the seats that this browser holds */
  mine = [];
  watchers = 0;
  /** @type {LineStatus} */
  status = "connecting";
  /** how many pages draw it; with the last one it ends */
  drawers = 0;
  /** whether this player asked for the rematch, and so goes there without being asked */
  wantsRematch = false;
  /** @type {Action | null} sent and not answered yet */
  pending = null;

  /** @type {Stage | null} */
  #stage = null;
  /** @type {TableEvent[]} */
  #waiting = [];
  /** whether events are still being shown */
  showing = false;
  /** @type {number | null} the last event received, shown or not */
  #last = null;
  #line;
  /** @type {(code: number | null) => void} */
  #settled = () => {};
  /** @type {Promise<number | null>} null once there is a state, or the code of the rejection */
  ready = new Promise((settled) => {
    this.#settled = settled;
  });

  /**
   * @param {string} id
   * @param {string | null} secret  null to watch
   * @param {string} salt  what this browser adds to the dice
   * @param {State & {you: number[]} | null} known  the state, where it came before the line
   */
  constructor(id, secret, salt, known) {
    this.id = id;
    this.secret = secret;
    this.salt = salt;
    if (known) this.#restart(known);
    this.#line = openLine(
      id,
      { secret, salt },
      {
        after: () => this.#last,
        message: (type, data) => this.#hear(type, data),
        status: (status) => this.#become(status),
        rejected: (code, error) => this.#reject(code, error),
      },
    );
  }

  /** @param {Stage} stage */
  attach(stage) {
    this.#stage = stage;
  }

  close() {
    this.#stage = null;
    this.#line.close();
  }

  /** Whether the player at this browser is to act. */
  get myTurn() {
    const { state } = this;
    if (state?.stage !== "playing" || this.showing) return false;
    return DECISIONS.includes(state.view.phase) && this.#holds(state.view.seat);
  }

  /** The seat that this browser speaks for where it is not about the turn; null when watching. */
  get voice() {
    const seat = this.state?.view?.seat ?? -1;
    return this.mine.includes(seat) ? seat : (this.mine[0] ?? null);
  }

  /**
   * What the player in turn does.
   * @param {Pick<Action, "kind" | "move">} action
   */
  play(action) {
    if (this.state) this.act({ ...action, seat: this.state.view.seat });
  }

  /** @param {Action} action */
  act(action) {
    this.pending = action;
    this.#line.act(action);
    this.#stage?.changed();
  }

  /** @param {number} seat */
  #holds(seat) {
    return this.mine.includes(seat) && !this.state?.seats[seat].substitute;
  }

  /**
   * @param {string} type
   * @param {any} data
   */
  #hear(type, data) {
    if (type === "state") this.#restart(data);
    else if (type === "event") this.#receive(data);
    else if (type === "presence") this.#count(data);
    else if (type === "refused") this.#refuse(data.error);
  }

  /** @param {State & {you?: number[]}} state */
  #restart(state) {
    this.#waiting = [];
    this.#last = state.n;
    this.state = state;
    this.mine = state.you ?? this.mine;
    this.pending = null;
    this.#settled(null);
    this.#stage?.changed();
  }

  /**
   * @param {number} code
   * @param {{code: string, message: string} | null} error
   */
  #reject(code, error) {
    this.#settled(code);
    this.#stage?.rejected(code, error);
  }

  /** @param {TableEvent} event */
  #receive(event) {
    if (this.#last === null || event.n <= this.#last) return;
    if (event.n > this.#last + 1) {
      this.#line.resync();
      return;
    }
    this.#last = event.n;
    this.#waiting.push(event);
    if (!this.showing) this.#show();
  }

  async #show() {
    this.showing = true;
    for (let event = this.#waiting.shift(); event && this.state; event = this.#waiting.shift()) {
      const before = this.state;
      this.state = afterEvent(before, event);
      this.pending = null;
      if (this.#waiting.length < PATIENCE) await this.#stage?.play(event, before, this.state);
    }
    this.showing = false;
    this.#stage?.changed();
  }

  /** @param {{seats: boolean[], expected: number[], watchers: number}} presence */
  #count({ seats, expected, watchers }) {
    if (!this.state) return;
    this.state = withPresence(this.state, seats, expected);
    this.watchers = watchers;
    this.#stage?.changed();
  }

  /** @param {{code: string, message: string}} error */
  #refuse(error) {
    this.pending = null;
    this.#stage?.changed();
    this.#stage?.refused(error);
  }

  /** @param {LineStatus} status */
  #become(status) {
    this.status = status;
    this.#stage?.changed();
  }
}
