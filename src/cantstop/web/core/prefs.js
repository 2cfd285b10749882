/** Preferences in localStorage; where that is blocked, in memory until the page closes. */

/**
 * @typedef {object} Prefs
 * @property {string} name
 * @property {number} colour
 * @property {string | null} language  null: as the browser asks
 * @property {"light" | "dark" | null} theme  null: as the system has it
 * @property {import("../device/theme.js").BoardName | null} board  null: a stop sign, or what the system's contrast asks for
 * @property {boolean} sound
 * @property {import("../net/protocol.js").Pace} pace  how fast bots play
 * @property {boolean} turnSound  a sound when it is one's turn and the tab is in the background
 * @property {boolean} turnNotice  a notification of the system then
 * @property {"off" | "mistakes" | "blunders"} tutor  what is offered back in games against bots
 * @property {Record<string, import("../net/new-table.js").Settings>} settings  the last ones of each mode
 */

/** @type {Prefs} */
const DEFAULTS = {
  name: "",
  colour: 0,
  language: null,
  theme: null,
  board: null,
  sound: true,
  pace: "normal",
  turnSound: true,
  turnNotice: false,
  tutor: "off",
  settings: {},
};

const PREFIX = "cantstop.";

/** @type {Map<string, string>} */
const memory = new Map();

/**
 * Read what is stored under a key; what cannot be read counts as absent.
 * @template T
 * @param {string} key
 * @param {T} fallback
 * @returns {T}
 */
export function load(key, fallback) {
  try {
    return JSON.parse(stored(key) ?? "null") ?? fallback;
  } catch {
    return fallback;
  }
}

/** @param {string} key */
function stored(key) {
  try {
    return localStorage.getItem(PREFIX + key) ?? memory.get(key);
  } catch {
    return memory.get(key); // localStorage is blocked
  }
}

/**
 * Store a value under a key.
 * @param {string} key
 * @param {unknown} value
 */
export function save(key, value) {
  const text = JSON.stringify(value);
  memory.set(key, text);
  try {
    localStorage.setItem(PREFIX + key, text);
  } catch {
    // localStorage is blocked or full: only this page remembers
  }
}

/** The keys of everything that is stored. */
export function storedKeys() {
  try {
    const kept = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    return [...new Set([...kept.map((key) => key.slice(PREFIX.length)), ...memory.keys()])];
  } catch {
    return [...memory.keys()];
  }
}

/** @returns {Prefs} */
export function prefs() {
  return { ...DEFAULTS, ...load("prefs", {}) };
}

/** @param {Partial<Prefs>} changes */
export function remember(changes) {
  save("prefs", { ...prefs(), ...changes });
}
