/**
 * The tables of this device, in the worker: loads them, accepts actions, plays the bots, and tells
 * whoever follows. An event is stored before anybody hears of it.
 */

import { FilesMissing, filesIndex, engineModule } from "../engine/files.js";
import { hint } from "../engine/analysis.js";
import { Game } from "../engine/game.js";
import { solvedGame } from "../engine/games.js";
import { readRules } from "../engine/notation.js";
import { Refusal } from "../engine/refusal.js";
import { failure } from "../engine/tasks.js";
import { afterEvent } from "../net/state.js";
import { botDecision } from "./bots.js";
import { decide } from "./decisions.js";
import { randomId, throwDice } from "./dice.js";
import { lessonEvents, newTableId, openingEvents, rematchEvents } from "./opening.js";
import { recordText } from "./record.js";
import { addEvents, eventsAfter, forgetTable, Overtaken, unsavedBecause } from "./storage.js";
import { after, botToAct, opening, tableOf, viewOf } from "./table.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../net/protocol.js").TableEvent} TableEvent */
/** @typedef {import("../net/state.js").State} State */
/** @typedef {import("../net/socket.js").NewAction & {id: string}} Action */

/** Milliseconds between two actions of a bot, and the share of them at each pace. */
const PAUSE = 800;
const PACES = /** @type {Record<string, number>} */ ({ normal: 1, fast: 0.5, "at-once": 0 });

/**
 * A table in memory.
 * @typedef {object} Live
 * @property {Table} table
 * @property {Map<string, number>} actions  the events that actions became
 * @property {Promise<unknown>} queue  one thing after the other
 * @property {boolean} followed
 * @property {string} pace
 * @property {number} timer  of the bot whose turn it is
 * @property {string | null} trouble  the sentence for why its events are in memory only
 */

/** @typedef {{event: TableEvent} | {state: State} | {failed: ReturnType<typeof failure>}} News */

/** @type {Map<string, Promise<Live>>} */
const live = new Map();
/** What other tabs have added. */
const others = new BroadcastChannel("cantstop-tables");
others.onmessage = (/** @type {MessageEvent<string>} */ { data }) =>
  live.has(data) && queued(data, catchUp);

/** @type {(table: string, news: News) => void} */
let tell = () => {};

/** @param {typeof tell} given  hears of what happens at tables that are followed */
export function onNews(given) {
  tell = given;
}

/** @param {string} rules */
export async function gameOf(rules) {
  const read = readRules(rules);
  if (!read) throw new Refusal("malformed", "bad-rules");
  return new Game(await engineModule(), read);
}

/**
 * @param {string} id
 * @returns {Promise<Live>}
 */
function liveTable(id) {
  let found = live.get(id);
  if (!found) {
    found = load(id);
    live.set(id, found);
    found.catch(() => live.delete(id));
  }
  return found;
}

/** @param {string} id */
async function load(id) {
  const rows = await eventsAfter(id);
  if (!rows.length) throw new Refusal("table-unknown", "table-unknown");
  const table = await playedFrom(id, rows);
  const actions = new Map(rows.flatMap(({ action, n }) => (action ? [[action, n]] : [])));
  return {
    ...{ table, actions, queue: Promise.resolve() },
    ...{ followed: false, pace: "normal", timer: 0, trouble: null },
  };
}

/**
 * The table that its stored events make.
 * @param {string} id
 * @param {import("./storage.js").Row[]} rows
 */
async function playedFrom(id, rows) {
  try {
    const log = rows.map(({ event }) => event);
    if (log.some(({ n }, at) => n !== at + 1)) throw new Error("there are events missing");
    const { rules } = /** @type {import("./table.js").Opened} */ (log[0].data);
    return tableOf(id, await gameOf(rules), log);
  } catch (error) {
    if (error instanceof FilesMissing) throw error;
    throw new Refusal("damaged", "damaged");
  }
}

/**
 * Do something with a table when everything before is done.
 * @template T
 * @param {string} id
 * @param {(here: Live) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function queued(id, work) {
  const here = await liveTable(id);
  const done = here.queue.catch(() => {}).then(() => work(here));
  here.queue = done.catch(() => {});
  return done;
}

/**
 * Read what another tab has added.
 * @param {Live} here
 */
async function catchUp(here) {
  const rows = await eventsAfter(here.table.id, here.table.log.length);
  for (const { action, n } of rows) if (action) here.actions.set(action, n);
  show(
    here,
    rows.map(({ event }) => event),
  );
}

/**
 * Add events to the table in memory, and tell whoever follows.
 * @param {Live} here
 * @param {TableEvent[]} events
 */
function show(here, events) {
  for (const event of events) {
    here.table = after(here.table, event);
    if (here.followed) tell(here.table.id, { event: { ...event, view: viewOf(here.table) } });
  }
  if (events.length) planBot(here);
}

/**
 * @param {Live} here
 * @param {TableEvent[]} events
 * @param {string | null} action
 * @param {import("./storage.js").Row[]} [more]  of a table that begins with these
 */
