/**
 * The faces of the bots: each a few plain shapes on a 48 × 48 grid, drawn from back to front, with
 * eyes, a mouth and paws that tell a mood.
 */

import { s } from "../core/dom.js";

/** @typedef {[fill: string, outline: string] | [fill: string, x: number, y: number, r: number]} Shape */
/** @typedef {"rest" | "watching" | "hiding" | "grinning" | "sighing" | "waving"} Mood */

/**
 * @typedef {object} Face
 * @property {string} halo  the colour behind the head
 * @property {Shape[]} head  all but what moods move
 * @property {[x: number, y: number, r: number]} eyes  how far from the middle, how low, how large
 * @property {string} [white]  around the pupils, on a dark face
 * @property {[y: number, width: number]} [mouth]
 * @property {[fill: string, y: number, width: number, length: number]} [beak]
 * @property {Shape[]} [front]  a nose, something that glitters
 * @property {string} paw
 */

const INK = "#22252d";
const WHITE = "#fff";

/** @type {Record<string, Face>} */
const FACES = {
  chick: {
    halo: "#fff0bd",
    head: [
      ["#f2b61c", "M20 12q0-7 5-8-1 3 1 4 3-2 5 0-4 1-4 5z"],
      ["#f2b61c", "M7 32q-5 2-4 8 6 1 8-3zM41 32q5 2 4 8-6 1-8-3z"],
      ["#ffd54a", 24, 27, 17],
      ["#ffb08a", 12.5, 31, 2.8],
      ["#ffb08a", 35.5, 31, 2.8],
    ],
    eyes: [7, 24, 2.4],
    beak: ["#ee8434", 28, 10, 7],
    paw: "#fbb91f",
  },
  magpie: {
    halo: "#dbe8fa",
    head: [
      ["#23808a", "M37 30q1-22 8-28 3 17-2 31z"],
      ["#23283a", "M7 46q-1-14 5-20Q10 7 24 6t12 20q6 6 5 20z"],
      [WHITE, "M9 46q0-8 4-11 2 6 1 11zM39 46q0-8-4-11-2 6-1 11z"],
      ["#3c7dd9", "M5 46q0-7 4-10 1 5 0 10zM43 46q0-7-4-10-1 5 0 10z"],
      ["#5fb3bd", "M16 12q4-5 9-5-6 3-7 8z"],
    ],
    eyes: [6.5, 20, 2.2],
    white: WHITE,
    beak: ["#8b919e", 24, 9, 11],
    front: [
      ["#f5c518", 24, 39, 3.6],
      ["#23283a", 24, 39, 1.8],
    ],
    paw: "#3f7fd6",
  },
  tortoise: {
    halo: "#e2efd2",
    head: [
      ["#5d7d3a", "M3 43a21 29 0 0 1 42 0z"],
      ["#46612b", "M24 14l8 7-3 9H19l-3-9zM8 30l8-6 2 9-9 5zM40 30l-8-6-2 9 9 5z"],
      ["#86a85c", "M2 43h44v3H2z"],
      ["#9cc36b", 24, 32, 12],
      ["#b9d98b", 16, 36, 2],
      ["#b9d98b", 32, 36, 2],
    ],
    eyes: [5.5, 30, 2],
    mouth: [37, 6],
    paw: "#8fbb5c",
  },
  ibex: {
    halo: "#fae6d6",
    head: [
      ["#7a6350", "M20 16Q14 1 3 6q7 2 9 15zM28 16Q34 1 45 6q-7 2-9 15z"],
      ["#a98a66", "M13 21l-9 1q3 6 10 5zM35 21l9 1q-3 6-10 5z"],
      ["#c7a57c", "M12 22q1-10 12-10t12 10q0 9-5 15-3 4-7 4t-7-4q-5-6-5-15z"],
      ["#efe2cd", "M17.5 32q6.5-4 13 0-1 8-6.5 8t-6.5-8z"],
      ["#6b5543", "M20 40q4 2 8 0l-4 7z"],
    ],
    eyes: [6.5, 23, 2.2],
    mouth: [36.5, 5],
    front: [[INK, "M21.5 31h5l-2.5 2.5z"]],
    paw: "#b2926c",
  },
  monkey: {
    halo: "#f6e2cd",
    head: [
      ["#7b4b2a", 7, 25, 6],
      ["#7b4b2a", 41, 25, 6],
      ["#e9b98c", 7.5, 25, 3.2],
      ["#e9b98c", 40.5, 25, 3.2],
      ["#7b4b2a", 24, 24, 18],
      ["#7b4b2a", "M21 8q0-6 5-6-2 2 1 6z"],
      ["#f1c79c", "M24 17q5-6 10-2 5 6 1 12 3 12-11 13-14-1-11-13-4-6 1-12 5-4 10 2z"],
    ],
    eyes: [6, 22, 2.4],
    mouth: [33, 8],
    front: [
      ["#7b4b2a", 22.8, 28, 0.8],
      ["#7b4b2a", 25.2, 28, 0.8],
    ],
    paw: "#8a5733",
  },
  fox: {
    halo: "#fde4d6",
    head: [
      ["#d9641c", "M7 4q9 3 11 11h-9zM41 4q-9 3-11 11h9z"],
      ["#5a2a12", "M9.5 8q5 2 6.5 7h-4zM38.5 8q-5 2-6.5 7h4z"],
      ["#ee7d2b", "M6 18q5-7 18-7t18 7q-2 16-18 26Q8 34 6 18z"],
      [WHITE, "M7 22q9 0 13 8 4-3 8 0 4-8 13-8-3 12-17 22Q10 34 7 22z"],
    ],
    eyes: [8.5, 22.5, 2.2],
    mouth: [37, 5],
    front: [[INK, 24, 32, 2.6]],
    paw: "#e0691f",
  },
  falcon: {
    halo: "#dfe7f2",
    head: [
      ["#f0e4cd", "M6 33q18-12 36 0-6 13-18 13T6 33z"],
      ["#4b5a72", "M5 30Q4 6 24 5t19 25q-3-4-8-4-4 5-11 5t-11-5q-5 0-8 4z"],
      ["#6f7f99", "M13 12q5-6 12-5-7 2-9 7z"],
      ["#b79c72", "M13 38l2 4 2-4zM31 38l2 4 2-4z"],
    ],
    eyes: [8.5, 21, 2.8],
    white: "#f7c52d",
    beak: ["#f0a92b", 25, 9, 12],
    paw: "#58688a",
  },
  champion: {
    halo: "#fff0bd",
    head: [
      [
        "#b77f1c",
        "M24 12q5-4 9 0 6 0 6 6 5 3 3 9 2 6-3 9 0 6-6 7-4 4-9 2-5 2-9-2-6-1-6-7-5-3-3-9-2-6 3-9 0-6 6-6 4-4 9 0z",
      ],
      ["#ffcf3d", "M10 16L8 2l9 6 7-7 7 7 9-6-2 14q-14-5-28 0z"],
      ["#e0a91b", "M10 16q14-5 28 0l-.5-3q-13.5-5-27 0z"],
      ["#c33", 24, 9, 1.8],
      ["#f3c878", 24, 30, 12],
      ["#fbe3b4", "M18 35q6-5 12 0-1 6-6 6t-6-6z"],
    ],
    eyes: [5.2, 27, 2.1],
    mouth: [37, 6],
    front: [["#7a4a12", "M21.8 32h4.4l-2.2 2.6z"]],
    paw: "#d79a35",
  },
};

