/** Requests about a table that a first roll does without: its events, and a seat at it. */

import { ApiError, send, tablePath, withKey } from "./api.js";

/** @import * as Protocol from "./protocol.js" */

/**
 * What happened at a table, each event with its view.
 * @param {string} id
 * @param {number} [since]  only what came after this event
 * @returns {Promise<Protocol.TableEvent[]>}
 */
export async function fetchEvents(id, since = 0) {
  const events = [];
  /** @type {number | null | undefined} */
  let after = since;
  while (after !== null && after !== undefined) {
    const address = `${tablePath(id)}/events?after=${after}&limit=500`;
    /** @type {Protocol.EventsAnswer} */
    const page = await (await send("GET", address)).json();
    events.push(...page.events);
    after = page.next;
  }
  return events;
}

const TRIES = 3;
const RETRY_DELAY = 1000;

/**
 * Take a seat with a secret of our own: if the answer is lost, asking again takes no second seat.
 * @param {string} id
 * @param {Protocol.TakeSeat & {secret: string}} request
 * @returns {Promise<Protocol.SeatAnswer>}
 */
export async function postSeat(id, request) {
  for (let tries = 1; ; tries += 1) {
    try {
      return (await withKey("POST", `${tablePath(id)}/seats`, request)).json();
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "offline") || tries === TRIES) throw error;
      await new Promise((resume) => setTimeout(resume, RETRY_DELAY));
    }
  }
}
