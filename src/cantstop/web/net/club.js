/** Requests about the club: the player of this device, the lobby, what players have done. */

import { forgetPlayer, keepPlayer, keyHeader, keyToSend } from "../core/player-key.js";
import { remember } from "../core/prefs.js";
import { isSite } from "../core/site.js";
import { send } from "./api.js";

/** @import * as Protocol from "./protocol.js" */

/** @type {Promise<Protocol.ClubView | null> | null} */
let asked = null;

/**
 * What this server has of the club; null where there is none, or no server.
 * @returns {Promise<Protocol.ClubView | null>}
 */
export function fetchClub() {
  asked ??= isSite ? Promise.resolve(null) : ask("GET", "/api/club").catch(() => null);
  const found = asked;
  found.then((club) => {
    if (!club) asked = null; // the server may be back when it is asked again
  });
  return found;
}

/**
 * What the server answers as JSON; null where it says no more than that it was done.
 * @param {string} method
 * @param {string} path
 * @param {object} [request]
 * @param {Record<string, string>} [headers]
 */
export async function ask(method, path, request, headers = keyHeader()) {
  const answer = await send(method, path, request && JSON.stringify(request), { headers });
  return answer.status === 204 ? null : answer.json();
}

// The player of this device

/** @returns {Promise<Protocol.Me>} */
export async function fetchMe() {
  return ask("GET", "/api/me");
}

/**
 * A player with a key that this device makes. Should an answer have been lost, it is there already.
 * @param {Protocol.NewPlayer} wanted
 */
export async function beginPlayer(wanted) {
  return becomePlayer("/api/me", wanted);
}

/**
 * This device becomes one of a player, by a code that another one shows.
 * @param {string} code
 */
export async function addThisDevice(code) {
  return becomePlayer("/api/me/devices", { code, device: deviceName() });
}

/**
 * The same by recovery words.
 * @param {string} words
 */
export async function restorePlayer(words) {
  return becomePlayer("/api/me/restore", { words, device: deviceName() });
}

/**
 * The request by which this device becomes one of a player, with a key that it makes.
 * @param {string} path
 * @param {object} request
 * @returns {Promise<Protocol.Me>}
 */
export async function becomePlayer(path, request) {
  const key = keyToSend();
  const headers = { Authorization: `Bearer ${key}` };
  /** @type {Protocol.Me} */
  let me;
  try {
    me = await ask("POST", path, request, headers);
  } catch (error) {
    if (/** @type {import("./api.js").ApiError} */ (error).code === "offline") throw error;
    me = await ask("GET", "/api/me", undefined, headers).catch(() => Promise.reject(error));
  }
  keepPlayer(key, me);
  remember({ name: me.name });
  return me;
}

/** What this device is called in the list of a player's devices. */
export function deviceName() {
  const { userAgent } = navigator;
  const first = (/** @type {[RegExp, string][]} */ names) =>
    names.find(([sign]) => sign.test(userAgent))?.[1] ?? "";
  const browser = first([
    [/Edg/, "Edge"],
    [/Firefox|FxiOS/, "Firefox"],
    [/Chrome|CriOS/, "Chrome"],
    [/Safari/, "Safari"],
  ]);
  const system = first([
    [/Android/, "Android"],
    [/iPhone/, "iPhone"],
    [/iPad/, "iPad"],
    [/Windows/, "Windows"],
    [/Mac/, "Mac"],
    [/Linux/, "Linux"],
  ]);
  return [browser, system].filter(Boolean).join(", ");
}

/**
 * @param {Protocol.ChangeMe} changes
 * @returns {Promise<Protocol.Me>}
 */
export async function changeMe(changes) {
  const { Authorization } = keyHeader();
  const me = await ask("PATCH", "/api/me", changes);
  keepPlayer(Authorization.slice("Bearer ".length), me);
  remember({ name: me.name });
  return me;
}

/** @returns {Promise<Protocol.LinkCode>} */
export async function askForCode() {
  return ask("POST", "/api/me/link");
}

/** @returns {Promise<Protocol.RecoveryWords>} */
export async function askForWords() {
  return ask("POST", "/api/me/words");
}

/** @param {string} id */
export async function removeDevice(id) {
  await ask("DELETE", `/api/me/devices/${id}`);
}

/** Everything that the server keeps about the player, as text. */
export async function exportMe() {
  return (await send("GET", "/api/me/export", undefined, { headers: keyHeader() })).text();
}

export async function eraseMe() {
  await ask("DELETE", "/api/me");
  forgetPlayer();
}

/**
 * Daily games that were played without a profile become the player's.
 * @param {string} device
 */
export async function claimDays(device) {
  await ask("POST", "/api/me/daily", { device });
}

// The lobby

/** @returns {Promise<Protocol.LobbyView>} */
export async function fetchLobby() {
  return ask("GET", "/api/lobby");
}

/**
 * Look for others, or go on looking; who does not ask again is not looking any more.
 * @param {Protocol.SeekPlayers} wanted
 * @returns {Promise<Protocol.SeekView>}
 */
export async function seek(wanted) {
  return ask("PUT", "/api/lobby/seek", wanted);
}

export async function stopSeeking() {
  await ask("DELETE", "/api/lobby/seek");
}

/**
 * Sit down with the bot that was offered; a person who has come in the meantime is taken instead.
 * @returns {Promise<Protocol.SeekView>}
 */
export async function playOfferedBot() {
  return ask("POST", "/api/lobby/seek/bot");
}

// What players have done

/**
 * @param {string} name
 * @returns {Promise<Protocol.Profile>}
 */
export async function fetchProfile(name) {
  return ask("GET", `/api/players/${encodeURIComponent(name)}`);
}

/**
 * @param {string} name
 * @param {string | null} before
 * @returns {Promise<Protocol.GamesPage>}
 */
export async function fetchGames(name, before) {
  const query = before === null ? "" : `?before=${encodeURIComponent(before)}`;
  return ask("GET", `/api/players/${encodeURIComponent(name)}/games${query}`);
}

/**
 * The record of a finished game whose table has expired; null where nobody has kept it.
 * @param {string} table
 * @returns {Promise<string | null>}
 */
export async function fetchKeptRecord(table) {
  try {
    return await (await send("GET", `/api/games/${encodeURIComponent(table)}/record`)).text();
  } catch (error) {
    if (/** @type {import("./api.js").ApiError} */ (error).code === "offline") throw error;
    return null;
  }
}

/**
 * @param {Protocol.RatingKind} kind
 * @param {Protocol.TableSize} size
 * @returns {Promise<Protocol.Leaderboard>}
 */
export async function fetchLeaders(kind, size) {
  return ask("GET", `/api/leaderboard?kind=${kind}&size=${size}`);
}
