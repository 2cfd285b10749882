/** Reviews from the server: of a table whose game is over, or of any record. */

import { myGame } from "../../core/saved-games.js";
import { fetchState, send, tablePath } from "../../net/api.js";
import { storyOf } from "./story.js";

/** @typedef {import("./story.js").Story} Story */
/** @typedef {import("../../net/protocol.js").ReviewAnswer} ReviewAnswer */

/**
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<Story>}
 */
export async function tableStory(id, signal) {
  const asked = send("GET", `${tablePath(id)}/review`, undefined, { signal });
  const [state, response] = await Promise.all([fetchState(id), asked]);
  /** @type {ReviewAnswer} */
  const answer = await response.json();
  return storyOf(answer, id, state.seats, myGame(id)?.mine ?? []);
}

/**
 * @param {string} record
 * @param {AbortSignal} [signal]
 * @returns {Promise<Story>}
 */
export async function recordStory(record, signal) {
  const headers = { "Content-Type": "text/plain; charset=utf-8" };
  /** @type {ReviewAnswer} */
  const answer = await (await send("POST", "/api/review", record, { headers, signal })).json();
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