/** The bots without a character: those of papers. @type {Face} */
const MACHINE = {
  halo: "#e8ecf3",
  head: [
    ["#6c7688", "M22 4h4v8h-4z"],
    ["#e2574c", 24, 5, 3.5],
    ["#6c7688", "M3 22h4v12H3zM41 22h4v12h-4z"],
    ["#9aa5b8", "M12 11h24q5 0 5 5v22q0 5-5 5H12q-5 0-5-5V16q0-5 5-5z"],
    ["#dfe7f2", "M12 18h24v12H12z"],
  ],
  eyes: [6.5, 24, 2.4],
  mouth: [36.5, 7],
  paw: "#7d889c",
};

/** A paw with its fingers up, around the origin. */
const PAW =
  "M-5.5 7q-1.8-4-.9-9 .3-1.9 1.6-1.6t1.2 1.9q0-4.6 1.9-4.6t1.9 4.4q.2-4 1.9-3.8t1.5 4.2" +
  "q.6-2.4 1.9-2t.6 3.6L5.4 7q-5 2.5-10.9 0z";

/**
 * A bot's face; it says nothing that its name does not, and its mood nothing that is not in words.
 * @param {string | null} name  with or without its number
 * @param {Mood} [mood]
 */
export function botFace(name, mood = "rest") {
  const face = FACES[(name ?? "").split(":")[0]] ?? MACHINE;
  return s(
    "svg",
    { class: "bot-face", viewBox: "-3 -3 54 54", "aria-hidden": "true", "data-mood": mood },
    s("circle", { class: "halo", cx: 24, cy: 24, r: 27, fill: face.halo }),
    face.head.map(shape),
    mouthOf(face, mood),
    (face.front ?? []).map(shape),
    eyesOf(face, mood),
    pawsOf(face, mood),
  );
}

/** @param {Shape} shape */
function shape([fill, where, cy, r]) {
  return cy === undefined ? s("path", { fill, d: where }) : s("circle", { fill, cx: where, cy, r });
}

/**
 * @param {string} d
 * @param {string} colour
 * @param {number} [width]
 */
