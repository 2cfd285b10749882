/** A text as a QR code (ISO/IEC 18004): bytes at error correction level M, versions 1 to 10. */

import { s } from "../core/dom.js";

/**
 * By version: all codewords, those for errors in each block, blocks, centres of alignment patterns.
 * @type {[number, number, number, number[]][]}
 */
const VERSIONS = [
  [26, 10, 1, []],
  [44, 16, 1, [6, 18]],
  [70, 26, 1, [6, 22]],
  [100, 18, 2, [6, 26]],
  [134, 24, 2, [6, 30]],
  [172, 16, 4, [6, 34]],
  [196, 18, 4, [6, 22, 38]],
  [242, 22, 4, [6, 24, 42]],
  [292, 22, 5, [6, 26, 46]],
  [346, 26, 5, [6, 28, 50]],
];

/** @type {((x: number, y: number) => boolean)[]} */
const MASKS = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

const QUIET = 4;

/**
 * The code as a picture, black on white in every theme; null for a text that is too long.
 * @param {string} text
 * @param {string} label
 */
export function qrPicture(text, label) {
  const modules = qrModules(text);
  if (!modules) return null;
  const size = modules.length + 2 * QUIET;
  const dark = modules.flatMap((row, y) =>
    row.flatMap((on, x) => (on ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])),
  );
  return s(
    "svg",
    { class: "qr-code", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label },
    s("rect", { width: size, height: size, fill: "#fff" }),
    s("path", { d: dark.join(""), fill: "#000", "shape-rendering": "crispEdges" }),
  );
}

/**
 * The dark modules, row by row; of the eight masks the one with the lowest penalty is taken.
 * @param {string} text
 * @returns {boolean[][] | null}
 */
export function qrModules(text) {
  const bytes = [...new TextEncoder().encode(text)];
  const version = 1 + VERSIONS.findIndex((_, at) => bytes.length <= capacity(at + 1));
  if (!version) return null;
  const bits = toBits(withErrorWords(dataWords(bytes, version), version));
  const drawn = MASKS.map((_, mask) => draw(version, mask, bits));
  const penalties = drawn.map(penalty);
  return drawn[penalties.indexOf(Math.min(...penalties))];
}

/** @param {number} version */
function dataCount(version) {
  const [all, errors, blocks] = VERSIONS[version - 1];
  return all - errors * blocks;
}

/**
 * How many bytes fit besides the mode and the count.
 * @param {number} version
 */
function capacity(version) {
  return dataCount(version) - (version < 10 ? 2 : 3);
}

/**
 * @param {number} value
 * @param {number} length
 */
function binary(value, length) {
  return value.toString(2).padStart(length, "0");
}

/** @param {number[]} words */
function toBits(words) {
  return words.map((word) => binary(word, 8)).join("");
}

/**
 * @param {number[]} bytes
 * @param {number} version
 */
function dataWords(bytes, version) {
  const count = dataCount(version);
  const bits = `0100${binary(bytes.length, version < 10 ? 8 : 16)}${toBits(bytes)}0000`;
  const words = (bits.match(/.{1,8}/g) ?? []).map((word) => parseInt(word.padEnd(8, "0"), 2));
  for (let pad = 0xec; words.length < count; pad ^= 0xec ^ 0x11) words.push(pad);
  return words.slice(0, count);
}

/**
 * Split into blocks, each with its words for errors, and interleaved.
 * @param {number[]} words
 * @param {number} version
 */
function withErrorWords(words, version) {
  const [, errors, count] = VERSIONS[version - 1];
  const short = Math.floor(words.length / count);
  const firstLong = count - (words.length % count);
  let start = 0;
  const blocks = Array.from({ length: count }, (_, at) => {
    const end = start + short + (at < firstLong ? 0 : 1);
    const block = words.slice(start, end);
    start = end;
    return block;
  });
  const rests = blocks.map((block) => remainder(block, errors));
  return [...interleaved(blocks), ...interleaved(rests)];
}

/** @param {number[][]} blocks */
function interleaved(blocks) {
  const longest = Math.max(...blocks.map((block) => block.length));
  return Array.from({ length: longest }, (_, at) =>
    blocks.flatMap((block) => (at < block.length ? [block[at]] : [])),
  ).flat();
}

/**
 * A product in the field of 256 elements that Reed-Solomon codes of QR codes use.
 * @param {number} a
 * @param {number} b
 */
function product(a, b) {
  let result = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    result = (result << 1) ^ ((result >> 7) * 0x11d);
    if ((b >> bit) & 1) result ^= a;
  }
  return result;
}

/**
 * What is left of a polynomial, divided by the generator of a number of error words.
 * @param {number[]} words
 * @param {number} count
 */
function remainder(words, count) {
  const generator = [...Array(count - 1).fill(0), 1];
  for (let step = 0, root = 1; step < count; step += 1, root = product(root, 2))
    for (let at = 0; at < count; at += 1)
      generator[at] = product(generator[at], root) ^ (generator[at + 1] ?? 0);
  const rest = Array(count).fill(0);
  for (const word of words) {
    const factor = word ^ rest.shift();
    rest.push(0);
    generator.forEach((each, at) => (rest[at] ^= product(each, factor)));
  }
  return rest;
}

