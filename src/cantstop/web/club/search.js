/** A search for others: it is sent to the server again and again, until there is a table, or an end. */

import { newSecret, saveGame } from "../core/saved-games.js";
import { playOfferedBot, seek, stopSeeking } from "../net/club.js";

/** @typedef {import("../net/protocol.js").SeekView} SeekView */
/** @typedef {{players: number, rated: boolean}} Wanted */
/**
 * @typedef {object} Listener
 * @property {(view: SeekView) => void} shown  how the search goes on
 * @property {(table: string) => void} found
 * @property {(problem: Error | null) => void} ended  null: nobody has come
 */

/** Milliseconds between two words to the server. */
const AGAIN = 2500;
/** A search has an end, in milliseconds. */
const LONGEST = 180_000;

/**
 * What was said to the server last: a word that goes on looking must not overtake the one that ends
 * it, or it would begin a search that nobody knows of.
 * @type {Promise<unknown>}
 */
let last = Promise.resolve();

/**
 * @template T
 * @param {() => Promise<T>} ask
 * @returns {Promise<T>}
 */
function inTurn(ask) {
  const answered = last.then(ask);
  last = answered.catch(() => {});
  return answered;
}

export class Search {
  /**
   * @param {Wanted} wanted
   * @param {Listener} listener
   */
  constructor(wanted, listener) {
    this.wanted = { ...wanted, secret: newSecret() };
    this.listener = listener;
    this.began = performance.now();
    this.over = false;
    this.timer = 0;
    this.failures = 0;
    this.step();
  }

  /** Seconds since it began. */
  get seconds() {
    return Math.floor((performance.now() - this.began) / 1000);
  }

  async step() {
    try {
      this.take(await inTurn(() => seek(this.wanted)));
      this.failures = 0;
    } catch (error) {
      this.fail(/** @type {Error & {code?: string}} */ (error));
    }
    if (!this.over) this.timer = window.setTimeout(() => this.again(), AGAIN);
  }

  again() {
    if (this.over) return;
    if (performance.now() - this.began < LONGEST) this.step();
    else {
      this.stop();
      this.listener.ended(null);
    }
  }

  /** @param {SeekView} view */
  take(view) {
    if (this.over) {
      // it was stopped while the server found a player: the seat is kept among one's games
      if (view.table !== null) this.keep(view);
      return;
    }
    if (view.table === null) {
      this.listener.shown(view);
      return;
    }
    this.over = true;
    this.keep(view);
    this.listener.found(view.table);
  }

  /** @param {SeekView} view */
  keep({ table, seat }) {
    if (table !== null)
      saveGame(table, { secret: this.wanted.secret, mine: seat === null ? null : [seat] });
  }

  /** @param {Error & {code?: string}} error */
  fail(error) {
    this.failures += 1;
    if (this.over || (error.code === "offline" && this.failures < 3)) return;
    this.over = true;
    this.listener.ended(error);
  }

  /** Play the bot that was offered. */
  async playBot() {
    clearTimeout(this.timer);
    try {
      this.take(await inTurn(playOfferedBot));
    } catch (error) {
      this.fail(/** @type {Error & {code?: string}} */ (error));
    }
    if (!this.over) this.timer = window.setTimeout(() => this.again(), AGAIN);
  }

  stop() {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.timer);
    inTurn(stopSeeking).catch(() => {}); // it ends by itself when nothing more is heard
  }
}
