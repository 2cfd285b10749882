/**
 * Games from one device to another: all events of all tables out, and those of another device in,
 * each game once. A file may be from anybody, so that every game in it is played by the rules first.
 */

import { sha256 } from "../core/sha256.js";
import { FilesMissing, filesIndex } from "../engine/files.js";
import { Refusal } from "../engine/refusal.js";
import { idOf, isTableId } from "./opening.js";
import { addRows, allEvents, eventsAfter } from "./storage.js";
import { tableOf } from "./table.js";
import { gameOf, heardOf, stateOf } from "./tables.js";

/** @typedef {import("../net/protocol.js").TableEvent} TableEvent */
/** @typedef {import("./storage.js").Row} Row */
/** @typedef {{action: string | null, event: TableEvent}[]} Moved  the events of a table, from the first */

/** More events than any game has: 300 turns for each seat end it. */
const MOST_EVENTS = 100_000;
/** Characters of an action's id, of a name and of a day with its time. */
const LONGEST = 64;
const KINDS = [
  ...["opened", "seated", "started", "rolled", "moved", "stopped", "busted"],
  ...["reacted", "hinted", "resigned", "substituted", "takenback", "finished", "rematched"],
];

/**
 * All tables but those that are damaged, which no device would take over.
 * @returns {Promise<Record<string, Moved>>}
 */
export async function exportTables() {
  /** @type {Record<string, Moved>} */
  const found = {};
  for (const { table, action, event } of await allEvents())
    (found[table] ??= []).push({ action, event });
  for (const [id, moved] of Object.entries(found))
    await checkedTables({ [id]: moved }).catch((error) => {
      if (error instanceof Refusal) delete found[id];
    });
  return found;
}

/**
 * Take games over, all or none of them. One that is here too goes on from whichever is further; if
 * both have gone on since, the other one becomes a game of its own.
 * @param {Record<string, Moved>} tables
 * @returns {Promise<Record<string, string>>}  the new ids of those
 */
export async function importTables(tables) {
  const checked = await checkedTables(tables);
  /** @type {Record<string, string>} */
  const renamed = {};
  /** @type {Row[]} */
  const added = [];
  for (const [id, rows] of checked) {
    const here = await eventsAfter(id);
    const same = here.findIndex((row, at) => !rows[at] || textOf(row) !== textOf(rows[at]));
    if (same < 0) added.push(...rows.slice(here.length));
    else if (same < rows.length) {
      const other = idOf(sha256(rows.map(textOf).join("\n")));
      renamed[id] = other;
      const known = (await eventsAfter(other)).length > 0;
      if (!known) added.push(...rows.map((row) => ({ ...row, table: other })));
    }
  }
  if (added.length) await addRows(added);
  for (const id of new Set(added.map(({ table }) => table))) heardOf(id);
  return renamed;
}

/** @param {Row} row */
function textOf({ event: { at, kind, seat, data } }) {
  return JSON.stringify([at, kind, seat, data]);
}

/** @param {Record<string, Moved>} tables */
async function checkedTables(tables) {
  /** @type {[string, Row[]][]} */
  const checked = [];
  try {
    const { par, lessons } = await filesIndex();
    for (const [id, moved] of Object.entries(tables)) {
      if (!isTableId(id) || moved.length > MOST_EVENTS) throw new Error(id);
      const rows = moved.map((each, at) => rowOf(id, each, at + 1));
      const log = rows.map(({ event }) => event);
      const { rules, lesson } = /** @type {import("./table.js").Opened} */ (log[0].data);
      const game = await gameOf(rules);
      const state = stateOf(tableOf(id, game, log), par);
      const whole = state.seats.length === game.rules.players && state.seats.every(isTaken);
      if (!whole || (lesson !== null && !(lesson in lessons))) throw new Error(id);
      checked.push([id, rows]);
    }
  } catch (error) {
    if (error instanceof FilesMissing) throw error;
    throw new Refusal("malformed", "bad-file");
  }
  return checked;
}

/** @param {{name: string | null, colour: number | null, bot: string | null}} seat */
function isTaken({ name, colour, bot }) {
  return isText(name) && Number.isInteger(colour) && (bot === null || isText(bot));
}

/** @param {unknown} value */
function isText(value) {
  return typeof value === "string" && value.length <= LONGEST;
}

/**
 * @param {string} table
 * @param {Moved[0]} moved
 * @param {number} n
 * @returns {Row}
 */
function rowOf(table, { action, event }, n) {
  const { at, kind, seat, data } = event;
  const known = event.n === n && (kind === "opened") === (n === 1) && KINDS.includes(kind);
  const dated = isText(at) && Number.isFinite(Date.parse(at));
  const named = action === null || isText(action);
  if (!known || !dated || !named || typeof data !== "object") throw new Error(`${table} ${n}`);
  return {
    ...{ table, n, action },
    event: /** @type {TableEvent} */ ({ n, at, kind, seat, data }),
  };
}
