/** What the others have done at a slow table since its player was last there, to be shown first. */

import { PLAYED } from "../core/played-events.js";
import { myGame } from "../core/saved-games.js";
import { afterEvent } from "../net/state.js";
import { fetchEvents } from "../net/table-requests.js";

/** @typedef {import("../net/state.js").State} State */
/** @typedef {import("../net/protocol.js").TableEvent} TableEvent */

/** More than this is not shown event by event: the last turns of it are. */
const MOST = 60;
const TURN_ENDS = ["stopped", "busted"];

/**
 * The table as its player last saw it, and what has happened since; null where that is nothing.
 * @param {State} state  in which it is the player's turn
 */
export async function missedTurns(state) {
  const seat = state.view.seat;
  const since = Math.max(lastSeen(state.log, seat), myGame(state.id)?.seen ?? 0);
  const later = state.log.filter(({ n }) => n > since);
  const last = later.findLast(({ kind }) => PLAYED.includes(kind));
  if (!last || !TURN_ENDS.includes(last.kind)) return null; // the player's own turn has begun
  const begin = later.length > MOST ? turnStart(later.slice(-MOST)) : since;
  const [first, ...events] = await fetchEvents(state.id, begin - 1);
  if (!first.view || !events.length) return null;
  return { before: stateAt(state, first), events };
}

/**
 * The end of the last turn that the seat's player has played; before the first one, the beginning.
 * What a bot has played for them is news.
 * @param {TableEvent[]} log
 * @param {number} seat
 */
function lastSeen(log, seat) {
  let seen = 1;
  let absent = false;
  for (const { n, kind, seat: whose } of log) {
    if (kind === "started") seen = n;
    if (whose !== seat) continue;
    if (kind === "substituted") absent = true;
    if (kind === "returned") absent = false;
    if (TURN_ENDS.includes(kind) && !absent) seen = n;
  }
  return seen;
}

/**
 * The first end of a turn among some events: what follows it are whole turns.
 * @param {TableEvent[]} events
 */
function turnStart(events) {
  return (events.find(({ kind }) => TURN_ENDS.includes(kind)) ?? events[0]).n;
}

/**
 * The table right after an earlier event; who is there is as now.
 * @param {State} state
 * @param {TableEvent} event  with its view
 * @returns {State}
 */
function stateAt(state, event) {
  const blank = state.seats.map((seat) => ({ ...seat, substitute: null, resigned: undefined }));
  /** @type {State} */
  let past = { ...state, log: [], seats: blank };
  for (const each of state.log) if (each.n <= event.n) past = afterEvent(past, each);
  const seats = past.seats.map((seat, at) => ({ ...seat, present: state.seats[at].present }));
  return { ...past, seats, view: event.view ?? past.view };
}
