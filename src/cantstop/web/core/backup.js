/**
 * Everything that this device keeps, as one text that another device can take over. A file may be
 * from anybody: what does not have the form that pages expect is refused as a whole.
 */

import { storedKeys, load, save } from "./prefs.js";

/**
 * @typedef {object} Backup
 * @property {1} cantstop
 * @property {string} at
 * @property {Record<string, any>} kept  by key
 * @property {Record<string, any[]>} [tables]  the events of games on the device, by table
 */

/** What is of this device alone: nobody takes a notification's permission along. */
const OWN = ["drills-before", "player", "player-sent"];
/** Characters: years of games, and little enough to read at once. */
const LARGEST = 64_000_000;
/** How many games each list has. */
const MOST = { games: 100, history: 5000, solos: 10 };

/** @typedef {(value: any) => boolean} Form */

/** @type {Form} */
const isText = (value) => typeof value === "string" && value.length <= 1000;
/** @type {Form} */
const isNumber = (value) => Number.isFinite(value);
/** @type {Form} */
const isFlag = (value) => typeof value === "boolean";
/** @type {Form} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** @type {(one: Form) => Form} */
const orNothing = (one) => (value) => value === null || value === undefined || one(value);
/** @type {(one: Form) => Form} */
const listOf = (one) => (value) => Array.isArray(value) && value.every(one);
/** @type {(one: Form) => Form} */
const valuesOf = (one) => (value) => isObject(value) && Object.values(value).every(one);
/** @type {(fields: Record<string, Form>) => Form} */
const record = (fields) => (value) =>
  isObject(value) && Object.entries(fields).every(([name, one]) => one(value[name]));

const isDate = (/** @type {any} */ value) => isText(value) && Number.isFinite(Date.parse(value));
const isGame = record({
  ...{ id: isText, at: isDate, mode: isText, edition: isText, lesson: isFlag, salt: isText },
  ...{ secret: orNothing(isText), asked: orNothing(isText), mine: orNothing(listOf(isNumber)) },
  seats: listOf(record({ name: orNothing(isText), bot: orNothing(isText) })),
  stage: (stage) => ["open", "playing", "over"].includes(stage),
  ...{
    winners: listOf(isNumber),
    commitment: orNothing(isText),
    bound: orNothing(listOf(isObject)),
    boundTurn: orNothing(isNumber),
  },
});
const isPlayed = record({
  ...{ id: isText, at: isDate, won: isFlag, rounds: isNumber, feats: listOf(isText) },
  against: listOf(record({ bot: orNothing(isText), name: orNothing(isText) })),
  ...{ luck: orNothing(isNumber), accuracy: orNothing(isNumber), low: orNothing(isNumber) },
});
const isSolo = record({ id: isText, turns: isNumber, name: isText, rules: isText, at: isDate });

/** @type {Record<string, Form>} the form of everything that pages read without looking */
const FORMS = {
  ...{ games: listOf(isGame), history: listOf(isPlayed), solos: listOf(isSolo) },
  daily: record({ device: isText, days: listOf(isText), turns: orNothing(valuesOf(isNumber)) }),
  prefs: record({
    ...{ name: orNothing(isText), colour: orNothing(isNumber), language: orNothing(isText) },
    ...{ theme: orNothing(isText), board: orNothing(isText), sound: orNothing(isFlag) },
    ...{ pace: orNothing(isText), turnSound: orNothing(isFlag), turnNotice: orNothing(isFlag) },
    ...{ tutor: orNothing(isText), settings: orNothing(valuesOf(record({ seats: isSeats }))) },
  }),
  ...{ lessons: listOf(isText), coach: record({ left: isNumber, ids: listOf(isText) }) },
  ...{ nerves: isText, week: isFlag, "large-print": isFlag },
  drills: orNothing(record({ rating: isNumber, answered: isNumber })),
  ...{ "drill-curve": listOf(isNumber), "drill-runs": valuesOf(isNumber) },
  ...{ "drills-missed": listOf(isObject), "drill-choice": isObject },
};

