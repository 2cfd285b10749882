/** What hints and the analysis board ask the server. */

import { send, tablePath } from "../net/api.js";

/** @import * as Protocol from "../net/protocol.js" */

/**
 * What a position is worth, and every option in it.
 * @param {string} position  its text
 * @param {AbortSignal} [signal]
 * @returns {Promise<Protocol.AnalysisAnswer>}
 */
export async function fetchAnalysis(position, signal) {
  const address = `/api/analysis?position=${encodeURIComponent(position)}`;
  return (await send("GET", address, undefined, { signal })).json();
}

/**
 * The same for the decision that a seat of ours is to take at a table, where that allows hints.
 * @param {string} id
 * @param {string | null} secret
 * @returns {Promise<Protocol.HintAnswer>}
 */
export async function fetchHint(id, secret) {
  const headers = { Authorization: `Bearer ${secret}` };
  return (await send("GET", `${tablePath(id)}/hint`, undefined, { headers })).json();
}
