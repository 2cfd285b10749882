/**
 * Reviews that the device works out, the last few of them kept: the card at the end of a game, its
 * page, and the page in another language ask for the same.
 */

import { playedEvents } from "../core/played-events.js";
import { send } from "../net/api.js";
import { toldReview } from "../words/review-text.js";
import { askDevice, askFor, DeviceError } from "./device.js";

/** @typedef {import("../engine/review.js").Facts} Facts */
/** @typedef {import("../net/protocol.js").TableEvent} TableEvent */
/** @typedef {import("./answers.js").Asked} Asked */
/** @typedef {{signal?: AbortSignal, onProgress?: (share: number) => void}} Control */

/**
 * @typedef {object} Review
 * @property {Promise<Facts>} found
 * @property {AbortController} leaving
 * @property {Set<Control>} waiting  whoever waits for it
 */

const MOST = 4;

/** @type {Map<string, Review>} by what they are of */
const reviews = new Map();

/**
 * The review of a game on this device.
 * @param {Asked} asked
 * @param {string} id
 */
export async function here(asked, id) {
  const { log } = await askDevice("play", "state", id);
  return inWords(asked, await askDevice("play", "record", id), momentsOf(log));
}

/**
 * The review of a game on a server, which has its record; of one that is not over it says so itself.
 * @param {Asked} asked
 */
export async function ofTable(asked) {
  const { url, signal } = asked;
  const table = url.pathname.replace(/\/review$/, "");
  const { stage, log } = await (await send("GET", table, undefined, { signal })).json();
  if (stage !== "over") throw new DeviceError({ code: "failed", sentence: "" });
  const record = await (await send("GET", `${table}/record`, undefined, { signal })).text();
  return inWords(asked, record, momentsOf(log));
}

/** @param {Asked} asked */
export function ofRecord(asked) {
  return inWords(asked, asked.body ?? "", []);
}

/**
 * @param {Asked} asked
 * @param {string} record
 * @param {number[]} numbers
 */
async function inWords({ signal, onProgress }, record, numbers) {
  return toldReview(await reviewOf(record, numbers, { signal, onProgress }));
}

/**
 * The numbers of a table's event at each moment of its game: its start, and what was played.
 * @param {TableEvent[]} log
 */
function momentsOf(log) {
  const started = log.filter(({ kind }) => kind === "started");
  return [...started, ...playedEvents(log)].map(({ n }) => n);
}

/**
 * The review of a record.
 * @param {string} record
 * @param {number[]} numbers  of the table's event at each moment, where there is a table
 * @param {Control} control
 * @returns {Promise<Facts>}
 */
async function reviewOf(record, numbers, control) {
  const key = `${numbers.join()}\n${record}`;
  const review = reviews.get(key) ?? begun(key, record, numbers);
  review.waiting.add(control);
  const leave = () => {
    review.waiting.delete(control);
    if (!review.waiting.size) review.leaving.abort();
  };
  control.signal?.addEventListener("abort", leave, { once: true });
  try {
    return await review.found;
  } finally {
    control.signal?.removeEventListener("abort", leave);
  }
}

/**
 * @param {string} key
 * @param {string} record
 * @param {number[]} numbers
 * @returns {Review}
 */
function begun(key, record, numbers) {
  const leaving = new AbortController();
  /** @type {Set<Control>} */
  const waiting = new Set();
  const onProgress = (/** @type {number} */ share) =>
    waiting.forEach((one) => one.onProgress?.(share));
  const found = askFor({ signal: leaving.signal, onProgress }, "review", "review", record, numbers);
  const review = { found, leaving, waiting };
  reviews.set(key, review);
  const forget = () => reviews.get(key) === review && reviews.delete(key);
  leaving.signal.addEventListener("abort", forget);
  found.catch(forget);
  for (const [old] of [...reviews].slice(0, -MOST)) reviews.delete(old);
  return review;
}
