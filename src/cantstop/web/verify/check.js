/** Checks a finished game: its rules by replay, its seal, and every roll of its dice. */

import { canCheck, commitmentOf, dailyDice, saltCommitmentOf, sealedDice } from "./dice.js";
import { NotYet, RecordProblem } from "./game.js";
import { checkGradual } from "./gradual.js";
import { readRecord } from "./record.js";
import { t } from "../words/i18n.js";

/**
 * What this browser knows besides the record.
 * @typedef {object} Known
 * @property {string | null} [commitment]  as it was shown before the first roll
 * @property {string | null} [salt]  what this browser added
 * @property {import("../net/salts.js").BoundSeat[] | null} [bound]
 *   what every seat was bound to when this browser revealed its salt
 * @property {number} [turn]  at a slow table, the turn of the dice in which it was
 */

/**
 * @typedef {object} Seal
 * @property {string} commitment
 * @property {string[]} salts
 * @property {(string | null)[]} promised  what the seats committed to; null for a salt in the open
 * @property {number} redraws
 */

/**
 * @typedef {object} Finding
 * @property {boolean} entered  whether the players threw the dice: only the moves were checked
 * @property {number} turns
 * @property {number} rolls
 * @property {boolean} promised  whether the commitment is the one this browser saw beforehand
 * @property {number} scheme  3 in a game over days, 2 where seats committed to their salts, 1 where
 *   all were in the open
 * @property {number[]} protected  the seats that did: nobody could steer the dice against them
 * @property {number[]} protectedFrom  the roll from which on each of them is protected
 * @property {number[]} unsalted  in a game over days, for each seat, its turns without its salt
 * @property {number[]} lost  the seats that had lost their salts
 * @property {string[]} names  of all seats
 * @property {number} redraws  how often all salts were drawn again
 * @property {string} [day]  whose dice they are, in a daily game
 */

/** Of dice that the players threw themselves, nothing can be said. */
const NOTHING_CHECKED = {
  entered: true,
  rolls: 0,
  promised: false,
  scheme: 0,
  protected: [],
  protectedFrom: [],
  unsalted: [],
  lost: [],
  names: [],
  redraws: 0,
};

/**
 * What does not hold is thrown as a RecordProblem.
 * @param {string} text
 * @param {Known} [known]
 * @returns {Promise<Finding>}
 */
export async function checkRecord(text, known = {}) {
  const record = readRecord(text);
  const { headers, rolls, game } = record;
  if (headers.get("Dice") === "entered") return { ...NOTHING_CHECKED, turns: game.turn };
  if (headers.get("Dice") === "daily") return checkDaily(record, known);
  if (headers.get("Dice") !== "sealed")
    throw new RecordProblem(
      t("The dice of this game were not sealed: there is nothing to check them against."),
    );
  const secret = headers.get("Secret");
  if (!secret) throw new NotYet(t("The secret is not revealed yet: the game is not over."));
  needCryptography();
  const found = {
    entered: false,
    turns: game.turn,
    rolls: rolls.length,
    promised: Boolean(known.commitment),
    names: Array.from(
      { length: game.rules.players },
      (_, seat) => headers.get(`Seat${seat + 1}`) ?? t("Seat {number}", { number: seat + 1 }),
    ),
  };
  if (headers.get("Scheme") === "3") {
    await checkSecret(secret, headers.get("Commitment") ?? "", known);
    const protection = await checkGradual(record, secret, known, compareRoll);
    return { ...found, scheme: 3, redraws: 0, ...protection };
  }
  const seal = sealOf(headers, game.rules.players);
  await checkSeal(secret, seal, known);
  const due = await sealedDice(secret, headers.get("Table") ?? "", seal.salts, game.sides);
  for (const [at, dice] of rolls.entries())
    compareRoll(at + 1, dice, await due(at + 1, dice.length));
  const seats = seal.promised.flatMap((promised, seat) => (promised === null ? [] : [seat]));
  return {
    ...found,
    scheme: seats.length ? 2 : 1,
    protected: seats,
    protectedFrom: seats.map(() => 1),
    unsalted: [],
    lost: [],
    redraws: seal.redraws,
  };
}

function needCryptography() {
  if (!canCheck())
    throw new RecordProblem(
      t("This browser checks dice only over https. Download the record and use “cantstop verify”."),
    );
}

/**
 * A daily game: the key has to be the one that was committed to before the day.
 * @param {import("./record.js").Record} record
 * @param {Known} known
 * @returns {Promise<Finding>}
 */