/** @type {Form} */
function isSeats(value) {
  return listOf(record({ kind: isText, name: isText, bot: isText }))(value);
}

/**
 * All of it as the text of a file.
 * @param {Record<string, any[]>} tables
 */
export function backupText(tables) {
  const keys = storedKeys().filter((key) => !OWN.includes(key));
  const kept = Object.fromEntries(keys.map((key) => [key, load(key, null)]));
  /** @type {Backup} */
  const all = { cantstop: 1, at: new Date().toISOString(), kept, tables };
  return JSON.stringify(all);
}

/**
 * The same as a code to copy: compressed, in letters that survive any message.
 * @param {Record<string, any[]>} tables
 */
export async function backupCode(tables) {
  const packed = new Blob([backupText(tables)]).stream().pipeThrough(new CompressionStream("gzip"));
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
    const whole = found?.cantstop === 1 && isObject(found.kept);
    const known = whole && Object.entries(found.kept).filter(([key]) => Object.hasOwn(FORMS, key));
    const sound =
      known &&
      known.every(([key, value]) => value === null || FORMS[key](value)) &&
      orNothing(valuesOf(listOf(isObject)))(found.tables);
    return sound ? { ...found, kept: Object.fromEntries(known) } : null;
  } catch {
    return null;
  }
}

/** @param {string} code */
async function unpacked(code) {
  const bytes = Uint8Array.from(atob(code.replace(/\s+/g, "")), (letter) => letter.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const reader = plain.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    if (text.length > LARGEST) throw new Error("too large");
  }
  return text;
}

/**
 * Take a backup over: games of both devices are kept, of drills whichever has more answers, and for
 * the rest the backup's word counts.
 * @param {Backup} found
 * @param {Record<string, string>} renamed  games that have gone on here and there: their other ids
 */
export function restoreBackup({ kept }, renamed) {
  const drilled = (/** @type {any} */ drills) => drills?.answered ?? 0;
  const keepsDrills = drilled(load("drills", null)) > drilled(kept.drills);
  for (const [key, value] of Object.entries(kept)) {
    if (value === null || (keepsDrills && key.startsWith("drill"))) continue;
    save(key, merged(key, load(key, null), key === "games" ? withCopies(value, renamed) : value));
  }
}

/**
 * @param {{id: string}[]} games
 * @param {Record<string, string>} renamed
 */
function withCopies(games, renamed) {
  return games.map((game) => ({ ...game, id: renamed[game.id] ?? game.id }));
}

/**
 * @param {string} key
 * @param {any} here
 * @param {any} there
 */
function merged(key, here, there) {
  if (here === null) return there;
  if (key === "games") return joined(here, there).reverse().slice(0, MOST.games);
  if (key === "history") return joined(here, there).slice(-MOST.history);
  if (key === "solos") return bestOf(joined(here, there));
  if (key === "lessons") return [...new Set([...here, ...there])];
  if (key === "week") return here || there;
  if (key === "nerves") return here || there;
  if (key !== "daily") return there;
  return {
    ...there,
    days: [...new Set([...(here.days ?? []), ...there.days])].sort(),
    turns: { ...here.turns, ...there.turns },
  };
}

/**
 * Two lists of games without any game twice, the oldest first. What is known of a game is what was
 * seen last; a seat that only one of them holds is kept, and so is what a review said.
 * @param {any[]} here
 * @param {any[]} there
 */
function joined(here, there) {
  const all = new Map();
  for (const game of [...here, ...there].sort((a, b) => a.at.localeCompare(b.at))) {
    const before = all.get(game.id);
    const secret = game.secret ?? before?.secret;
    all.set(game.id, { ...before, ...game, ...(secret !== undefined && { secret }) });
  }
  return [...all.values()].sort((a, b) => a.at.localeCompare(b.at));
}

/** @param {any[]} solos */
function bestOf(solos) {
  const ranked = solos.sort((a, b) => a.turns - b.turns || a.at.localeCompare(b.at));
  return ranked.filter(
    (solo) => ranked.filter(({ rules }) => rules === solo.rules).indexOf(solo) < MOST.solos,
  );
}
