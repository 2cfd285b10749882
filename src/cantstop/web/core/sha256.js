/**
 * SHA-256 (FIPS 180-4) of a text. Web Crypto has it only over https, and people play in their home
 * network over http too.
 */

const WORD = 2 ** 32;

/** @type {number[]} the first 64 primes */
const primes = [];
for (let n = 2; primes.length < 64; n += 1) if (primes.every((prime) => n % prime)) primes.push(n);

/**
 * The first 32 bits behind the point of a root.
 * @param {number} root
 */
function fraction(root) {
  return ((root % 1) * WORD) | 0;
}

const START = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = primes.map((prime) => fraction(Math.cbrt(prime)));

/**
 * @param {string} text
 * @returns {string} in hexadecimal
 */
export function sha256(text) {
  const hash = Int32Array.from(START);
  const words = padded(new TextEncoder().encode(text));
  for (let at = 0; at < words.length; at += 16) compress(hash, words.subarray(at, at + 16));
  return Array.from(hash, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** @param {Uint8Array} bytes */
function padded(bytes) {
  const words = new Int32Array(((bytes.length + 72) >> 6) * 16);
  bytes.forEach((byte, at) => (words[at >> 2] |= byte << (24 - (at % 4) * 8)));
  words[bytes.length >> 2] |= 0x80 << (24 - (bytes.length % 4) * 8);
  words[words.length - 1] = bytes.length * 8;
  return words;
}

/**
 * @param {Int32Array} hash
 * @param {Int32Array} block
 */
function compress(hash, block) {
  const w = new Int32Array(64);
  w.set(block);
  for (let i = 16; i < 64; i += 1) {
    const a = w[i - 15];
    const b = w[i - 2];
    w[i] =
      w[i - 16] +
      w[i - 7] +
      (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) +
      (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
  }
  let [a, b, c, d, e, f, g, h] = hash;
  for (let i = 0; i < 64; i += 1) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + ROUNDS[i] + w[i]) | 0;
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0;
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  [a, b, c, d, e, f, g, h].forEach((word, at) => (hash[at] += word));
}

/**
 * @param {number} word
 * @param {number} bits
 */
function turn(word, bits) {
  return (word >>> bits) | (word << (32 - bits));
}
