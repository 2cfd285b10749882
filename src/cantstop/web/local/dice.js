/** Dice and ids by the browser's secure generator. */

/** How many values one random byte has. */
const BYTE = 256;

/**
 * Throw some dice. A byte beyond the last multiple of their sides is drawn again, so that every side
 * is as likely as the others.
 * @param {number} sides
 * @param {number} count
 * @returns {number[]}
 */
export function throwDice(sides, count) {
  const limit = BYTE - (BYTE % sides);
  /** @type {number[]} */
  const dice = [];
  while (dice.length < count) {
    const [byte] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < limit) dice.push(1 + (byte % sides));
  }
  return dice;
}

/** An id that nobody else has: 96 bits. */
export function randomId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
