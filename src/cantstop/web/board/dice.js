/** The dice: faces with pips, and the roll animation. */

import { h, s, fill, setAttribute } from "../core/dom.js";
import { reducedMotion, pause } from "../device/motion.js";

const TUMBLE = 650;
const FLICKER = 90;
/** Milliseconds that the last die takes longer at a dangerous roll. */
const SUSPENSE = 900;

/** Which of the nine places of a face carry a pip, row by row. */
const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];

/**
 * One die showing a face.
 * @param {number} face
 * @param {string} [className]
 */
export function die(face, className = "die") {
  return s(
    "svg",
    { class: className, viewBox: "0 0 100 100", "aria-hidden": "true" },
    s("rect", { class: "die-body", x: 4, y: 4, width: 92, height: 92, rx: 20 }),
    pips(face),
  );
}

/** @param {number} face */
function pips(face) {
  if (face > 6)
    return [s("text", { x: 50, y: 69, "text-anchor": "middle", "font-size": 54 }, face)];
  return [s("path", { class: "pips", d: dots(face) })];
}

/**
 * All pips of a face are one line of dots: dice that tumble change it, and nothing is laid out again.
 * @param {number} face
 */
function dots(face) {
  return PIPS[face]
    .map((at) => `M${26 + 24 * (at % 3)} ${26 + 24 * Math.floor(at / 3)}h0`)
    .join("");
}

function anyFace() {
  return 1 + Math.floor(Math.random() * 6);
}

/**
 * @typedef {object} Dice
 * @property {HTMLElement} element
 * @property {(dice: number[] | null, count: number) => void} show
 * @property {(count: number) => void} tumble  set them rolling before it is known how they fall
 * @property {() => void} rest  stop rolling, whatever they were to show
 * @property {(dice: number[], suspense?: boolean) => Promise<void>} settle  maybe one after the others
 * @property {(groups: number[] | null) => void} pair  which pair each die belongs to
 */

/** @returns {Dice} */
export function createDice() {
  const element = h("div", { class: "dice" });
  let since = 0;
  let flicker = 0;

  /** @param {number} count */
  function tumble(count) {
    if (since) return;
    since = performance.now();
    element.classList.remove("idle");
    if (reducedMotion()) return;
    element.classList.add("tumbling");
    toss([], count);
  }

  /**
   * Dice that show ever other faces, after those that lie already.
   * @param {number[]} lying
   * @param {number} count  of all
   */
  function toss(lying, count) {
    const again = () => draw([...lying, ...Array.from({ length: count - lying.length }, anyFace)]);
    clearInterval(flicker);
    again();
    flicker = setInterval(again, FLICKER);
  }

  const draw = (/** @type {number[]} */ faces) => drawFaces(element, faces);

  function rest() {
    clearInterval(flicker);
    since = 0;
    element.classList.remove("tumbling", "last-one");
  }

  return {
    element,
    tumble,
    rest,
    show(dice, count) {
      if (since) return;
      element.classList.toggle("idle", !dice);
      draw(dice ?? Array(count).fill(0));
    },
    async settle(dice, suspense = false) {
      tumble(dice.length);
      await pause(Math.max(0, TUMBLE - (performance.now() - since)));
      if (suspense && element.classList.contains("tumbling")) {
        element.classList.add("last-one");
        toss(dice.slice(0, -1), dice.length);
        await pause(SUSPENSE);
      }
      if (!since) return; // somebody has gone on meanwhile
      rest();
      element.classList.remove("idle");
      draw(dice);
    },
    pair: (groups) => colourPairs(element, groups),
  };
}

/**
 * @param {HTMLElement} element
 * @param {number[]} faces
 */
function drawFaces(element, faces) {
  if (element.childElementCount !== faces.length)
    fill(
      element,
      faces.map((face) => die(face)),
    );
  else faces.forEach((face, at) => turn(element.children[at], face));
}

/**
 * Show another face of a die.
 * @param {Element} shown
 * @param {number} face
 */
function turn(shown, face) {
  const [body, marks] = shown.children;
  if (marks.matches("path") && face <= 6) setAttribute(marks, "d", dots(face));
  else fill(shown, body, ...pips(face));
}

/**
 * @param {HTMLElement} element
 * @param {number[] | null} groups
 */
function colourPairs(element, groups) {
  [...element.children].forEach((each, at) => {
    each.classList.toggle("pair-a", groups?.[at] === 0);
    each.classList.toggle("pair-b", groups?.[at] === 1);
  });
}

/**
 * How dice make two sums: 0 or 1 for each die, or null if they cannot.
 * @param {number[]} dice
 * @param {number[]} split
 * @returns {number[] | null}
 */
export function pairing(dice, [first]) {
  for (let i = 0; i < 4; i += 1) {
    for (let j = i + 1; j < 4; j += 1) {
      if (dice[i] + dice[j] === first) return dice.map((_, at) => (at === i || at === j ? 0 : 1));
    }
  }
  return null;
}