async function checkDaily({ headers, rolls, places, game }, known) {
  const day = headers.get("Day") ?? "";
  const commitment = headers.get("Commitment") ?? "";
  const key = headers.get("Secret");
  const official = [...headers].every(
    ([name, value]) => name !== "Position" && (name !== "Rules" || value === "v1,players=1"),
  );
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || !/^[0-9a-f]{64}$/.test(commitment) || !official)
    throw new RecordProblem(t("The headers about its dice cannot be read."));
  if (!key)
    throw new NotYet(
      t(
        "The key of {day} is revealed once no game of that day can count any more: then this record can be checked.",
        { day },
      ),
    );
  needCryptography();
  await checkSecret(key, commitment, known);
  const due = await dailyDice(key, day, game.sides);
  for (const [at, dice] of rolls.entries())
    compareRoll(at + 1, dice, await due(places[at].turn, places[at].roll, dice.length));
  return {
    entered: false,
    turns: game.turn,
    rolls: rolls.length,
    promised: Boolean(known.commitment),
    scheme: 1,
    protected: [],
    protectedFrom: [],
    unsalted: [],
    lost: [],
    names: [],
    redraws: 0,
    day,
  };
}

/**
 * @param {number} number
 * @param {number[]} dice  as they are in the record
 * @param {number[]} due
 */
function compareRoll(number, dice, due) {
  if (due.join() === dice.join()) return;
  throw new RecordProblem(
    t("Roll {number} is {dice} in the record, but the seal gives {due}.", {
      number,
      dice: dice.join(" "),
      due: due.join(" "),
    }),
  );
}

/**
 * @param {Map<string, string>} headers
 * @param {number} players
 * @returns {Seal}
 */
function sealOf(headers, players) {
  const seats = Array.from({ length: players }, (_, seat) => seat + 1);
  const promised = seats.map((seat) => headers.get(`Commitment${seat}`) ?? null);
  const beyond = [...headers.keys()].some((key) => {
    const seat = /^(?:Salt|Commitment)([1-9])$/.exec(key)?.[1];
    return seat !== undefined && Number(seat) > players;
  });
  const scheme = headers.get("Scheme") ?? "1";
  const redraws = headers.get("Redraws") ?? "0";
  const gradual = [...headers.keys()].some((key) => /^(Lost|Since[1-9])$/.test(key));
  const fits = (scheme === "2") === promised.some((text) => text !== null);
  if (
    beyond ||
    gradual ||
    !["1", "2"].includes(scheme) ||
    !fits ||
    !promised.every((text) => text === null || /^[0-9a-f]{64}$/.test(text)) ||
    !(/^[1-9][0-9]?$/.test(redraws) || !headers.has("Redraws"))
  ) {
    throw new RecordProblem(t("The headers about its dice cannot be read."));
  }
  const salts = seats.map((seat) => headers.get(`Salt${seat}`) ?? "");
  const commitment = headers.get("Commitment") ?? "";
  return { commitment, salts, promised, redraws: Number(redraws) };
}

/**
 * @param {string} secret
 * @param {string} commitment
 * @param {Known} known
 */
async function checkSecret(secret, commitment, known) {
  if (!/^[0-9a-f]{64}$/.test(secret) || (await commitmentOf(secret)) !== commitment) {
    throw new RecordProblem(t("The secret is not the one that was committed to."));
  }
  if (known.commitment && known.commitment !== commitment) {
    throw new RecordProblem(t("The commitment is not the one that was shown before the game."));
  }
}

/**
 * @param {string} secret
 * @param {Seal} seal
 * @param {Known} known
 */
async function checkSeal(secret, { commitment, salts, promised }, known) {
  await checkSecret(secret, commitment, known);
  if (known.salt && salts.length && !salts.includes(known.salt)) {
    throw new RecordProblem(t("Your own number is not among those that were mixed into the dice."));
  }
  for (const [at, salt] of salts.entries()) {
    const commitmentNow = await saltCommitmentOf(salt);
    const seen = known.bound?.[at];
    if (promised[at] !== null && promised[at] !== commitmentNow) {
      throw new RecordProblem(
        t("The number of seat {seat} is not the one it committed to.", { seat: at + 1 }),
      );
    }
    if (seen && seen.salt !== salt && seen.commitment !== commitmentNow) {
      throw new RecordProblem(
        t("The number of seat {seat} is not the one that was fixed before yours was revealed.", {
          seat: at + 1,
        }),
      );
    }
  }
}
