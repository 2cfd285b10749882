/** Checks a finished game: its rules by replay, its seal, and every roll of its dice. */

import { canCheck, commitmentOf, sealedDice } from "./dice.js";
import { RecordProblem } from "./game.js";
import { readRecord } from "./record.js";
import { t } from "../words/i18n.js";

/**
 * What this browser knows besides the record.
 * @typedef {object} Known
 * @property {string | null} [commitment]  as it was shown before the first roll
 * @property {string | null} [salt]  what this browser added
 */

/**
 * @typedef {object} Finding
 * @property {number} turns
 * @property {number} rolls
 * @property {boolean} promised  whether the commitment is the one this browser saw beforehand
 */

/**
 * What does not hold is thrown as a RecordProblem.
 * @param {string} text
 * @param {Known} [known]
 * @returns {Promise<Finding>}
 */
export async function checkRecord(text, known = {}) {
  const { headers, rolls, game } = readRecord(text);
  if (headers.get("Dice") !== "sealed")
    throw new RecordProblem(
      t("The dice of this game were not sealed: there is nothing to check them against."),
    );
  const secret = headers.get("Secret");
  if (!secret) throw new RecordProblem(t("The secret is not revealed yet: the game is not over."));
  if (!canCheck())
    throw new RecordProblem(
      t("This browser checks dice only over https. Download the record and use “cantstop verify”."),
    );
  const commitment = headers.get("Commitment") ?? "";
  const salts = Array.from(
    { length: game.rules.players },
    (_, seat) => headers.get(`Salt${seat + 1}`) ?? "",
  );
  await checkSeal(secret, commitment, salts, known);
  const due = await sealedDice(secret, headers.get("Table") ?? "", salts, game.rules.sides);
  for (const [at, dice] of rolls.entries()) {
    const right = await due(at + 1, dice.length);
    if (right.join() !== dice.join()) {
      const fields = { number: at + 1, dice: dice.join(" "), due: right.join(" ") };
      throw new RecordProblem(
        t("Roll {number} is {dice} in the record, but the seal gives {due}.", fields),
      );
    }
  }
  return { turns: game.turn, rolls: rolls.length, promised: Boolean(known.commitment) };
}

/**
 * @param {string} secret
 * @param {string} commitment
 * @param {string[]} salts
 * @param {Known} known
 */
async function checkSeal(secret, commitment, salts, known) {
  if (!/^[0-9a-f]{64}$/.test(secret) || (await commitmentOf(secret)) !== commitment) {
    throw new RecordProblem(t("The secret is not the one that was committed to."));
  }
  if (known.commitment && known.commitment !== commitment) {
    throw new RecordProblem(t("The commitment is not the one that was shown before the game."));
  }
  if (known.salt && !salts.includes(known.salt)) {
    throw new RecordProblem(t("Your own number is not among those that were mixed into the dice."));
  }
}
