/** Translations, numbers and dates. English is the source; the server has the other catalogues. */

import { prefs, remember } from "../core/prefs.js";
import { fileAddress } from "../core/site.js";

/** @type {Record<string, string>} */
export const LANGUAGES = {
  en: "English",
  fr: "Français",
  nl: "Nederlands",
  it: "Italiano",
  de: "Deutsch",
};

/** @type {Record<string, string>} */
let messages = {};
let current = "en";
/** The language that was last asked for. */
let wanted = "en";
/** The chunks of the client whose messages are needed. */
const chunks = new Set(["app"]);
/** @type {Record<string, string>} the query of each catalogue's addresses: a hash of what it holds */
let catalogues = {};
/** @type {Map<string, Promise<Record<string, string>>>} what has been asked for, by address */
const requests = new Map();
/** @type {Set<() => void>} */
const listeners = new Set();

/** The code of the language in use. */
export function language() {
  return current;
}

/**
 * A message in the language in use, its `{fields}` filled in.
 * @param {string} source
 * @param {Record<string, string | number>} [fields]
 */
export function t(source, fields) {
  const text = messages[source] || source;
  return fields ? text.replace(/\{(\w+)\}/g, (whole, key) => `${fields[key] ?? whole}`) : text;
}

/**
 * A list as a sentence holds it: “6, 7 and 8”.
 * @param {(string | number)[]} items
 */
export function joinList(items) {
  if (items.length < 2) return items.join();
  return t("{items} and {last}", {
    items: items.slice(0, -1).join(", "),
    last: /** @type {string | number} */ (items.at(-1)),
  });
}

/** @type {Map<string, any>} making one takes longer than all that it then does */
const formats = new Map();

/**
 * What formats numbers, or chooses their words: made once for each kind and language.
 * @template T
 * @param {string} kind
 * @param {number} digits
 * @param {number} least  of them
 * @param {(digits: Intl.PluralRulesOptions) => T} make
 * @returns {T}
 */
function made(kind, digits, least, make) {
  const key = [current, kind, digits, least].join();
  if (!formats.has(key))
    formats.set(key, make({ maximumFractionDigits: digits, minimumFractionDigits: least }));
  return formats.get(key);
}

/**
 * @param {"percent" | "decimal"} style
 * @param {number} digits
 * @param {number} least  of them
 */
function format(style, digits, least) {
  return made(style, digits, least, (shown) => {
    const signDisplay = /** @type {const} */ ("negative"); // nothing is “−0”
    return new Intl.NumberFormat(current, { ...shown, style, signDisplay });
  });
}

/**
 * A share of one as a percentage.
 * @param {number} share
 * @param {number} [digits]
 */
export function percent(share, digits = 0) {
  return format("percent", digits, 0).format(share);
}

/**
 * @param {number} value
 * @param {number} [digits]
 * @param {number} [least]  digits after the point, even where they are zeros
 */
export function number(value, digits = 0, least = 0) {
  return format("decimal", digits, least).format(value);
}

/**
 * The form that a number takes: “1 turn”, “2 turns”; in French 0 and 1.5 are singular, too.
 * @param {number} value
 * @param {string} one
 * @param {string} many
 * @param {number} [digits]  as it is shown
 * @param {number} [least]  of them
 */
export function plural(value, one, many, digits = 0, least = 0) {
  const rules = made("plural", digits, least, (shown) => new Intl.PluralRules(current, shown));
  return rules.select(value) === "one" ? one : many;
}

/** Dates have one form: “16 Nov 2026”, in English too. */
const DAY = /** @type {const} */ ({ day: "numeric", month: "short", year: "numeric" });

/**
 * A day of the calendar, whatever zone this device is in.
 * @param {string} day  “2026-11-16”
 */
export function dayText(day) {
  return dateFormat({ ...DAY, timeZone: "UTC" }).format(new Date(`${day.slice(0, 10)}T12:00:00Z`));
}

/**
 * A month and its year.
 * @param {string} month  “2026-11”
 */
export function monthText(month) {
  const shown = /** @type {const} */ ({ month: "short", year: "numeric", timeZone: "UTC" });
  return dateFormat(shown).format(new Date(`${month}-15T12:00:00Z`));
}

/**
 * A day with its time.
 * @param {string} when  an ISO date
 * @param {string} [timeZone]  by default that of this device
 */
export function date(when, timeZone) {
  const time = /** @type {const} */ ({ hour: "2-digit", minute: "2-digit" });
  return dateFormat({ ...DAY, ...time, timeZone }).format(new Date(when));
}

/** @param {Intl.DateTimeFormatOptions} options */
function dateFormat(options) {
  return new Intl.DateTimeFormat(current === "en" ? "en-GB" : current, options);
}

/**
 * Switch the language; everything on screen is drawn again in it.
 * @param {string} code
 */
async function setLanguage(code) {
  wanted = code in LANGUAGES ? code : "en";
  try {
    await loadMessages();
  } catch {
    wanted = current; // the server is unreachable: keep the language as it was
  }
  document.documentElement.lang = current;
  for (const listener of listeners) listener();
}

/** Have the messages of all chunks in the language that is wanted; both may change meanwhile. */
async function loadMessages() {
  const code = wanted;
  const names = [...chunks];
  const parts = code === "en" ? [] : await Promise.all(names.map((name) => part(code, name)));
  const grown = [...chunks].some((name) => !names.includes(name));
  if (code !== wanted || grown) return loadMessages();
  messages = Object.assign({}, ...parts);
  current = code;
}

/**
 * The messages of one chunk.
 * @param {string} code
 * @param {string} chunk
 */
function part(code, chunk) {
  const address = fileAddress(`words/${code}/${chunk}${catalogues[code] ?? ""}.json`);
  const known = requests.get(address);
  if (known) return known;
  const asked = fetch(address).then((answer) => {
    if (!answer.ok) throw new Error(answer.statusText);
    return answer.json();
  });
  requests.set(address, asked);
  asked.catch(() => requests.delete(address));
  return asked;
}

/**
 * A chunk of the client is being loaded: have its messages too.
 * @param {string} chunk
 */
export async function addMessages(chunk) {
  chunks.add(chunk);
  try {
    await loadMessages();
  } catch (error) {
    chunks.delete(chunk);
    throw error;
  }
}

/** @param {Record<string, string>} hashes */
export function setCatalogues(hashes) {
  catalogues = hashes;
}

/** @param {string} code */
export function chooseLanguage(code) {
  remember({ language: code });
  return setLanguage(code);
}

/** Start in the language that was chosen before, or else in one that the browser asks for. */
export function firstLanguage() {
  const asked = [prefs().language, ...navigator.languages].map((code) => code?.slice(0, 2) ?? "");
  return setLanguage(asked.find((code) => code in LANGUAGES) ?? "en");
}

/**
 * Subscribe to changes of the language. Returns how to unsubscribe.
 * @param {() => void} listener
 */
export function onLanguage(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
