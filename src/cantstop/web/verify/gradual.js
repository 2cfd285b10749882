/**
 * Sealed dice of a game over days (scheme 3 of docs/dice.md): each salt counts from a turn of its
 * seat on, and a roll is known by its turn and its place in it.
 */

import { gradualDice, saltCommitmentOf } from "./dice.js";
import { RecordProblem } from "./game.js";
import { t } from "../words/i18n.js";

/** @typedef {import("./record.js").Record} Record */
/** @typedef {import("./check.js").Known} Known */

/**
 * What a seat adds: what it committed to, or null where its salt is in the open; the salt, and the
 * turn from which it counts, once it is revealed.
 * @typedef {object} SealedSalt
 * @property {string | null} promised
 * @property {string | null} salt
 * @property {number | null} since
 * @property {boolean} lost
 */

/**
 * A turn of the dice: one of the game, or one throw for the start.
 * @typedef {{seat: number, rolls: number[][]}} DiceTurn
 */

/**
 * From when on each seat is protected, and whose salts were missing.
 * @typedef {object} Protection
 * @property {number[]} protected  the seats
 * @property {number[]} protectedFrom  the roll from which on each of them is
 * @property {number[]} unsalted  for each seat, the turns that began without its salt
 * @property {number[]} lost  the seats that played without theirs
 */

const OF_SEAT = /^(?:Salt|Commitment|Since)([1-9])$/;

/**
 * Check the salts and every roll; what does not hold is thrown as a RecordProblem.
 * @param {Record} record
 * @param {string} secret
 * @param {Known} known
 * @param {(number: number, dice: number[], due: number[]) => void} compare
 * @returns {Promise<Protection>}
 */
export async function checkGradual(record, secret, known, compare) {
  const { headers, game } = record;
  const salts = saltsOf(headers, game.rules.players);
  await checkSalts(salts, known);
  const turns = diceTurns(record);
  const found = protection(salts, turns);
  const due = await gradualDice(secret, headers.get("Table") ?? "", game.sides);
  let number = 0;
  for (const [at, { rolls }] of turns.entries()) {
    const counting = salts.map(({ salt, since }) =>
      since !== null && since <= at + 1 ? salt : null,
    );
    for (const [place, dice] of rolls.entries()) {
      number += 1;
      compare(number, dice, await due(at + 1, counting, place + 1, dice.length));
    }
  }
  return found;
}

/**
 * @param {Map<string, string>} headers
 * @param {number} players
 * @returns {SealedSalt[]}
 */
function saltsOf(headers, players) {
  const listed = headers.get("Lost")?.split(",") ?? [];
  const salts = Array.from({ length: players }, (_, seat) => {
    const promised = headers.get(`Commitment${seat + 1}`) ?? null;
    const since = headers.get(`Since${seat + 1}`) ?? (promised === null ? "1" : null);
    return {
      promised,
      salt: headers.get(`Salt${seat + 1}`) ?? null,
      since: since === null ? null : /^[1-9][0-9]{0,5}$/.test(since) ? Number(since) : NaN,
      lost: listed.includes(`${seat + 1}`),
    };
  });
  const beyond = [...headers.keys()].some((key) => Number(OF_SEAT.exec(key)?.[1] ?? 0) > players);
  const lost = salts.flatMap((salt, seat) => (salt.lost ? [`${seat + 1}`] : []));
  if (beyond || headers.has("Redraws") || lost.join() !== listed.join() || !salts.every(isSound))
    throw new RecordProblem(t("The headers about its dice cannot be read."));
  return salts;
}

/** @param {SealedSalt} salt */
function isSound({ promised, salt, since, lost }) {
  if (Number.isNaN(since) || (since === null) !== (salt === null)) return false;
  if (salt !== null && !/^[A-Za-z0-9_-]{1,64}$/.test(salt)) return false;
  if (promised === null) return since === 1 && !lost;
  return /^[0-9a-f]{64}$/.test(promised) && !(lost && salt !== null);
}

/**
 * The salts against their commitments, and against what this browser saw.
 * @param {SealedSalt[]} salts
 * @param {Known} known
 */
async function checkSalts(salts, { salt: own, bound, turn = 1 }) {
  if (own && bound && !salts.some(({ salt }) => salt === own))
    throw new RecordProblem(t("Your own number is not among those that were mixed into the dice."));
  for (const [at, { promised, salt, since }] of salts.entries()) {
    const now = salt === null ? promised : await saltCommitmentOf(salt);
    if (promised !== null && promised !== now)
      throw new RecordProblem(
        t("The number of seat {seat} is not the one it committed to.", { seat: at + 1 }),
      );
    const seen = bound?.[at];
    if (!seen) continue;
    const same = seen.salt === null ? seen.commitment === now : seen.salt === salt;
    const inTime = seen.since ? since === seen.since : since === null || since >= turn;
    if (!same || !inTime)
      throw new RecordProblem(
        t("The number of seat {seat} is not the one that was fixed before yours was revealed.", {
          seat: at + 1,
        }),
      );
  }
}

/**
 * The turns of the dice, the one that has begun last included.
 * @param {Record} record
 * @returns {DiceTurn[]}
 */
function diceTurns({ rolls, places, game }) {
  /** @type {DiceTurn[]} */
  const turns = [];
  for (const [at, { seat, turn, start }] of places.entries()) {
    const before = places[at - 1];
    if (start || !before || before.start || before.turn !== turn) turns.push({ seat, rolls: [] });
    turns[turns.length - 1].rolls.push(rolls[at]);
  }
  const last = places.at(-1);
  const { rollOff } = game;
  if (rollOff) turns.push({ seat: rollOff.contenders[rollOff.sums.length], rolls: [] });
  else if (!game.winners && (!last || last.start || last.turn !== game.turn))
    turns.push({ seat: game.seat, rolls: [] });
  return turns;
}

/**
 * From when on each seat is protected: a salt counts from a turn of its own seat on, and before the
 * first roll one more may have been revealed.
 * @param {SealedSalt[]} salts
 * @param {DiceTurn[]} turns
 * @returns {Protection}
 */
function protection(salts, turns) {
  let number = 1;
  const firsts = turns.map(({ rolls }) => (number += rolls.length) - rolls.length);
  /** @type {Protection} */
  const found = { protected: [], protectedFrom: [], unsalted: salts.map(() => 0), lost: [] };
  let early = 0;
  for (const [seat, { promised, since, lost }] of salts.entries()) {
    if (lost) found.lost.push(seat);
    if (promised === null) continue;
    const isOwn = since !== null && turns[since - 1]?.seat === seat;
    if (since === 1 && !isOwn) early += 1;
    if ((since !== null && since > 1 && !isOwn) || early > 1)
      throw new RecordProblem(
        t("The number of seat {seat} counts from a moment at which it cannot have been revealed.", {
          seat: seat + 1,
        }),
      );
    const without = turns.slice(0, since === null ? turns.length : since - 1);
    if (!lost)
      found.unsalted[seat] = without.filter(
        (turn) => turn.seat === seat && turn.rolls.length,
      ).length;
    if (since !== null && turns[since - 1]?.rolls.length) {
      found.protected.push(seat);
      found.protectedFrom.push(firsts[since - 1]);
    }
  }
  return found;
}
