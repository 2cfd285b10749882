/** The worker in which everything runs that is worked out on the device: no page waits for it. */

import { engineModule, useFiles, FilesMissing } from "../engine/files.js";
import { analysisOf, hintAt, Impossible } from "../engine/games.js";
import { TooLarge } from "../engine/module.js";
import { Refusal } from "./decisions.js";
import {
  act,
  follow,
  forget,
  leave,
  localEvents,
  localHint,
  localRecord,
  localState,
  onEvent,
  openLocal,
  setPace,
} from "./tables.js";

/**
 * What the page asks for, each with an id that the answer repeats.
 * @typedef {{id: number, task: string, args: any[]}} Asked
 */

/** @type {Record<string, (...args: any[]) => unknown>} */
const TASKS = {
  load: async () => void (await engineModule()),
  ...{ analyse: analysisOf, hint: hintAt },
  ...{ open: openLocal, state: localState, events: localEvents, record: localRecord },
  ...{ tableHint: localHint, follow, leave, setPace, act, forget },
};

/** The errors that a page tells apart, by their names there. */
const CODES = /** @type {[new (...args: any[]) => Error, string][]} */ ([
  [FilesMissing, "files-missing"],
  [Impossible, "impossible"],
  [TooLarge, "too-large"],
]);

useFiles(String(new URL("../engine/files.json", import.meta.url)));
onEvent((told) => postMessage(told));

addEventListener("message", async ({ data }) => {
  const { id, task, args } = /** @type {Asked} */ (data);
  try {
    postMessage({ id, found: await TASKS[task](...args) });
  } catch (error) {
    postMessage({ id, failed: failure(error) });
  }
});

/** @param {unknown} error */
function failure(error) {
  if (error instanceof Refusal) return { code: error.code, sentence: error.sentence };
  const code = CODES.find(([kind]) => error instanceof kind)?.[1] ?? "failed";
  return { code, sentence: code, message: String(error) };
}
