/**
 * The games that this device keeps, read from their events alone: what lists of games show of them,
 * also where the page was closed before it could note that.
 */

import { playedEvents } from "../core/played-events.js";
import { enterSolo, myGames } from "../core/saved-games.js";
import { allEvents } from "./storage.js";

/** @typedef {import("../core/saved-games.js").Game} Game */
/** @typedef {import("../net/protocol.js").TableEvent} TableEvent */

/**
 * All games of this device, those on servers too, each once, the newest first.
 * @returns {Promise<Game[]>}
 */
export async function allGames() {
  const listed = new Map(myGames().map((game) => [game.id, game]));
  for (const [id, log] of await keptLogs()) {
    try {
      const game = gameOf(id, log);
      const known = listed.get(id);
      listed.set(id, { ...game, ...(known && { salt: known.salt, at: known.at }) });
      enterIfSolo(game, log);
    } catch {
      // damaged: its page says so, and the other games are no less there
    }
  }
  return [...listed.values()].sort((a, b) => b.at.localeCompare(a.at));
}

/** @returns {Promise<[string, TableEvent[]][]>} */
async function keptLogs() {
  /** @type {Map<string, TableEvent[]>} */
  const logs = new Map();
  try {
    for (const { table, event } of await allEvents())
      logs.set(table, [...(logs.get(table) ?? []), event]);
  } catch {
    // this browser keeps nothing: there are no games but those in the list
  }
  return [...logs].filter(([, [first]]) => first?.kind === "opened");
}

/**
 * @param {string} id
 * @param {TableEvent[]} log
 * @returns {Game}
 */
function gameOf(id, log) {
  const { mode, edition, lesson } = /** @type {import("./table.js").Opened} */ (log[0].data);
  /** @type {Game["seats"]} */
  const seats = [];
  /** @type {Pick<Game, "stage" | "winners">} */
  let now = { stage: "open", winners: [] };
  for (const event of log) {
    if (event.kind === "seated")
      seats[event.seat] = { name: event.data.name, bot: event.data.bot ?? null };
    else if (event.kind === "started" || event.kind === "takenback")
      now = { stage: "playing", winners: [] };
    else if (event.kind === "finished") now = { stage: "over", winners: event.data.winners };
  }
  return {
    ...{ id, mode, edition, seats, ...now, secret: "device", commitment: null, salt: "" },
    at: log[log.length - 1].at,
    lesson: lesson !== null,
    mine: seats.flatMap(({ bot }, at) => (bot === null ? [at] : [])),
  };
}

/**
 * @param {Game} game
 * @param {TableEvent[]} log
 */
function enterIfSolo({ id, seats, stage, winners, lesson, at }, log) {
  if (seats.length !== 1 || stage !== "over" || lesson || !winners.length) return;
  const { rules } = /** @type {import("./table.js").Opened} */ (log[0].data);
  const ends = playedEvents(log).filter(({ kind }) => kind === "stopped" || kind === "busted");
  enterSolo({ id, rules, turns: ends.length, name: seats[0].name ?? "", at });
}
