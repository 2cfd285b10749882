/** A worker's side: does what a page asks for, and says what could not be done. */

import { FilesMissing } from "./files.js";
import { Impossible } from "./games.js";
import { TooLarge } from "./module.js";
import { Refusal } from "./refusal.js";

/**
 * What the page asks for, each with an id that the answer repeats; or that it waits no longer.
 * @typedef {{id: number, task: string, args: any[], cancelled?: boolean}} Asked
 */

/**
 * What a long task has: how to say how far it is, and when to give up.
 * @typedef {{signal: AbortSignal, progress: (share: number) => void}} Control
 */

/** The errors that a page tells apart, by their names there. */
const CODES = /** @type {[new (...args: any[]) => Error, string][]} */ ([
  [FilesMissing, "files-missing"],
  [Impossible, "impossible"],
  [TooLarge, "too-large"],
]);

/**
 * @param {Record<string, (...args: any[]) => unknown>} tasks
 * @param {Record<string, (control: Control, ...args: any[]) => unknown>} [long]
 */
export function serveTasks(tasks, long = {}) {
  /** @type {Map<number, AbortController>} */
  const running = new Map();
  addEventListener("message", async ({ data }) => {
    const { id, task, args, cancelled } = /** @type {Asked} */ (data);
    if (cancelled) return running.get(id)?.abort();
    try {
      const found = task in long ? begin(id, long[task], args) : tasks[task](...args);
      postMessage({ id, found: await found });
    } catch (error) {
      postMessage({ id, failed: failure(error) });
    }
    running.delete(id);
  });

  /**
   * @param {number} id
   * @param {(control: Control, ...args: any[]) => unknown} task
   * @param {any[]} args
   */
  function begin(id, task, args) {
    const leaving = new AbortController();
    running.set(id, leaving);
    const progress = (/** @type {number} */ share) => postMessage({ id, progress: share });
    return task({ signal: leaving.signal, progress }, ...args);
  }
}

/**
 * An error as it is sent to the page.
 * @param {unknown} error
 */
export function failure(error) {
  if (error instanceof Refusal) return { code: error.code, sentence: error.sentence };
  const code = CODES.find(([kind]) => error instanceof kind)?.[1] ?? "failed";
  return { code, sentence: code, message: String(error) };
}
