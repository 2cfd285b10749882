/** Translations, numbers and dates. English is the source; the server has the other catalogues. */

import { prefs, remember } from "../core/prefs.js";

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

/** @type {Map<string, Intl.NumberFormat>} making one takes longer than all that it then does */
const formats = new Map();

/**
 * @param {"percent" | "decimal"} style
 * @param {number} digits
 */
function format(style, digits) {
  const key = `${current} ${style} ${digits}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.NumberFormat(current, { style, maximumFractionDigits: digits });
  formats.set(key, made);
  return made;
}

/**
 * A share of one as a percentage.
 * @param {number} share
 * @param {number} [digits]
 */
export function percent(share, digits = 0) {
  return format("percent", digits).format(share);
}

/**
 * @param {number} value
 * @param {number} [digits]
 */
export function number(value, digits = 0) {
  return format("decimal", digits).format(value);
}

/** @param {string} when an ISO date */
export function date(when) {
  return new Intl.DateTimeFormat(current, { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(when),
  );
}

/**
 * Switch the language; everything on screen is drawn again in it.
 * @param {string} code
 */
async function setLanguage(code) {
  const wanted = code in LANGUAGES ? code : "en";
  try {
    messages = wanted === "en" ? {} : await catalogue(wanted);
    current = wanted;
  } catch {
    // the server is unreachable: keep the language as it was
  }
  document.documentElement.lang = current;
  for (const listener of listeners) listener();
}

/** @param {string} code */
async function catalogue(code) {
  const answer = await fetch(`/api/languages/${code}`);
  if (!answer.ok) throw new Error(answer.statusText);
  return (await answer.json()).messages;
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
