/** The faces of the bots: each a few plain shapes on a 48 × 48 grid, drawn from back to front. */

import { s } from "../core/dom.js";

/** @typedef {[fill: string, outline: string] | [fill: string, x: number, y: number, r: number]} Shape */

const INK = "#22252d";
const WHITE = "#fff";

/** @type {(x: number, y: number, r?: number) => Shape[]} */
const eyes = (x, y, r = 2.4) => [
  [INK, 24 - x, y, r],
  [INK, 24 + x, y, r],
  [WHITE, 24.8 - x, y - 0.8, r / 3],
  [WHITE, 24.8 + x, y - 0.8, r / 3],
];

/** @type {Record<string, Shape[]>} */
const FACES = {
  chick: [
    ["#f2b61c", "M20 12q0-7 5-8-1 3 1 4 3-2 5 0-4 1-4 5z"],
    ["#ffd54a", 24, 27, 17],
    ...eyes(7, 24),
    ["#ee8434", "M19 28h10l-5 7z"],
    ["#ffb08a", 12.5, 30, 2.6],
    ["#ffb08a", 35.5, 30, 2.6],
  ],
  magpie: [
    ["#23283a", 24, 24, 18],
    [WHITE, "M8 31q16-7 32 0-4 12-16 12T8 31z"],
    ["#3c7dd9", "M6 26q-2 10 6 15 0-8 1-12zM42 26q2 10-6 15 0-8-1-12z"],
    [WHITE, 17, 19, 4],
    [WHITE, 31, 19, 4],
    [INK, 17.6, 19.6, 2],
    [INK, 30.4, 19.6, 2],
    ["#8b919e", "M19 24h10l-5 13z"],
  ],
  tortoise: [
    ["#5d7d3a", "M3 40a21 25 0 0 1 42 0z"],
    ["#46612b", "M24 15l8 7-3 9H19l-3-9zM8 30l8-6 2 9-9 5zM40 30l-8-6-2 9 9 5z"],
    ["#9cc36b", 24, 33, 12],
    ...eyes(5.5, 31, 2),
    ["#7da552", "M15 29.5q3.5-4 7 0zM26 29.5q3.5-4 7 0z"],
    [INK, "M18 38q6 4 12 0-6 2.5-12 0z"],
  ],
  ibex: [
    ["#7a6350", "M20 16Q14 1 3 6q7 2 9 15zM28 16Q34 1 45 6q-7 2-9 15z"],
    ["#a98a66", "M13 21l-9 1q3 6 10 5zM35 21l9 1q-3 6-10 5z"],
    ["#c7a57c", "M12 22q1-10 12-10t12 10q0 9-5 15-3 4-7 4t-7-4q-5-6-5-15z"],
    ["#efe2cd", "M18 33q6-5 12 0-1 7-6 7t-6-7z"],
    ["#6b5543", "M20 40q4 2 8 0l-4 7z"],
    ...eyes(6.5, 24, 2.2),
    [INK, "M21 34h6l-3 3z"],
  ],
  monkey: [
    ["#7b4b2a", 7, 25, 6],
    ["#7b4b2a", 41, 25, 6],
    ["#e9b98c", 7.5, 25, 3.2],
    ["#e9b98c", 40.5, 25, 3.2],
    ["#7b4b2a", 24, 24, 18],
    ["#f1c79c", "M24 17q5-6 10-2 5 6 1 12 3 12-11 13-14-1-11-13-4-6 1-12 5-4 10 2z"],
    ...eyes(6, 22),
    [INK, "M15 31q9 4 18 0-2 7-9 7t-9-7z"],
    [WHITE, "M17 32.5q7 2.5 14 0l-1 2q-6 2-12 0z"],
  ],
  fox: [
    ["#d9641c", "M7 4q9 3 11 11h-9zM41 4q-9 3-11 11h9z"],
    ["#ee7d2b", "M6 18q5-7 18-7t18 7q-2 16-18 26Q8 34 6 18z"],
    [WHITE, "M7 22q9 0 13 9l4 7 4-7q4-9 13-9-3 12-17 22Q10 34 7 22z"],
    ...eyes(8.5, 23, 2.2),
    [INK, 24, 38.5, 3],
  ],
  falcon: [
    ["#f0e4cd", "M6 33q18-12 36 0-6 13-18 13T6 33z"],
    ["#4b5a72", "M5 30Q4 6 24 5t19 25q-3-4-8-4-4 5-11 5t-11-5q-5 0-8 4z"],
    ["#f7c52d", 15.5, 21, 4.6],
    ["#f7c52d", 32.5, 21, 4.6],
    [INK, 16, 21, 2.8],
    [INK, 32, 21, 2.8],
    ["#2f3a4d", "M9 16l12 3v-3L11 12zM39 16l-12 3v-3l10-4z"],
    ["#f0a92b", "M19 25q5-4 10 0-1 6-4 7 1 3-1 5-3-2-2-5-2-1-3-7z"],
    ["#b79c72", "M15 37l2 4 2-4zM23 40l1 4 1-4zM29 37l2 4 2-4z"],
  ],
  champion: [
    ["#b77f1c", 24, 29, 17],
    ["#ffcf3d", "M9 17L7 3l10 7 7-8 7 8 10-7-2 14q-15-6-30 0z"],
    ["#c33", 24, 10, 2],
    ["#f6d9a8", 24, 29, 12.5],
    ...eyes(5, 27, 2.1),
    [INK, "M17 33q7 3 14 0-2 5-7 5t-7-5z"],
  ],
};

/** The bots without a character: those of papers. @type {Shape[]} */
const MACHINE = [
  ["#6c7688", "M22 4h4v8h-4z"],
  ["#e2574c", 24, 5, 3.5],
  ["#6c7688", "M3 22h4v12H3zM41 22h4v12h-4z"],
  ["#9aa5b8", "M12 11h24q5 0 5 5v22q0 5-5 5H12q-5 0-5-5V16q0-5 5-5z"],
  ["#dfe7f2", "M12 18h24v12H12z"],
  ...eyes(6.5, 24),
  ["#5a6474", "M15 35h18v3H15z"],
];

/**
 * A bot's face; it says nothing that its name does not.
 * @param {string | null} name  with or without its number
 */
export function botFace(name) {
  const shapes = FACES[(name ?? "").split(":")[0]] ?? MACHINE;
  return s(
    "svg",
    { class: "bot-face", viewBox: "0 0 48 48", "aria-hidden": "true" },
    shapes.map(([fill, where, cy, r]) =>
      cy === undefined ? s("path", { fill, d: where }) : s("circle", { fill, cx: where, cy, r }),
    ),
  );
}
