/**
 * Where local tables are kept: IndexedDB. An event is accepted by being added as number n + 1 of its
 * table; of two tabs that want the same number one fails, reads what it missed and decides again.
 * Where nothing can be written, events stay in memory, and are written as soon as that works again.
 */

import { Refusal } from "../engine/refusal.js";

/** @typedef {import("../net/protocol.js").TableEvent} TableEvent */
/** @typedef {{table: string, n: number, action: string | null, event: TableEvent}} Row */

const NAME = "cantstop";
const VERSION = 1;
const EVENTS = "events";

/** Another tab was faster. */
export class Overtaken extends Error {
  /** @param {boolean} lost  whether events went with it that were in memory only */
  constructor(lost) {
    super("overtaken");
    this.lost = lost;
  }
}

/** @type {Promise<IDBDatabase> | null} */
let opened = null;
/** @type {Map<string, Row[]>} the events of each table that are in memory only */
const unsaved = new Map();
/** The sentence for why. */
let reason = "no-storage";
/** @type {Promise<unknown>} one thing after the other */
let writing = Promise.resolve();

function database() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () =>
      request.result.createObjectStore(EVENTS, { keyPath: ["table", "n"] });
    request.onsuccess = () => {
      // a newer release in another tab may change the database; this one opens it again
      request.result.onversionchange = () => {
        request.result.close();
        opened = null;
      };
      request.result.onclose = () => (opened = null);
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("blocked"));
  });
  opened.catch(() => (opened = null));
  return opened;
}

/** @param {IDBTransactionMode} mode */
async function begun(mode) {
  const options = /** @type {const} */ ({ durability: "strict" });
  try {
    return (await database()).transaction(EVENTS, mode, options);
  } catch {
    opened = null; // the browser has closed it: everything may have been cleared away
    return (await database()).transaction(EVENTS, mode, options);
  }
}

/** @param {unknown} error */
function isOvertaken(error) {
  return /** @type {DOMException} */ (error).name === "ConstraintError";
}

/**
 * The name of the sentence for what went wrong.
 * @param {unknown} error
 */
function trouble(error) {
  const { name } = /** @type {DOMException} */ (error);
  return name === "QuotaExceededError" ? "storage-full" : "no-storage";
}

/**
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function stored(work) {
  try {
    return await work();
  } catch (error) {
    if (isOvertaken(error)) throw new Overtaken(false);
    throw new Refusal("unavailable", trouble(error));
  }
}

/**
 * A transaction that changes events; all of it is on the disk afterwards, or nothing.
 * @param {(events: IDBObjectStore) => void} change
 * @returns {Promise<void>}
 */
async function changed(change) {
  const transaction = await begun("readwrite");
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
    try {
      change(transaction.objectStore(EVENTS));
    } catch (error) {
      reject(error);
      transaction.abort();
    }
  });
}

/**
 * Keep events of a table, and those that a rematch begins with: all or none of them.
 * @param {Row[]} rows
 * @param {() => Row[]} [earlier]  all events of the table before: they are added again where the
 *   browser has cleared them away
 * @returns {Promise<string | null>}  the sentence for why they are in memory only; null if they are not
 */
export function addEvents(rows, earlier = () => []) {
  const done = writing.catch(() => {}).then(() => save(rows, earlier));
  writing = done;
  return done;
}

/**
 * @param {Row[]} rows
 * @param {() => Row[]} earlier
 */
async function save(rows, earlier) {
  const [{ table }] = rows;
  const before = unsaved.get(table) ?? [];
  try {
    await write([...before, ...rows], earlier);
  } catch (error) {
    if (isOvertaken(error)) {
      unsaved.delete(table);
      throw new Overtaken(before.length > 0);
    }
    for (const row of rows) unsaved.set(row.table, [...(unsaved.get(row.table) ?? []), row]);
    return (reason = trouble(error));
  }
  unsaved.delete(table);
  for (const [other, waiting] of unsaved) {
    const failed = await write(waiting, () => []).catch((error) => error);
    if (!failed || isOvertaken(failed)) unsaved.delete(other);
  }
  return null;
}

/**
 * @param {Row[]} rows
 * @param {() => Row[]} earlier
 */
function write(rows, earlier) {
  const [{ table, n }] = rows;
  return changed((events) => {
    for (const row of rows) events.add(row);
    if (n === 1) return;
    const last = events.getKey([table, n - 1]);
    last.onsuccess = () => {
      if (last.result === undefined) for (const row of earlier()) events.put(row);
    };
  });
}

/**
 * Keep what another device kept; nothing stays in memory only.
 * @param {Row[]} rows
 */
export function addRows(rows) {
  return stored(() =>
    changed((events) => {
      for (const row of rows) events.add(row);
    }),
  );
}

/**
 * The sentence for why events of a table are in memory only; null if all are stored.
 * @param {string} table
 */
export function unsavedBecause(table) {
  return unsaved.has(table) ? reason : null;
}

/**
 * The events of a table after some number.
 * @param {string} table
 * @param {number} after
 * @returns {Promise<Row[]>}
 */
export async function eventsAfter(table, after = 0) {
  const range = IDBKeyRange.bound([table, after + 1], [table, Infinity]);
  const waiting = unsaved.get(table) ?? [];
  return joined(await read((events) => events.getAll(range), waiting), waiting).filter(
    ({ n }) => n > after,
  );
}

/**
 * Everything that is kept, table by table.
 * @returns {Promise<Row[]>}
 */
export async function allEvents() {
  const waiting = [...unsaved.values()].flat();
  return joined(await read((events) => events.getAll(), waiting), waiting);
}

/**
 * @param {Row[]} found
 * @param {Row[]} waiting
 */
function joined(found, waiting) {
  if (!waiting.length) return found;
  const key = (/** @type {Row} */ { table, n }) => `${table} ${n}`;
  const known = new Set(found.map(key));
  return [...found, ...waiting.filter((row) => !known.has(key(row)))].sort(
    (a, b) => a.table.localeCompare(b.table) || a.n - b.n,
  );
}

/**
 * @param {string} table
 * @returns {Promise<void>}
 */
export function forgetTable(table) {
  unsaved.delete(table);
  return stored(() =>
    changed((events) => events.delete(IDBKeyRange.bound([table, 0], [table, Infinity]))),
  );
}

/**
 * @param {(events: IDBObjectStore) => IDBRequest<Row[]>} ask
 * @param {Row[]} waiting  where there are some, nothing else may be readable
 * @returns {Promise<Row[]>}
 */
function read(ask, waiting) {
  return stored(async () => {
    const request = ask((await begun("readonly")).objectStore(EVENTS));
    return new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  }).catch(() => {
    if (waiting.length) return [];
    throw new Refusal("unavailable", "unreadable");
  });
}
