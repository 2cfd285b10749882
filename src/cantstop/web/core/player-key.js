/** The player whom a server knows this device by: a key that the device has made. Nobody needs one. */

import { load, save } from "./prefs.js";
import { newSecret } from "./saved-games.js";

/** Where the player is kept; the key is this device's alone, so no backup takes it along. */
const PLACE = "player";
/** A key that was sent, and the answer did not come: it may have a player by now. */
const SENT = "player-sent";

/** @typedef {{key: string, id: string, name: string, mark: number}} KnownPlayer */

/** @returns {KnownPlayer | null} */
export function knownPlayer() {
  return load(PLACE, /** @type {KnownPlayer | null} */ (null));
}

/**
 * @param {string} key
 * @param {{id: string, name: string, mark: number}} player
 */
export function keepPlayer(key, { id, name, mark }) {
  save(PLACE, { key, id, name, mark });
  save(SENT, null);
}

/** This device has no player any more. */
export function forgetPlayer() {
  save(PLACE, null);
  save(SENT, null);
}

/** A key for a player of this device; asked for again, it is the same until the player is kept. */
export function keyToSend() {
  const key = load(SENT, /** @type {string | null} */ (null)) ?? newSecret();
  save(SENT, key);
  return key;
}

/**
 * What a request has that may be about this device's player.
 * @returns {Record<string, string>}
 */
export function keyHeader() {
  const player = knownPlayer();
  return player ? { Authorization: `Bearer ${player.key}` } : {};
}
