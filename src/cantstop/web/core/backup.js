/** Everything that this device keeps, as one text that another device can take over. */

import { storedKeys, load, save } from "./prefs.js";

/** @typedef {{cantstop: 1, at: string, kept: Record<string, unknown>}} Backup */

/** What is of this device alone: nobody takes a notification's permission along. */
const OWN = ["drills-before"];
/** Characters: far more than a full device has, and little enough to read at once. */
const LARGEST = 8_000_000;

/** @returns {Backup} */
function backup() {
  const keys = storedKeys().filter((key) => !OWN.includes(key));
  return {
    cantstop: 1,
    at: new Date().toISOString(),
    kept: Object.fromEntries(keys.map((key) => [key, load(key, null)])),
  };
}

/** All of it as the text of a file. */
export function backupText() {
  return JSON.stringify(backup());
}

/** The same as a code to copy: compressed, in letters that survive any message. */
export async function backupCode() {
  const packed = new Blob([backupText()]).stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/**
 * What a file or a code holds; null where it is neither.
 * @param {string} given
 * @returns {Promise<Backup | null>}
 */
export async function readBackup(given) {
  try {
    const text = given.trim();
    if (text.length > LARGEST) return null;
    const found = JSON.parse(text.startsWith("{") ? text : await unpacked(text));
    const isBackup = found?.cantstop === 1 && typeof found.kept === "object" && found.kept;
    return isBackup ? found : null;
  } catch {
    return null;
  }
}

/** @param {string} code */
async function unpacked(code) {
  const bytes = Uint8Array.from(atob(code.replace(/\s+/g, "")), (letter) => letter.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(plain).text();
}

/**
 * Take a backup over: games of both devices are kept, and for the rest the backup's word counts.
 * @param {Backup} found
 */
export function restoreBackup({ kept }) {
  for (const [key, value] of Object.entries(kept)) {
    const here = load(key, null);
    save(key, merged(key, here, value));
  }
}

/**
 * @param {string} key
 * @param {any} here
 * @param {any} there
 */
function merged(key, here, there) {
  if (key === "history") return joined(here, there);
  if (key === "games") return joined(here, there).reverse(); // the newest first
  if (key !== "daily" || !here) return there;
  return {
    ...there,
    days: [...new Set([...(here.days ?? []), ...(there.days ?? [])])].sort(),
    turns: { ...here.turns, ...there.turns },
  };
}

/**
 * Two lists of games without any game twice, the oldest first.
 * @param {{id: string, at: string}[] | null} here
 * @param {{id: string, at: string}[]} there
 */
function joined(here, there) {
  const all = new Map([...(here ?? []), ...there].map((game) => [game.id, game]));
  return [...all.values()].sort((a, b) => a.at.localeCompare(b.at));
}
