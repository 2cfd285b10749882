// @ts-check
/**
 * The line to a table: it comes back by itself after any interruption, asks for what it missed,
 * and sends every action until the server has answered it. docs/protocol.md has the messages.
 */

import { language } from "./i18n.js";

const PING_EVERY = 2500;
const GIVE_UP_AFTER = 9000;
const FIRST_RETRY = 250;
const LONGEST_RETRY = 4000;

/** The closing codes after which trying again is no use. */
const FINAL = [4400, 4403, 4404, 4410];

/** The closing code where too much was asked for at once: trying again at once makes it worse. */
const TOO_MANY = 4420;

/** @typedef {import("./types.js").Action} Action */
/** @typedef {"connecting" | "open" | "lost" | "closed"} LineStatus */

/**
 * @typedef {object} Handlers
 * @property {() => number | null} after  the number of the last event known; null before any
 * @property {(type: string, data: any) => void} message
 * @property {(status: LineStatus) => void} status
 * @property {(code: number, error: {code: string, message: string} | null) => void} rejected
 *   the table does not want us, and why: no use in trying again
 */

/**
 * @typedef {object} Line
 * @property {(action: Action) => void} act
 * @property {() => void} resync  a gap was seen: ask again
 * @property {() => void} close
 */

/**
 * @param {string} id
 * @param {{secret: string | null, salt: string}} hello
 * @param {Handlers} handlers
 * @returns {Line}
 */
export function openLine(id, hello, handlers) {
  /** @type {WebSocket | null} */
  let socket = null;
  /** @type {Map<string, object>} */
  const unanswered = new Map();
  /** @type {{code: string, message: string} | null} */
  let reason = null;
  let retry = FIRST_RETRY;
  let heard = 0;
  let closed = false;
  let timer = 0;

  function connect() {
    clearTimeout(timer);
    if (closed) return;
    handlers.status("connecting");
    const after = handlers.after();
    const query = `?lang=${language()}${after === null ? "" : `&after=${after}`}`;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const line = new WebSocket(
      `${scheme}://${location.host}/api/tables/${encodeURIComponent(id)}/socket${query}`,
    );
    socket = line;
    heard = Date.now();
    line.onopen = () => {
      tell("hello", hello);
      for (const action of unanswered.values()) tell("act", action);
      handlers.status("open");
    };
    line.onmessage = ({ data }) => line === socket && hear(JSON.parse(data));
    line.onclose = ({ code }) => line === socket && ended(code);
  }

  /** @param {{t: string, d: any}} message */
  function hear({ t: type, d: data }) {
    heard = Date.now();
    if (type !== "refused") retry = FIRST_RETRY;
    if (type === "ack" || type === "refused") unanswered.delete(data.id);
    if (type === "refused" && data.id === null) reason = data.error;
    else if (type !== "pong") handlers.message(type, data);
  }

  /** @param {number} code */
  function ended(code) {
    if (FINAL.includes(code)) return reject(code);
    if (code === TOO_MANY) {
      retry = LONGEST_RETRY;
      if (reason) handlers.message("refused", { id: null, error: reason });
    }
    lost();
  }

  /** @param {number} code */
  function reject(code) {
    close();
    handlers.rejected(code, reason);
  }

  function lost() {
    socket = null;
    if (closed) return;
    handlers.status("lost");
    timer = setTimeout(connect, retry * (0.75 + Math.random() / 2));
    retry = Math.min(retry * 2, LONGEST_RETRY);
  }

  /**
   * @param {string} type
   * @param {object} [data]
   */
  function tell(type, data) {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ t: type, d: data }));
  }

  function drop() {
    const line = socket;
    socket = null;
    line?.close();
  }

  const pulse = setInterval(() => {
    if (socket && Date.now() - heard > GIVE_UP_AFTER) {
      drop();
      lost();
    } else tell("ping", {});
  }, PING_EVERY);

  /** A phone that wakes up, or finds its network again, need not wait for the next try. */
  function hurry() {
    if (!socket && !closed && document.visibilityState === "visible") connect();
  }
  addEventListener("online", hurry);
  document.addEventListener("visibilitychange", hurry);

  function close() {
    closed = true;
    clearInterval(pulse);
    clearTimeout(timer);
    removeEventListener("online", hurry);
    document.removeEventListener("visibilitychange", hurry);
    drop();
    handlers.status("closed");
  }

  connect();
  return {
    act(action) {
      const known = { id: actionId(), ...action };
      unanswered.set(known.id, known);
      tell("act", known);
    },
    resync() {
      drop();
      connect();
    },
    close,
  };
}

/** An id that no other action has, so that a retry changes nothing. */
function actionId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
