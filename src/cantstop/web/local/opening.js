/** Opening a local table: the first events of it, as `server/tables/opening.py` writes them. */

import { readRules, rulesText } from "../engine/notation.js";
import { Refusal } from "../engine/refusal.js";

/** @typedef {import("../net/protocol.js").TableEvent} TableEvent */
/** @typedef {import("../net/protocol.js").OpenTable} OpenTable */
/** @typedef {import("../net/protocol.js").OpenLesson} OpenLesson */
/** @typedef {import("../engine/files.js").Index} Index */
/** @typedef {import("./table.js").Table} Table */
/** @typedef {{name: string, colour: number, bot: string | null}} Place */

const OFFICIAL = [3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3];
const COLOURS = 4;
const LONGEST_NAME = 24;
const CUSTOM = "custom";

/** Without letters that look alike; ids of servers never begin with a 0. */
const LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const ID_LENGTH = 12;

/** An id for a local table, which no other table has: 70 random bits. */
export function newTableId() {
  let id = "0";
  const limit = 256 - (256 % LETTERS.length);
  while (id.length <= ID_LENGTH) {
    const [byte] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < limit) id += LETTERS[byte % LETTERS.length];
  }
  return id;
}

/**
 * The id of a local table that is a copy: the same one for the same copy.
 * @param {string} hash  in hexadecimal
 */
export function idOf(hash) {
  const letters = Array.from(
    { length: ID_LENGTH },
    (_, at) => LETTERS[parseInt(hash.slice(2 * at, 2 * at + 2), 16) % LETTERS.length],
  );
  return `0${letters.join("")}`;
}

/** @param {string} id */
export function isTableId(id) {
  return id.length === 1 + ID_LENGTH && id[0] === "0" && [...id.slice(1)].every(isLetter);
}

/** @param {string} letter */
function isLetter(letter) {
  return LETTERS.includes(letter);
}

/**
 * The first events of a table as it was asked for.
 * @param {OpenTable} request
 * @param {Index} index
 * @param {string} at
 * @returns {TableEvent[]}
 */
export function openingEvents(request, { starts }, at) {
  const { mode, seats, early = false, sharing = "free", win = 3 } = request;
  if (mode === "online" || seats.some(({ kind }) => kind === "open"))
    throw new Refusal("not-now", "needs-server");
  const edition = (request.edition ?? "classic").toLowerCase();
  const start = edition === CUSTOM ? (request.start ?? "first-seat") : starts[edition];
  const text = rulesText({
    ...{ players: seats.length, win, early, sharing, start },
    ...{ lengths: OFFICIAL, runners: 3, sides: 6 },
  });
  if (!start || !readRules(text)) throw new Refusal("malformed", "bad-rules");
  const colours = freeColours(
    seats.map((seat) => ("colour" in seat ? (seat.colour ?? null) : null)),
  );
  /** @type {string[]} */
  const names = [];
  const places = seats.map((seat, number) => {
    if (seat.kind === "bot") return { name: seat.bot, colour: colours[number], bot: seat.bot };
    names.push(distinctName("name" in seat ? seat.name : "", names));
    return { name: names.at(-1) ?? "", colour: colours[number], bot: null };
  });
  const opened = {
    ...{ mode, edition, rules: text, help: request.help ?? false },
    ...{ youngest: request.youngest ?? 0, lesson: null, commitment: null },
    reserved: seats.map(() => null),
    ...((request.hints ?? true) && { hints: true }),
    ...(request.dice === "entered" && { entered: true }),
  };
  return numbered(opened, places, at);
}

/**
 * The first events of a lesson: one person against a bot, with prepared dice.
 * @param {OpenLesson} request
 * @param {Index} index
 * @param {string} at
 */
export function lessonEvents({ lesson, name, colour = null }, { lessons, teacher }, at) {
  const [mine, others] = freeColours([colour, null]);
  const opened = {
    ...{ mode: "hotseat", edition: CUSTOM, rules: lessons[lesson].rules, help: true },
    ...{ youngest: 0, lesson, commitment: null, reserved: [null, null] },
  };
  const places = [
    { name: distinctName(name, []), colour: mine, bot: null },
    { name: teacher.bot, colour: others, bot: teacher.bot },
  ];
  return numbered(opened, places, at);
}

/**
 * The first events of a rematch: the same people, moved up by one seat, so that the start rotates.
 * @param {Table} table
 * @param {string} at
 */
export function rematchEvents(table, at) {
  const { stage, opened, seats, log, id } = table;
  if (stage !== "over") throw new Refusal("not-now", "not-over");
  if (opened.lesson !== null) throw new Refusal("not-now", "no-rematch");
  const ending = log.findLast(({ kind }) => kind === "finished");
  const winners = ending?.kind === "finished" ? ending.data.winners : [];
  const before = opened.series;
  const wins = seats.map((_, seat) => (before?.wins[seat] ?? 0) + Number(winners.includes(seat)));
  const series = { previous: id, games: (before?.games ?? 0) + 1, wins: moved(wins) };
  const places = moved(seats).map(({ name, colour, bot }) => ({
    ...{ name: name ?? "", colour: colour ?? 0, bot },
  }));
  return numbered({ ...opened, series }, places, at);
}

/**
 * @template T
 * @param {T[]} seats
 * @returns {T[]}
 */
function moved([first, ...others]) {
  return [...others, first];
}

/**
 * @param {object} opened
 * @param {Place[]} places
 * @param {string} at
 * @returns {TableEvent[]}
 */
function numbered(opened, places, at) {
  const events = [
    { kind: "opened", seat: null, data: opened },
    ...places.map(({ name, colour, bot }, seat) => ({
      ...{ kind: "seated", seat, data: { name, colour, bot, salt: null } },
    })),
    { kind: "started", seat: null, data: { salts: [] } },
  ];
  return /** @type {TableEvent[]} */ (
    events.map(({ kind, seat, data }, place) => ({ n: place + 1, at, kind, seat, data }))
  );
}

/**
 * A colour for every seat: the wanted one if nobody before has it, else a free one.
 * @param {(number | null)[]} wanted
 */
function freeColours(wanted) {
  const free = Array.from({ length: COLOURS }, (_, at) => at).filter((at) => !wanted.includes(at));
  return wanted.map((colour, seat) =>
    colour !== null && wanted.indexOf(colour) === seat ? colour : (free.shift() ?? 0),
  );
}

/**
 * A name that nobody before has.
 * @param {string} text
 * @param {string[]} others
 */
function distinctName(text, others) {
  const name = text.normalize("NFC").trim().replace(/\s+/g, " ").slice(0, LONGEST_NAME);
  if (!name) throw new Refusal("name", "bad-name");
  let found = name;
  for (let number = 2; others.includes(found); number += 1)
    found = `${name.slice(0, LONGEST_NAME - 2).trimEnd()} ${number}`;
  return found;
}
