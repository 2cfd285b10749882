/**
 * The connection to a table: reconnects with a growing delay, asks for the events it missed, and
 * resends every action until the server has answered it. docs/protocol.md has the messages.
 */

import { language } from "../words/i18n.js";

const PING_INTERVAL = 2500;
const TIMEOUT = 9000;
const FIRST_RETRY_DELAY = 250;
const LONGEST_RETRY_DELAY = 4000;

/** @type {ReadonlySet<number>} close codes after which a retry is pointless */
const FINAL_CODES = new Set(/** @satisfies {CloseCode[]} */ ([4400, 4403, 4404, 4410]));

/** @satisfies {CloseCode} the rate limit: retry, but slowly */
const TOO_MANY = 4420;

/** @typedef {import("./protocol.js").Action} Action */
/** @typedef {import("./protocol.js").CloseCode} CloseCode */
/** @typedef {import("./protocol.js").Problem} Problem */

/**
 * An action before it has its id.
 * @typedef {Action extends infer A ? A extends Action ? Omit<A, "id"> : never : never} NewAction
 */

/** @typedef {import("./protocol.js").ServerMessage} ServerMessage */
/** @typedef {"connecting" | "open" | "lost" | "closed"} ConnectionStatus */

/**
 * @typedef {object} Handlers
 * @property {() => number | null} after  the number of the last event known; null before any
 * @property {(message: ServerMessage) => void} message
 * @property {(status: ConnectionStatus) => void} status
 * @property {(code: number, error: Problem | null) => void} rejected
 *   the server refused for good, and why
 */

/**
 * @typedef {object} Connection
 * @property {(action: NewAction) => void} act
 * @property {(pace: import("./protocol.js").Pace) => void} setPace  for the bots of this table
 * @property {() => void} resync  events are missing: connect again and ask for them
 * @property {() => void} close
 */

/**
 * @param {string} id
 * @param {() => import("./protocol.js").Hello["d"]} hello
 * @param {Handlers} handlers
 * @returns {Connection}
 */
export function openConnection(id, hello, handlers) {
  /** @type {WebSocket | null} */
  let socket = null;
  /** @type {Map<string, Action>} */
  const unacknowledged = new Map();
  /** @type {Problem | null} */
  let reason = null;
  let retryDelay = FIRST_RETRY_DELAY;
  let lastMessageAt = 0;
  let closed = false;
  let timer = 0;

  function connect() {
    clearTimeout(timer);
    if (closed) return;
    handlers.status("connecting");
    const after = handlers.after();
    const query = `?lang=${language()}${after === null ? "" : `&after=${after}`}`;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const opened = new WebSocket(
      `${scheme}://${location.host}/api/tables/${encodeURIComponent(id)}/socket${query}`,
    );
    socket = opened;
    lastMessageAt = Date.now();
    opened.onopen = () => {
      send({ t: "hello", d: hello() });
      for (const action of unacknowledged.values()) send({ t: "act", d: action });
      handlers.status("open");
    };
    opened.onmessage = ({ data }) => opened === socket && receive(JSON.parse(data));
    opened.onclose = ({ code }) => opened === socket && ended(code);
  }

  /** @param {ServerMessage} message */
  function receive(message) {
    lastMessageAt = Date.now();
    if (message.t !== "refused") retryDelay = FIRST_RETRY_DELAY;
    if (message.t === "ack" || message.t === "refused") {
      const asked = unacknowledged.get(message.d.id ?? "");
      unacknowledged.delete(message.d.id ?? "");
      // nobody has asked for these: another device at this seat was faster, or all draw again
      if (asked?.kind === "commit" || asked?.kind === "reveal") return;
    }
    if (message.t === "refused" && message.d.id === null) reason = message.d.error;
    else handlers.message(message);
  }

  /** @param {number} code */
  function ended(code) {
    if (FINAL_CODES.has(code)) return reject(code);
    if (code === TOO_MANY) {
      retryDelay = LONGEST_RETRY_DELAY;
      if (reason) handlers.message({ t: "refused", d: { id: null, error: reason } });
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
    timer = setTimeout(connect, retryDelay * (0.75 + Math.random() / 2));
    retryDelay = Math.min(retryDelay * 2, LONGEST_RETRY_DELAY);
  }

  /** @param {import("./protocol.js").ClientMessage} message */
  function send(message) {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  }

  function drop() {
    const open = socket;
    socket = null;
    open?.close();
  }

  const heartbeat = setInterval(() => {
    if (socket && Date.now() - lastMessageAt > TIMEOUT) {
      drop();
      lost();
    } else send({ t: "ping" });
  }, PING_INTERVAL);

  /** A phone that wakes up or is online again does not wait for the next retry. */
  function reconnectNow() {
    if (!socket && !closed && document.visibilityState === "visible") connect();
  }
  addEventListener("online", reconnectNow);
  document.addEventListener("visibilitychange", reconnectNow);

  function close() {
    closed = true;
    clearInterval(heartbeat);
    clearTimeout(timer);
    removeEventListener("online", reconnectNow);
    document.removeEventListener("visibilitychange", reconnectNow);
    drop();
    handlers.status("closed");
  }

  connect();
  return {
    act(action) {
      const known = { ...action, id: actionId() };
      unacknowledged.set(known.id, known);
      send({ t: "act", d: known });
    },
    setPace(pace) {
      send({ t: "pace", d: { pace } });
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