async function commit(here, events, action, more = []) {
  const { id } = here.table;
  const rows = events.map((event, at) => ({
    ...{ table: id, n: event.n, action: at ? null : action, event },
  }));
  const trouble = await addEvents([...rows, ...more], () => rowsOf(here));
  if (action) here.actions.set(action, events[0].n);
  others.postMessage(id);
  show(here, events);
  if (trouble !== here.trouble) tellTrouble(here, trouble);
}

/**
 * All events of a table as they are stored.
 * @param {Live} here
 * @returns {import("./storage.js").Row[]}
 */
function rowsOf({ table, actions }) {
  const names = new Map([...actions].map(([action, n]) => [n, action]));
  return table.log.map((event) => ({
    ...{ table: table.id, n: event.n, action: names.get(event.n) ?? null, event },
  }));
}

/**
 * Say once that the events are in memory only, and why.
 * @param {Live} here
 * @param {string | null} trouble
 */
function tellTrouble(here, trouble) {
  here.trouble = trouble;
  if (trouble) tell(here.table.id, { failed: { code: "unavailable", sentence: trouble } });
}

/**
 * Other events than those in memory are stored: theirs count.
 * @param {Live} here
 */
async function readAgain(here) {
  const { table, actions } = await load(here.table.id);
  Object.assign(here, { table, actions, trouble: null });
  if (here.followed) tell(table.id, { state: stateOf(table, (await filesIndex()).par) });
  planBot(here);
}

/** @param {Table} table */
async function worldOf({ opened }) {
  const { substitute, lessons } = await filesIndex();
  const script = opened.lesson === null ? undefined : lessons[opened.lesson].turns;
  return { at: new Date().toISOString(), throwDice, substitute, script };
}

/**
 * Accept an action of a person, or of the bot whose turn it is.
 * @param {Live} here
 * @param {Action} action
 * @param {boolean} byBot
 * @returns {Promise<number>}  the number of its event
 */
async function accept(here, action, byBot) {
  const done = here.actions.get(action.id);
  if (done !== undefined) return done;
  try {
    if (action.kind === "rematch") await rematch(here, action);
    else {
      const world = await worldOf(here.table);
      await commit(here, decide(here.table, action, world, byBot), action.id);
    }
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error;
    await (error.lost ? readAgain(here) : catchUp(here));
    return accept(here, action, byBot);
  }
  return /** @type {number} */ (here.actions.get(action.id));
}

/**
 * @param {Live} here
 * @param {Action} action
 */
async function rematch(here, action) {
  const { table } = here;
  if (table.next !== null) {
    const known = table.log.findLast(({ kind }) => kind === "rematched");
    here.actions.set(action.id, known?.n ?? table.log.length);
    return;
  }
  const at = new Date().toISOString();
  const id = newTableId();
  const first = rematchEvents(table, at).map((event) => ({
    ...{ table: id, n: event.n, action: null, event },
  }));
  const rematched = { kind: "rematched", seat: action.seat, data: { table: id } };
  const event = /** @type {TableEvent} */ ({ n: table.log.length + 1, at, ...rematched });
  await commit(here, [event], action.id, first);
}

/**
 * Let the bot whose turn it is act, after a pause in which people can follow.
 * @param {Live} here
 */
function planBot(here) {
  clearTimeout(here.timer);
  const { table } = here;
  if (!here.followed || botToAct(table) === null) return;
  const n = table.log.length;
  const decideNow = async (/** @type {Live} */ now) => {
    if (now.table.log.length !== n || !now.followed) return;
    await accept(now, await botAction(now.table), true);
  };
  const say = (/** @type {unknown} */ error) => {
    // a refusal: the bot has acted in another tab
    if (!(error instanceof Refusal)) tell(table.id, { failed: failure(error) });
  };
  here.timer = setTimeout(() => queued(table.id, decideNow).catch(say), PAUSE * PACES[here.pace]);
}

/**
 * @param {Table} table
 * @returns {Promise<Action>}
 */
async function botAction(table) {
  const { position, opened, log } = table;
  const { seat, phase } = position;
  const common = { id: randomId(), seat, n: log.length };
  if (phase === "start") return { ...common, kind: "roll" };
  const name =
    opened.lesson === null ? (botToAct(table) ?? "") : (await filesIndex()).teacher.style;
  const found = await botDecision(name, position);
  if (found === "roll" || found === "stop") return { ...common, kind: found };
  return { ...common, kind: "move", move: position.moves[found].join("+") };
}

// What the page asks for

/**
 * @param {import("../net/protocol.js").OpenTable | import("../net/protocol.js").OpenLesson} request
 * @returns {Promise<{id: string, seats: number[], state: State}>}
 */
export async function openLocal(request) {
  const at = new Date().toISOString();
  const index = await filesIndex();
  const events =
    "lesson" in request
      ? lessonEvents(request, index, at)
      : openingEvents(/** @type {any} */ (request), index, at);
  const id = newTableId();
  await engineModule(); // a table that cannot be played is not opened
  await addEvents(events.map((event) => ({ table: id, n: event.n, action: null, event })));
  const state = await localState(id);
  return { id, seats: state.you, state };
}

