/** The server's HTTP requests; an error response is thrown as an ApiError with a stable code. */

import { forgetPlayer, keyHeader } from "../core/player-key.js";
import { isSite } from "../core/site.js";
import { language, t } from "../words/i18n.js";

/** @import * as Protocol from "./protocol.js" */

/** Something the server did not do, with a sentence for the player. */
export class ApiError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/**
 * A table's state. The page's headers tell the browser to fetch it while the page is still loading;
 * the browser uses that answer only for the very same request, so this one has no headers of its own.
 * @param {string} id
 * @returns {Promise<Protocol.State>}
 */
export async function fetchState(id) {
  if (isSite && !isOnDevice(id)) throw new ApiError("table-unknown", "");
  if (isOnDevice(id)) return (await send("GET", tablePath(id))).json();
  return (await answered(fetch(tablePath(id)))).json();
}

/**
 * @param {string} id
 * @returns {Promise<string>}
 */
export async function fetchRecord(id) {
  return (await send("GET", `${tablePath(id)}/record`)).text();
}

/**
 * What a new-game form offers.
 * @returns {Promise<Protocol.Offers>}
 */
export async function fetchOffers() {
  return (await send("GET", "/api/editions")).json();
}

/**
 * @param {Protocol.OpenTable | Protocol.OpenLesson} request
 * @returns {Promise<Protocol.OpenedAnswer>}
 */
export async function postTable(request) {
  return (await withKey("POST", "/api/tables", request)).json();
}

/**
 * A request with the key of this device's player, if there is one. Where the key is nobody's any
 * more, the device has been removed: it asks again as one without a player.
 * @param {string} method
 * @param {string} path
 * @param {object} request
 */
export async function withKey(method, path, request) {
  const ask = () => send(method, path, JSON.stringify(request), { headers: keyHeader() });
  try {
    return await ask();
  } catch (error) {
    if (/** @type {ApiError} */ (error).code !== "wrong-key") throw error;
    return ask();
  }
}

/**
 * The seats that a secret holds at a table; none if it holds none.
 * @param {string} id
 * @param {string} secret
 * @returns {Promise<number[]>}
 */
export async function seatsOf(id, secret) {
  if (isSite) return [];
  try {
    const asked = fetch(tablePath(id), { headers: { Authorization: `Bearer ${secret}` } });
    return (await (await answered(asked)).json()).you;
  } catch {
    return [];
  }
}

/**
 * Requests that the device itself can answer, so that the server has less to do; it is asked where
 * the device cannot.
 */
const OF_THE_DEVICE = {
  GET: /^\/api\/(analysis\b|tables\/(0|\w+\/(hint|review)$))/,
  POST: /^\/api\/(review$|drills\/)/,
};
/** The header of an answer that counts only where no server has a better one. */
export const ASK_SERVER = "Ask-Server";
/** Those that it answers where no server can be reached. */
const WITHOUT_SERVER = /^\/api\/(tables|editions)$/;
/** Milliseconds after which a server that says nothing counts as one that cannot be reached. */
const SILENCE = 1500;

/**
 * Whether a table is on this device: servers give out no such id.
 * @param {string} id
 */
export function isOnDevice(id) {
  return id.startsWith("0");
}

/**
 * What goes with a request; only the device says how far it is.
 * @typedef {object} More
 * @property {Record<string, string>} [headers]
 * @property {AbortSignal} [signal]
 * @property {(share: number) => void} [onProgress]
 */

/** @typedef {() => Promise<typeof import("../local/answers.js")>} LoadDevice */

/** @type {LoadDevice | null} */
let device = null;

/** @param {LoadDevice} load */
export function answerOnDevice(load) {
  device = load;
}

/**
 * The device's own answer, or null.
 * @param {string} method
 * @param {string} path
 * @param {string} [body]
 * @param {More} [more]
 */
async function answeredHere(method, path, body, more) {
  if (!device) return null;
  try {
    return await (await device()).answerOf(method, path, body, more);
  } catch {
    return null; // not even the script can be loaded
  }
}

/** @param {string} id */
export function tablePath(id) {
  return `/api/tables/${encodeURIComponent(id)}`;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {string} [body]
 * @param {More} [more]
 */
export async function send(method, path, body, more = {}) {
  const { headers, signal } = more;
  const all = {
    "Accept-Language": language(),
    ...(body && { "Content-Type": "application/json" }),
    ...headers,
  };
  let here = null;
  if (OF_THE_DEVICE[/** @type {"GET" | "POST"} */ (method)]?.test(path)) {
    here = await answeredHere(method, path, body, more);
    if (here && !here.headers.has(ASK_SERVER)) return answered(Promise.resolve(here));
    signal?.throwIfAborted();
  }
  const asked =
    isSite && path.startsWith("/api/")
      ? Promise.reject()
      : unlessSilent(fetch(path, { method, headers: all, body, signal }), path, body);
  return answered(
    asked.catch(
      async () =>
        here ??
        ((WITHOUT_SERVER.test(path) && (await answeredHere(method, path, body))) ||
          Promise.reject()),
    ),
  );
}

/**
 * In a tunnel a server is neither there nor gone. Where the whole app is kept, nobody waits for it to
 * begin a game that the device can play; an online table is worth the wait.
 * @param {Promise<Response>} asked
 * @param {string} path
 * @param {string} [body]
 */
function unlessSilent(asked, path, body) {
  const waits = !WITHOUT_SERVER.test(path) || body?.includes('"mode":"online"');
  if (waits || !navigator.serviceWorker?.controller) return asked;
  return Promise.race([asked, new Promise((_, reject) => setTimeout(reject, SILENCE))]);
}

/** @param {Promise<Response>} asked */
async function answered(asked) {
  let answer;
  try {
    answer = await asked;
  } catch {
    throw new ApiError(
      "offline",
      isSite && device
        ? (await device()).noServer()
        : t("The server cannot be reached. Check the connection and try again."),
    );
  }
  if (!answer.ok) throw await apiError(answer);
  return answer;
}

/** @param {Response} answer */
async function apiError(answer) {
  try {
    const { code, message } = (await answer.json()).error;
    if (code === "wrong-key") forgetPlayer();
    return new ApiError(code, message);
  } catch {
    return new ApiError(
      `http-${answer.status}`,
      t("The server could not answer. Please try again."),
    );
  }
}
