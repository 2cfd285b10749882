/** The page's side of the worker: asks it, waits for the answer, and hears of its tables' events. */

import { sentence } from "./sentences.js";

/** What a worker could not do: a code, and a sentence for the player. */
export class DeviceError extends Error {
  /** @param {{code: string, sentence: string}} failed */
  constructor(failed) {
    super(sentence(failed.sentence));
    this.code = failed.code;
  }
}

/** @typedef {"insight" | "play" | "review" | "drills"} Purpose  a review must not keep a game waiting */
/** @typedef {(share: number) => void} OnProgress */

/**
 * @typedef {object} Waiting
 * @property {(found: any) => void} resolve
 * @property {(error: Error) => void} reject
 * @property {OnProgress} [onProgress]
 */

/** @type {Map<Purpose, {worker: Worker, waiting: Map<number, Waiting>}>} */
const workers = new Map();
/** @typedef {(news: import("./tables.js").News | {ended: true}) => void} Listener */

/** @type {Map<string, Listener>} */
const listeners = new Map();
let asked = 0;

/** @type {Record<Purpose, () => string | URL>} */
const SCRIPTS = {
  play: () => new URL("./worker.js", import.meta.url),
  insight: () => new URL("../engine/worker.js", import.meta.url),
  review: () => new URL("../engine/review-worker.js", import.meta.url),
  drills: () => new URL("../engine/drills-worker.js", import.meta.url),
};

/** @param {Purpose} purpose */
function workerFor(purpose) {
  const known = workers.get(purpose);
  if (known) return known;
  const worker = new Worker(SCRIPTS[purpose](), { type: "module" });
  /** @type {Map<number, Waiting>} */
  const waiting = new Map();
  let works = false;
  worker.addEventListener("message", ({ data }) => {
    works = true;
    if (data.table) {
      listeners.get(data.table)?.(data);
      return;
    }
    const answer = waiting.get(data.id);
    if ("progress" in data) {
      answer?.onProgress?.(data.progress);
      return;
    }
    waiting.delete(data.id);
    if (data.failed) answer?.reject(new DeviceError(data.failed));
    else answer?.resolve(data.found);
  });
  worker.addEventListener("error", () => {
    workers.delete(purpose);
    worker.terminate();
    for (const answer of waiting.values())
      answer.reject(new DeviceError({ code: "files-missing", sentence: "files-missing" }));
    // another one takes its place; where not even the script is there, that would go on for ever
    if (works && purpose === "play") for (const hear of listeners.values()) hear({ ended: true });
  });
  const made = { worker, waiting };
  workers.set(purpose, made);
  return made;
}

/**
 * @param {Purpose} purpose
 * @param {string} task
 * @param {...unknown} args
 * @returns {Promise<any>}
 */
export function askDevice(purpose, task, ...args) {
  return askFor({}, purpose, task, ...args);
}

/**
 * The same for a long task, which says how far it is, and ends when nobody waits for it.
 * @param {{signal?: AbortSignal, onProgress?: OnProgress}} control
 * @param {Purpose} purpose
 * @param {string} task
 * @param {...unknown} args
 * @returns {Promise<any>}
 */
export function askFor({ signal, onProgress }, purpose, task, ...args) {
  const { worker, waiting } = workerFor(purpose);
  asked += 1;
  const id = asked;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject, onProgress });
    worker.postMessage({ id, task, args });
    signal?.addEventListener("abort", () => worker.postMessage({ id, cancelled: true }));
  });
}

/**
 * Hear of what happens at a local table that is followed, and when the worker has ended: then
 * another one has to be asked to follow it.
 * @param {string} id
 * @param {Listener | null} listener
 */
export function listenTo(id, listener) {
  if (listener) listeners.set(id, listener);
  else listeners.delete(id);
}
