/**
 * What this browser adds to the dice: a salt that it commits to, and reveals once every other seat
 * is bound to its own, or at a slow table with its first roll. Revealed any sooner, it would tell
 * whoever knows the server's secret how to choose theirs (docs/dice.md).
 */

import { sha256 } from "../core/sha256.js";

/** @typedef {import("./state.js").State} State */

/**
 * What a seat is bound to; neither while it is free or reserved, or has to commit again. At a slow
 * table a salt counts from a turn of the dice on, unless it is lost.
 * @typedef {{salt: string | null, commitment: string | null, since?: number | null,
 *   lost?: boolean}} BoundSeat
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
      if (isGradual({ log })) bound[event.seat].since = salt === null ? null : 1;
    } else if (event.kind === "committed") {
      bound[event.seat] = { salt: null, commitment: event.data.salt_commitment };
    } else if (event.kind === "revealed") {
      const { salt, turn } = event.data;
      bound[event.seat] = { ...bound[event.seat], salt, ...(turn && { since: turn }) };
    } else if (event.kind === "saltlost") {
      bound[event.seat] = { ...bound[event.seat], lost: true };
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
  if (isGradual(state)) return earlyReveal(state, mine, salt);
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

/**
 * Whether a table is a slow one, whose salts are revealed in the course of the game.
 * @param {Pick<State, "log">} state
 */
export function isGradual({ log }) {
  return log[0]?.kind === "opened" && log[0].data.gradual === true;
}

/**
 * The turn of the dice at a slow table: each throw for the start is one of its own.
 * @param {State} state
 */
export function diceTurn({ log, view }) {
  const throws = log.filter((event) => event.kind === "rolled" && event.data.dice.length === 2);
  return throws.length + view.turn;
}

/**
 * What the seat that rolls has to reveal before; null where it has, or this browser cannot.
 * @param {State} state
 * @param {string} salt
 * @returns {SaltAction | null}
 */
export function revealBeforeRoll(state, salt) {
  const { seat } = state.view;
  return isGradual(state) && isOurs(boundSeats(state)[seat], salt)
    ? { kind: "reveal", seat, salt }
    : null;
}

/**
 * At a slow table, whoever sits down last reveals at once, as long as nobody else has.
 * @param {State} state
 * @param {number[]} mine
 * @param {string} salt
 * @returns {SaltAction[]}
 */
function earlyReveal(state, mine, salt) {
  const { stage, log } = state;
  if (stage !== "playing" || log.some(({ kind }) => kind === "rolled" || kind === "revealed"))
    return [];
  const last = log.findLast(
    (event) =>
      event.kind === "committed" || (event.kind === "seated" && event.data.salt_commitment),
  );
  const seat = last?.seat ?? -1;
  if (!mine.includes(seat) || !isOurs(boundSeats(state)[seat], salt)) return [];
  return [{ kind: "reveal", seat, salt }];
}

/**
 * Whether a seat has committed to this browser's salt, and not revealed it.
 * @param {BoundSeat} seat
 * @param {string} ours
 */
export function isOurs({ salt, commitment, lost }, ours) {
  return salt === null && !lost && commitment === saltCommitment(ours);
}

/** @param {BoundSeat} seat */
function isBound({ salt, commitment }) {
  return salt !== null || commitment !== null;
}
