/** The record of a local table as a file: links to a server's records lead here for tables without one. */

import { saveFile } from "../device/save-file.js";
import { fetchRecord } from "../net/api.js";

/** @param {string} id */
export async function saveRecord(id) {
  const text = await fetchRecord(id);
  saveFile(new Blob([text], { type: "text/plain" }), `cantstop-${id}.txt`);
}