/**
 * @param {string} id
 * @returns {Promise<State>}
 */
export function localState(id) {
  return queued(id, async (here) => {
    await catchUp(here);
    return stateOf(here.table, (await filesIndex()).par);
  });
}

/**
 * @param {Table} table
 * @param {number} par
 * @returns {State}
 */
export function stateOf(table, par) {
  const { id, opened, log, seats, game } = table;
  const solved = game.rules.players === 1 && /^v1,players=1(,s\w+=[\w-]+)*$/.test(game.rules.text);
  const empty = { name: null, colour: null, bot: null, present: false, substitute: null };
  /** @type {State} */
  const first = {
    ...{ id, n: 1, mode: opened.mode, edition: opened.edition, lesson: opened.lesson },
    ...{ rules: opened.rules, par: solved ? par : null, help: opened.help },
    ...{ hints: opened.hints ?? false, youngest: opened.youngest },
    you: seats.flatMap(({ bot }, at) => (bot === null ? [at] : [])),
    seats: seats.map(() => ({ kind: "open", ...empty })),
    ...{ stage: "open", commitment: null, secret: null, salts: [], next: null },
    dice: opened.entered ? "entered" : opened.lesson === null ? "device" : "prepared",
    ...(opened.series && { series: opened.series }),
    view: viewOf(table),
    log: log.slice(0, 1),
  };
  return { ...log.slice(1).reduce(afterEvent, first), salts: seats.map(() => null) };
}

/**
 * Every event with its view.
 * @param {string} id
 * @param {number} since
 */
export function localEvents(id, since = 0) {
  return queued(id, async (here) => {
    await catchUp(here);
    return eventsSince(here.table, since);
  });
}

/**
 * @param {Table} last
 * @param {number} since
 */
function eventsSince({ id, game, log }, since) {
  let table = opening(id, game, log[0]);
  /** @type {TableEvent[]} */
  const found = since ? [] : [{ ...log[0], view: viewOf(table) }];
  for (const event of log.slice(1)) {
    table = after(table, event);
    if (event.n > since) found.push({ ...event, view: viewOf(table) });
  }
  return found;
}

/** @param {string} id */
export function localRecord(id) {
  return queued(id, async ({ table }) => recordText(table));
}

/**
 * A hint for whoever is to decide; that they had one is an event.
 * @param {string} id
 */
export function localHint(id) {
  return queued(id, async (here) => {
    const { table } = here;
    const { position, stage, opened, seats, log } = table;
    if (!opened.hints) throw new Refusal("not-now", "no-hints");
    if (stage !== "playing") throw new Refusal("not-now", "over");
    if (botToAct(table) !== null) throw new Refusal("not-your-turn", "not-your-turn");
    if (position.phase === "start") throw new Refusal("not-now", "nothing-to-decide");
    const found = hint(await solvedGame(position.rules), position);
    if (!seats[position.seat].hinted) {
      const at = new Date().toISOString();
      const event = { n: log.length + 1, at, kind: "hinted", seat: position.seat, data: {} };
      await commit(here, [/** @type {TableEvent} */ (event)], null);
    }
    return { n: log.length, ...found };
  });
}

/**
 * Hear of the events of a table, and let its bots play.
 * @param {string} id
 * @param {number} since  the last event known
 * @param {string} pace
 * @returns {Promise<TableEvent[]>}  those since
 */
export function follow(id, since, pace) {
  // all at once: nobody would hear of an action in between
  return queued(id, async (here) => {
    await catchUp(here);
    Object.assign(here, { followed: true, pace });
    planBot(here);
    tellTrouble(here, unsavedBecause(id));
    return eventsSince(here.table, since);
  });
}

/** @param {string} id */
export function leave(id) {
  return queued(id, async (here) => {
    here.followed = false;
    clearTimeout(here.timer);
  });
}

/**
 * @param {string} id
 * @param {string} pace
 */
export function setPace(id, pace) {
  return queued(id, async (here) => {
    here.pace = pace;
    planBot(here);
  });
}

/**
 * @param {string} id
 * @param {Action} action
 * @returns {Promise<number>}
 */
export function act(id, action) {
  return queued(id, (here) => accept(here, action, false));
}

/**
 * Events of a table were added elsewhere: whoever follows it here or in another tab hears of them.
 * @param {string} id
 */
export function heardOf(id) {
  others.postMessage(id);
  if (live.has(id)) queued(id, catchUp);
}

/**
 * Take a table off this device. Returns its events: whoever changes their mind can import them.
 * @param {string} id
 * @returns {Promise<import("./transfer.js").Moved>}
 */
export async function forget(id) {
  const rows = await eventsAfter(id);
  live.delete(id);
  await forgetTable(id);
  return rows.map(({ action, event }) => ({ action, event }));
}
