/**
 * Where local tables are kept: IndexedDB. An event is accepted by being added as number n + 1 of its
 * table; of two tabs that want the same number one fails, reads what it missed and decides again.
 */

import { Refusal } from "../engine/tasks.js";

/** @typedef {import("../net/protocol.js").TableEvent} TableEvent */
/** @typedef {{table: string, n: number, action: string | null, event: TableEvent}} Row */

const NAME = "cantstop";
const VERSION = 1;
const EVENTS = "events";

/** Another tab was faster. */
export class Overtaken extends Error {}

/** @type {Promise<IDBDatabase> | null} */
let opened = null;

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

/**
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function stored(work) {
  try {
    return await work();
  } catch (error) {
    const { name } = /** @type {DOMException} */ (error);
    if (name === "ConstraintError") throw new Overtaken();
    throw new Refusal("unavailable", name === "QuotaExceededError" ? "storage-full" : "no-storage");
  }
}

/**
 * Keep events, all or none of them; they are on the disk afterwards.
 * @param {Row[]} rows
 * @returns {Promise<void>}
 */
export function addEvents(rows) {
  return stored(async () => {
    const transaction = (await database()).transaction(EVENTS, "readwrite", {
      durability: "strict",
    });
    for (const row of rows) transaction.objectStore(EVENTS).add(row);
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
    });
  });
}

/**
 * The events of a table after some number.
 * @param {string} table
 * @param {number} after
 * @returns {Promise<Row[]>}
 */
export function eventsAfter(table, after = 0) {
  const range = IDBKeyRange.bound([table, after + 1], [table, Infinity]);
  return read((events) => events.getAll(range));
}

/**
 * Everything that is kept.
 * @returns {Promise<Row[]>}
 */
export function allEvents() {
  return read((events) => events.getAll());
}

/**
 * @param {string} table
 * @returns {Promise<void>}
 */
export function forgetTable(table) {
  return stored(async () => {
    const transaction = (await database()).transaction(EVENTS, "readwrite");
    transaction.objectStore(EVENTS).delete(IDBKeyRange.bound([table, 0], [table, Infinity]));
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
    });
  });
}

/**
 * @template T
 * @param {(events: IDBObjectStore) => IDBRequest<T>} ask
 * @returns {Promise<T>}
 */
function read(ask) {
  return stored(async () => {
    const request = ask((await database()).transaction(EVENTS).objectStore(EVENTS));
    return new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  });
}