/**
 * @param {number} version
 * @param {number} mask
 * @param {string} bits
 */
function draw(version, mask, bits) {
  const size = 17 + 4 * version;
  /** @type {(boolean | undefined)[][]} undefined where data goes */
  const grid = Array.from({ length: size }, () => Array(size).fill(undefined));
  /** @type {(x: number, y: number, dark: boolean) => void} */
  const set = (x, y, dark) => {
    if (grid[y] && x >= 0 && x < size) grid[y][x] = dark;
  };
  for (let at = 0; at < size; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  drawFinders(set, size);
  drawAlignment(set, VERSIONS[version - 1][3]);
  drawFormat(set, size, mask);
  if (version >= 7) drawVersion(set, size, version);
  return withData(grid, mask, bits);
}

/**
 * Squares around a centre, by their distance from it.
 * @param {(x: number, y: number, dark: boolean) => void} set
 * @param {number} x
 * @param {number} y
 * @param {boolean[]} rings
 */
function drawSquare(set, x, y, rings) {
  const reach = rings.length - 1;
  for (let dx = -reach; dx <= reach; dx += 1)
    for (let dy = -reach; dy <= reach; dy += 1)
      set(x + dx, y + dy, rings[Math.max(Math.abs(dx), Math.abs(dy))]);
}

/**
 * @param {(x: number, y: number, dark: boolean) => void} set
 * @param {number} size
 */
function drawFinders(set, size) {
  const rings = [true, true, false, true, false]; // the last is the gap around it
  drawSquare(set, 3, 3, rings);
  drawSquare(set, size - 4, 3, rings);
  drawSquare(set, 3, size - 4, rings);
}

/**
 * @param {(x: number, y: number, dark: boolean) => void} set
 * @param {number[]} centres
 */
function drawAlignment(set, centres) {
  const last = centres.length - 1;
  centres.forEach((x, i) =>
    centres.forEach((y, j) => {
      const finder = (i === 0 && (j === 0 || j === last)) || (i === last && j === 0);
      if (!finder) drawSquare(set, x, y, [true, false, true]);
    }),
  );
}

/**
 * A number with the rest of its division behind it (BCH code).
 * @param {number} value
 * @param {number} divisor
 * @param {number} degree
 */
function withRemainder(value, divisor, degree) {
  let rest = value << degree;
  for (let bit = 31 - Math.clz32(rest); bit >= degree; bit = 31 - Math.clz32(rest))
    rest ^= divisor << (bit - degree);
  return (value << degree) | rest;
}

/**
 * The mask, twice; level M is 00.
 * @param {(x: number, y: number, dark: boolean) => void} set
 * @param {number} size
 * @param {number} mask
 */
function drawFormat(set, size, mask) {
  const format = withRemainder(mask, 0x537, 10) ^ 0x5412;
  for (let bit = 0; bit < 15; bit += 1) {
    const dark = ((format >> bit) & 1) === 1;
    if (bit < 8) {
      set(8, bit < 6 ? bit : bit + 1, dark);
      set(size - 1 - bit, 8, dark);
    } else {
      set(bit === 8 ? 7 : 14 - bit, 8, dark);
      set(8, size - 15 + bit, dark);
    }
  }
  set(8, size - 8, true);
}

/**
 * @param {(x: number, y: number, dark: boolean) => void} set
 * @param {number} size
 * @param {number} version
 */
function drawVersion(set, size, version) {
  const bits = withRemainder(version, 0x1f25, 12);
  for (let bit = 0; bit < 18; bit += 1) {
    const [a, b] = [size - 11 + (bit % 3), Math.floor(bit / 3)];
    set(a, b, ((bits >> bit) & 1) === 1);
    set(b, a, ((bits >> bit) & 1) === 1);
  }
}

/**
 * The data goes up and down in columns of two, from the right to the left, around what is there.
 * @param {(boolean | undefined)[][]} grid
 * @param {number} mask
 * @param {string} bits
 */
function withData(grid, mask, bits) {
  const size = grid.length;
  const filled = grid.map((row) => row.map((dark) => dark ?? false));
  let next = 0;
  let up = true;
  for (let right = size - 1; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1)
      for (const x of [right, right - 1]) {
        const y = up ? size - 1 - step : step;
        if (grid[y][x] !== undefined) continue;
        filled[y][x] = (bits[next] === "1") !== MASKS[mask](x, y);
        next += 1;
      }
  }
  return filled;
}

/**
 * How hard a code is to read: long runs, blocks of one colour, what looks like a finder, imbalance.
 * @param {boolean[][]} modules
 */
function penalty(modules) {
  const rows = modules.map((row) => row.map(Number).join(""));
  const lines = [...rows, ...rows.map((_, x) => rows.map((row) => row[x]).join(""))];
  let points = 0;
  for (const line of lines) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) points += run.length - 2;
    points += 40 * [...line.matchAll(/(?=10111010000|00001011101)/g)].length;
  }
  for (let y = 1; y < rows.length; y += 1)
    for (let x = 1; x < rows.length; x += 1) {
      const four = rows[y - 1].slice(x - 1, x + 1) + rows[y].slice(x - 1, x + 1);
      if (four === "0000" || four === "1111") points += 3;
    }
  const dark = rows.join("").replaceAll("0", "").length / rows.length ** 2;
  return points + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}
