/**
 * What the device answers itself: requests as for the server, about its own tables, and about what
 * the engine finds out.
 */

import { fileAddress } from "../core/site.js";
import { ASK_SERVER, send } from "../net/api.js";
import { language } from "../words/i18n.js";
import { askDevice } from "./device.js";
import { sentence } from "./sentences.js";

/** @typedef {import("../net/api.js").ApiError} ApiError */
/** @typedef {import("./device.js").DeviceError} DeviceError */
/** @typedef {import("../net/api.js").More & {url: URL, body?: string}} Asked */

/** The status of errors; of all others it is that of a refusal. */
const STATUS = /** @type {Record<string, number>} */ ({ "table-unknown": 404, unavailable: 507 });
const REFUSED = 409;

/** Errors with which a server is asked instead: it has a sentence for what is wrong, or an engine. */
const FOR_THE_SERVER = ["files-missing", "impossible", "too-large", "failed"];

/** What a hint does not need is loaded on its own. */
const reviews = () => import("./reviews.js");
const drills = () => import("./drills.js");

/**
 * What the device does for each request.
 * @type {[string, RegExp, (asked: Asked, id: string) => Promise<unknown>][]}
 */
const ANSWERS = [
  [
    "GET",
    /^\/api\/analysis$/,
    ({ url }) => askDevice("insight", "analyse", url.searchParams.get("position") ?? ""),
  ],
  ["GET", /^\/api\/tables\/(0\w+)$/, (_, id) => askDevice("play", "state", id)],
  ["GET", /^\/api\/tables\/(0\w+)\/events$/, (asked, id) => eventsPage(asked, id)],
  ["GET", /^\/api\/tables\/(0\w+)\/record$/, (_, id) => askDevice("play", "record", id)],
  ["GET", /^\/api\/tables\/(0\w+)\/hint$/, (_, id) => askDevice("play", "tableHint", id)],
  ["GET", /^\/api\/tables\/[1-9A-Za-z]\w*\/hint$/, (asked) => hintAtTable(asked)],
  [
    "GET",
    /^\/api\/tables\/(0\w+)\/review$/,
    async (asked, id) => (await reviews()).here(asked, id),
  ],
  ["GET", /^\/api\/tables\/\w+\/review$/, async (asked) => (await reviews()).ofTable(asked)],
  ["POST", /^\/api\/review$/, async (asked) => (await reviews()).ofRecord(asked)],
  ["POST", /^\/api\/drills\/next$/, async (asked) => (await drills()).next(asked)],
  ["POST", /^\/api\/drills\/answer$/, async (asked) => (await drills()).answer(asked)],
  ["POST", /^\/api\/drills\/progress$/, async (asked) => (await drills()).check(asked)],
  ["GET", /^\/api\/editions$/, () => keptOffers()],
  ["POST", /^\/api\/tables$/, ({ body }) => openTable(JSON.parse(body ?? "{}"))],
];

/**
 * @param {Asked} asked
 * @param {string} id
 */
async function eventsPage({ url }, id) {
  const events = await askDevice("play", "events", id, Number(url.searchParams.get("after")));
  return { events, next: null };
}

/**
 * A hint at a table on a server, which says what is looked at and lets everybody know of the hint. The
 * engine's files come first: a browser that cannot have them leaves it all to the server.
 * @param {Asked} asked
 */
async function hintAtTable({ url, headers }) {
  await askDevice("insight", "load");
  const { n, position } = await (await send("POST", url.pathname, undefined, { headers })).json();
  return { n, ...(await askDevice("insight", "hint", position)) };
}

/** What a new game can be, as it was when the app was last loaded; without online tables' own bots. */
async function keptOffers() {
  return (await fetch(fileAddress(`offers/${language()}.json`))).json();
}

/**
 * A table of this device. Its seats need no secret: whoever has the device has them. From now on there
 * is something to lose, so the browser is asked to keep it.
 * @param {import("../net/protocol.js").OpenTable | import("../net/protocol.js").OpenLesson} request
 */
async function openTable(request) {
  const opened = await askDevice("play", "open", request);
  navigator.storage?.persist?.().catch(() => {});
  return { ...opened, secret: "device" };
}

/** What is said of a request that only a server could answer. */
export function noServer() {
  return sentence("needs-server");
}

/**
 * The answer to a request; null where the device has none, so that the server is asked.
 * @param {string} method
 * @param {string} path
 * @param {string} [body]
 * @param {import("../net/api.js").More} [more]
 * @returns {Promise<Response | null>}
 */
export async function answerOf(method, path, body, more) {
  const url = new URL(path, location.href);
  for (const [kind, address, find] of ANSWERS) {
    const found = kind === method && address.exec(url.pathname);
    if (!found) continue;
    try {
      const answer = await find({ ...more, url, body }, found[1]);
      return typeof answer === "string" ? new Response(answer) : Response.json(answer);
    } catch (error) {
      const { code, message } = /** @type {DeviceError | ApiError} */ (error);
      if (!code) throw error;
      const headers =
        !found[1] && FOR_THE_SERVER.includes(code) ? { [ASK_SERVER]: code } : undefined;
      const status = STATUS[code] ?? REFUSED;
      return Response.json({ error: { code, message } }, { status, headers });
    }
  }
  return null;
}
