/** Which events of a table's log are the game's own. */

/** @typedef {import("../net/protocol.js").TableEvent} TableEvent */

/** The events that are the game itself. */
export const PLAYED = ["rolled", "moved", "stopped", "busted"];

/**
 * The events of the game that count: those that were taken back do not.
 * @param {TableEvent[]} log
 */
export function playedEvents(log) {
  const undone = log.flatMap((event) => (event.kind === "takenback" ? [event.data.event] : []));
  return log.filter(({ kind, n }) => PLAYED.includes(kind) && !undone.includes(n));
}
