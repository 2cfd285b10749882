/** Reviews, of a table whose game is over or of any record: from the device, else from the server. */

import { myGame } from "../../core/saved-games.js";
import { ApiError, send, tablePath } from "../../net/api.js";
import { storyOf } from "./story.js";

/** @typedef {import("./story.js").Story} Story */
/** @typedef {import("../../net/protocol.js").ReviewAnswer} ReviewAnswer */
/** @typedef {Pick<import("../../net/api.js").More, "signal" | "onProgress">} Control */

/** The codes of a server that has too much to do now. */
const BUSY = ["unavailable", "too-many"];
const TRIES = 5;
const RETRY_DELAY = 2500;

/**
 * A review is heavy work: a server that has too much to do is asked again, a few times.
 * @param {() => Promise<Response>} ask
 * @returns {Promise<ReviewAnswer>}
 */
async function retryWhileBusy(ask) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await (await ask()).json();
    } catch (error) {
      if (!BUSY.includes(/** @type {ApiError} */ (error).code) || tries === TRIES) throw error;
      await new Promise((resume) => setTimeout(resume, RETRY_DELAY));
    }
  }
}

/**
 * @param {Pick<import("../../net/state.js").State, "id" | "seats" | "log">} state
 * @param {Control} [control]
 * @returns {Promise<Story>}
 */
export async function tableStory({ id, seats, log }, control) {
  const path = `${tablePath(id)}/review`;
  const answer = await retryWhileBusy(() => send("GET", path, undefined, control));
  return storyOf(answer, id, seats, myGame(id)?.mine ?? [], log);
}

/**
 * @param {string} record
 * @param {Control} [control]
 * @returns {Promise<Story>}
 */
export async function recordStory(record, control) {
  const headers = { "Content-Type": "text/plain; charset=utf-8" };
  const asked = retryWhileBusy(() => send("POST", "/api/review", record, { headers, ...control }));
  const answer = await asked.catch((error) => withProblem(error, record));
  const seats = answer.names.map((name, colour) => ({
    kind: /** @type {const} */ ("human"),
    name,
    colour,
    bot: null,
    present: true,
    substitute: null,
  }));
  return storyOf(answer, null, seats, []);
}

/**
 * Without a server to say it, what is wrong with a record that the device does not take.
 * @param {ApiError} error
 * @param {string} record
 * @returns {Promise<never>}
 */
async function withProblem(error, record) {
  if (!["offline", "impossible"].includes(error.code)) throw error;
  const { readRecord } = await import("../../verify/record.js");
  try {
    readRecord(record);
  } catch (problem) {
    throw new ApiError("malformed", /** @type {Error} */ (problem).message);
  }
  throw error;
}
