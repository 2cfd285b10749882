/**
 * What this browser adds to the dice: a salt that it commits to, and reveals once every other seat
 * is bound to its own. Revealed any sooner, it would tell whoever knows the server's secret how to
 * choose theirs (docs/dice.md).
 */

import { sha256 } from "../core/sha256.js";

/** @typedef {import("./state.js").State} State */

/**
 * What a seat is bound to; neither while it is free or reserved, or has to commit again.
 * @typedef {{salt: string | null, commitment: string | null}} BoundSeat
 */

/**
 * @typedef {{kind: "reveal", seat: number, salt: string}
 *   | {kind: "commit", seat: number, salt_commitment: string, instead: string | null}} SaltAction
 */

/** @param {string} salt */
export function saltCommitment(salt) {
  return sha256(`cantstop-salt-1\n${salt}`);
}

/**
 * What each seat is bound to after everything that has happened.
 * @param {State} state
 * @returns {BoundSeat[]}
 */
export function boundSeats({ seats, log }) {
  /** @type {BoundSeat[]} */
  const bound = seats.map(() => ({ salt: null, commitment: null }));
  for (const event of log) {
    if (event.kind === "seated") {
      const { salt, salt_commitment } = event.data;
      bound[event.seat] = { salt, commitment: salt_commitment ?? null };
    } else if (event.kind === "committed") {
      bound[event.seat] = { salt: null, commitment: event.data.salt_commitment };
    } else if (event.kind === "revealed") {
      bound[event.seat] = { ...bound[event.seat], salt: event.data.salt };
    } else if (event.kind === "substituted" && event.data.salt) {
      bound[event.seat] = { salt: event.data.salt, commitment: null };
    } else if (event.kind === "redrawn") {
      for (const seat of event.data.seats) bound[seat] = { salt: null, commitment: null };
    }
  }
  return bound;
}

/**
 * What this browser has to do about its seats now.
 * @param {State} state
 * @param {number[]} mine
 * @param {string} salt
 * @param {boolean} connecting  else another device at the same seat would be fought with
 * @returns {SaltAction[]}
 */
export function dueActions(state, mine, salt, connecting) {
  if (state.stage !== "open") return [];
  const bound = boundSeats(state);
  const commitment = saltCommitment(salt);
  const ready = bound.every((other, at) => mine.includes(at) || isBound(other));
  /** @type {SaltAction[]} */
  const due = [];
  for (const seat of mine) {
    const { salt: known, commitment: instead } = bound[seat];
    // the hello takes a reserved seat with this browser's commitment
    const ours = instead === commitment || state.seats[seat].kind === "reserved";
    if (known !== null) continue;
    if (ours && ready) due.push({ kind: "reveal", seat, salt });
    if (!ours && (instead === null || connecting))
      due.push({ kind: "commit", seat, salt_commitment: commitment, instead });
  }
  return due;
}

/** @param {BoundSeat} seat */
function isBound({ salt, commitment }) {
  return salt !== null || commitment !== null;
}
