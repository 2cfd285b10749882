/** Sealed dice computed again as docs/dice.md says, with Web Crypto. */

const VERSION = "cantstop-dice-1";
const SALT_VERSION = "cantstop-salt-1";
const utf8 = new TextEncoder();

/** Whether this browser lets the page use its cryptography: over https, or on this machine. */
export function canCheck() {
  return typeof crypto.subtle?.importKey === "function";
}

/**
 * What a secret's commitment has to be.
 * @param {string} secret in hexadecimal
 */
export async function commitmentOf(secret) {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", unhex(secret))));
}

/**
 * What a seat's commitment to its salt has to be.
 * @param {string} salt
 */
export async function saltCommitmentOf(salt) {
  const text = utf8.encode(`${SALT_VERSION}\n${salt}`);
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", text)));
}

/**
 * @param {string} secret in hexadecimal
 * @param {string} table
 * @param {string[]} salts
 * @param {number} sides
 * @returns {Promise<(number: number, count: number) => Promise<number[]>>}
 */
export async function sealedDice(secret, table, salts, sides) {
  const thrown = await thrower(secret, sides);
  return (number, count) => thrown(`${table}\n${salts.join(",")}`, number, count);
}

/**
 * The dice of a day, by turn and by the roll's place in it (docs/daily.md).
 * @param {string} key in hexadecimal
 * @param {string} day
 * @param {number} sides
 * @returns {Promise<(turn: number, roll: number, count: number) => Promise<number[]>>}
 */
export async function dailyDice(key, day, sides) {
  const thrown = await thrower(key, sides);
  return (turn, roll, count) => thrown(`daily\n${day}\n${turn}`, roll, count);
}

/**
 * The dice of a game over days, by turn, the salts that count in it, and the roll's place in it.
 * @param {string} secret in hexadecimal
 * @param {string} table
 * @param {number} sides
 * @returns {Promise<(
 *   turn: number, salts: (string | null)[], roll: number, count: number) => Promise<number[]>>}
 */
export async function gradualDice(secret, table, sides) {
  const thrown = await thrower(secret, sides);
  return (turn, salts, roll, count) =>
    thrown(`gradual\n${table}\n${turn}\n${salts.map((salt) => salt ?? "").join(",")}`, roll, count);
}

/**
 * @param {string} secret in hexadecimal
 * @param {number} sides
 * @returns {Promise<(context: string, number: number, count: number) => Promise<number[]>>}
 */
async function thrower(secret, sides) {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", unhex(secret), algorithm, false, ["sign"]);
  const limit = 256 - (256 % sides);
  return async (context, number, count) => {
    /** @type {number[]} */
    const dice = [];
    for (let block = 0; dice.length < count; block += 1) {
      const message = [VERSION, context, number, block].join("\n");
      const digest = new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8.encode(message)));
      dice.push(...[...digest].filter((byte) => byte < limit).map((byte) => (byte % sides) + 1));
    }
    return dice.slice(0, count);
  };
}

/** @param {Uint8Array} bytes */
function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} text */
function unhex(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
