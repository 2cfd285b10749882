/**
 * My turn: the games with other people that are not over. The server knows them over all devices of
 * a player; of whoever has no profile, this device knows those that it holds a seat at.
 */

import { keyHeader, knownPlayer } from "../core/player-key.js";
import { load, save } from "../core/prefs.js";
import { myGames } from "../core/saved-games.js";
import { isSite } from "../core/site.js";
import { showBadge } from "../device/calls.js";
import { fetchState, isOnDevice, send } from "./api.js";

/** @import * as Protocol from "./protocol.js" */

/** The games of a device that are asked for one by one; the last ones seen. */
const MOST = 12;

/**
 * The list as it is now. The badge on the app's icon follows it.
 * @returns {Promise<Protocol.TurnList>}
 */
export async function fetchTurns() {
  const known = isSite || !knownPlayer() ? [] : (await fetchList()).tables;
  const here = await Promise.all(seatsHere(known).map(turnAt));
  const tables = [...known, ...here.flatMap((table) => table ?? [])].sort(byUrgency);
  const waiting = tables.filter(({ mine }) => mine).length;
  showBadge(waiting);
  save(
    "turns",
    tables.flatMap(({ id, mine }) => (mine ? [id] : [])),
  );
  return { waiting, tables };
}

/** The tables that waited when the list was last seen: a page that is drawn at once begins with them. */
export function knownToWait() {
  return new Set(load("turns", /** @type {string[]} */ ([])));
}

/** @returns {Promise<Protocol.TurnList>} */
async function fetchList() {
  const headers = keyHeader();
  return (await send("GET", "/api/me/turns", undefined, { headers })).json();
}

/**
 * The games that this device has a seat at, and the player's list does not name.
 * @param {Protocol.TurnTable[]} known
 */
function seatsHere(known) {
  const ids = new Set(known.map(({ id }) => id));
  return myGames()
    .filter(
      ({ id, secret, mode, stage, mine }) =>
        secret &&
        mode === "online" &&
        stage !== "over" &&
        mine?.length &&
        !isOnDevice(id) &&
        !ids.has(id),
    )
    .slice(0, MOST);
}

/** @param {import("../core/saved-games.js").Game} game */
async function turnAt({ id, mine }) {
  try {
    const state = await fetchState(id);
    if (state.stage === "over") noteOver(id);
    return turnOf(state, mine?.[0] ?? 0);
  } catch {
    return null; // it is gone, or the server is
  }
}

/**
 * A game that is over keeps its place among the others of this device.
 * @param {string} id
 */
function noteOver(id) {
  save(
    "games",
    myGames().map((game) => (game.id === id ? { ...game, stage: "over" } : game)),
  );
}

/**
 * What a seat's player sees of a table in the list, as `wire/turns.py` has it; null where nothing is left to do.
 * @param {import("./state.js").State} state
 * @param {number} seat
 * @returns {Protocol.TurnTable | null}
 */
function turnOf(state, seat) {
  const { id, n, stage, edition, rules, view, log, seats, clock } = state;
  const alone = seats.every(({ kind }, at) => at === seat || kind === "bot");
  if (stage === "over" || seats[seat].resigned || alone) return null;
  const toAct = stage === "playing" ? view.seat : null;
  return {
    ...{ id, n, seat, stage, edition, rules },
    rated: state.rated ?? false,
    turn: view.turn,
    to_act: toAct,
    mine: toAct === seat && !seats[seat].substitute,
    since: log.at(-1)?.at ?? "",
    clock: state.days ? null : (clock?.seconds ?? null),
    days: state.days ?? null,
    ends_at: null,
    left: null,
    drop: clock?.drop ?? [],
    seats: seats.map(({ name, colour, bot }, at) => ({
      ...{ name, colour, bot, away: null },
      bank: clock?.banks[at] ?? 0,
      missed: clock?.missed?.[at] ?? 0,
      columns: view.owners.flatMap((owner, column) => (owner === at ? [column + 2] : [])),
    })),
  };
}

/**
 * @param {Protocol.TurnTable} a
 * @param {Protocol.TurnTable} b
 */
function byUrgency(a, b) {
  return (
    Number(b.mine) - Number(a.mine) ||
    Number(a.stage === "open") - Number(b.stage === "open") ||
    a.since.localeCompare(b.since)
  );
}
