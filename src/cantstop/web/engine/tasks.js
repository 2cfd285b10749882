/** A worker's side: does what a page asks for, and says what could not be done. */

import { FilesMissing } from "./files.js";
import { Impossible } from "./games.js";
import { TooLarge } from "./module.js";
import { Refusal } from "./refusal.js";

/**
 * What the page asks for, each with an id that the answer repeats.
 * @typedef {{id: number, task: string, args: any[]}} Asked
 */

/** The errors that a page tells apart, by their names there. */
const CODES = /** @type {[new (...args: any[]) => Error, string][]} */ ([
  [FilesMissing, "files-missing"],
  [Impossible, "impossible"],
  [TooLarge, "too-large"],
]);

/** @param {Record<string, (...args: any[]) => unknown>} tasks */
export function serveTasks(tasks) {
  addEventListener("message", async ({ data }) => {
    const { id, task, args } = /** @type {Asked} */ (data);
    try {
      postMessage({ id, found: await tasks[task](...args) });
    } catch (error) {
      postMessage({ id, failed: failure(error) });
    }
  });
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