function stroke(d, colour, width = 1.6) {
  return s("path", {
    d,
    stroke: colour,
    fill: "none",
    "stroke-width": width,
    "stroke-linecap": "round",
  });
}

/**
 * @param {Face} face
 * @param {Mood} mood
 */
function eyesOf({ eyes: [x, y, r], white }, mood) {
  const line = white ?? INK;
  if (mood === "hiding") return [];
  const each = (/** @type {number} */ side) => {
    const cx = 24 + side * x;
    if (mood === "grinning") return [stroke(`M${cx - 3} ${y + 1}q3-4.5 6 0`, line)];
    if (mood === "sighing")
      return [
        stroke(`M${cx - 3} ${y}q3 3.5 6 0`, line),
        stroke(`M${cx - 3} ${y - 3.5 - side}l6 ${2 * side}`, line, 1.3),
      ];
    if (mood === "watching") return wideEye(cx, y);
    return [
      ...(white ? [shape([white, cx, y, r + 1.8])] : []),
      shape([INK, cx, y, r]),
      shape([WHITE, cx + 0.8, y - 0.8, r / 3]),
    ];
  };
  return [-1, 1].flatMap(each);
}

/**
 * It looks down, to where the dice are.
 * @param {number} x
 * @param {number} y
 */
function wideEye(x, y) {
  const ball = s("circle", { fill: WHITE, stroke: INK, "stroke-width": 0.9, cx: x, cy: y, r: 4.3 });
  return [ball, shape([INK, x, y + 1.3, 2.5]), shape([WHITE, x + 0.9, y + 0.4, 0.9])];
}

/**
 * @param {Face} face
 * @param {Mood} mood
 */
function mouthOf({ mouth, beak }, mood) {
  if (beak) return beakOf(beak, mood);
  const [y, width] = mouth ?? [36, 6];
  const left = 24 - width / 2;
  if (mood === "watching")
    return [s("ellipse", { fill: "#7c1f1f", cx: 24, cy: y + 0.8, rx: 1.7, ry: 2.3 })];
  if (mood === "sighing") return [stroke(`M${left} ${y + 1.5}q${width / 2}-3 ${width} 0`, INK)];
  if (mood === "hiding")
    return [
      stroke(`M${left} ${y}q${width / 6} 2 ${width / 3} 0t${width / 3} 0 ${width / 3} 0`, INK, 1.3),
    ];
  if (mood === "grinning")
    return [
      shape([
        "#7c1f1f",
        `M${left - 1.5} ${y - 1.5}h${width + 3}q-.5 6-${width / 2 + 1.5} 6t-${width / 2 + 1.5}-6z`,
      ]),
      shape([WHITE, `M${left - 0.8} ${y - 1.5}h${width + 1.6}l-.5 1.5h-${width + 0.6}z`]),
    ];
  return [stroke(`M${left} ${y}q${width / 2} 3 ${width} 0`, INK)];
}

/**
 * @param {NonNullable<Face["beak"]>} beak
 * @param {Mood} mood
 */
function beakOf([fill, y, width, length], mood) {
  const left = 24 - width / 2;
  const half = width / 2;
  const upper = shape([fill, `M${left} ${y}h${width}l-${half} ${length}z`]);
  if (mood !== "grinning" && mood !== "watching") return [upper];
  const open = mood === "grinning" ? 5 : 3;
  return [
    shape(["#9a2b1f", `M${left + 1} ${y + 1}h${width - 2}l-${half - 1} ${length + open}z`]),
    shape([fill, `M${left} ${y}h${width}l-${half} ${length * 0.6}z`]),
  ];
}

/**
 * @param {Face} face
 * @param {Mood} mood
 */
function pawsOf({ eyes: [x, y], paw }, mood) {
  const at = (/** @type {string} */ transform, className = "paw") =>
    s(
      "g",
      { class: className, transform },
      s("path", {
        d: PAW,
        fill: paw,
        stroke: INK,
        "stroke-width": 0.9,
        "stroke-linejoin": "round",
      }),
      stroke("M-2.6 1.5v-2.5M.2 1.5v-3M3 1.5v-2.5", INK, 0.7),
    );
  if (mood === "hiding")
    return [-1, 1].map((side) => at(`translate(${24 + side * x} ${y + 1}) rotate(${-10 * side})`));
  if (mood === "waving")
    return [
      s("g", { class: "waver" }, at("translate(41 38) rotate(14)")),
      stroke("M46 26q2.5 2 3 5M43.5 23.5q5 2.5 6.5 7", "#8f8672", 1.2),
    ];
  if (mood !== "sighing") return [];
  return [37, 41, 45].map((cx, index) =>
    s("circle", {
      fill: WHITE,
      stroke: "#8f8672",
      "stroke-width": 0.8,
      cx,
      cy: 43 - index,
      r: 3 - index * 0.5,
    }),
  );
}
