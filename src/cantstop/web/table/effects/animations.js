/** Animations: the stamp across the board, the shake of a bust, confetti for a win. */

import { h } from "../../core/dom.js";
import { animate, animateOnce, reducedMotion, pause } from "../../device/motion.js";

const PIECES = 90;
const CELEBRATION = 3500;
/** @type {"forwards"} what has fallen does not come back before it is taken away */
const FORWARDS = "forwards";

/**
 * Stamp a word on the board for a moment.
 * @param {HTMLElement} area
 * @param {string} text
 * @param {"bust" | "column" | "turn"} kind
 * @param {number} milliseconds
 */
export async function stamp(area, text, kind, milliseconds) {
  const sign = h("p", { class: `stamp ${kind}`, "aria-hidden": "true" }, h("span", {}, text));
  area.querySelector(".stamp")?.remove();
  area.append(sign);
  setTimeout(() => sign.classList.add("going"), milliseconds);
  setTimeout(() => sign.remove(), milliseconds + 250);
  await pause(milliseconds);
}

/**
 * The board shakes, so does the phone where it can, and the runners fall off.
 * @param {HTMLElement} area
 */
export function shake(area) {
  navigator.vibrate?.([60, 40, 120]);
  if (reducedMotion()) return;
  animateOnce(area, "shaking");
  area.querySelectorAll(".runner").forEach((runner, at) => {
    const timing = { duration: 750, delay: 200 + 90 * at, easing: "ease-in", fill: FORWARDS };
    animate(runner, { translate: ["0 0", "0 600px"], opacity: [1, 1, 0] }, timing);
    for (const part of runner.children) animate(part, { rotate: ["0deg", "200deg"] }, timing);
  });
}

/**
 * Confetti in the winner's colour, drawn over everything and gone by itself.
 * @param {string[]} colours
 */
export function celebrate(colours) {
  if (reducedMotion()) return;
  const canvas = h("canvas", { class: "confetti", "aria-hidden": "true" });
  const brush = canvas.getContext("2d");
  if (!brush) return;
  document.body.append(canvas);
  canvas.width = innerWidth;
  canvas.height = innerHeight;
  const pieces = Array.from({ length: PIECES }, () =>
    confetto(canvas.width, canvas.height, colours),
  );
  const start = performance.now();
  /** @param {number} now */
  function frame(now) {
    const age = now - start;
    if (age > CELEBRATION || !brush) return canvas.remove();
    brush.clearRect(0, 0, canvas.width, canvas.height);
    brush.globalAlpha = Math.min(1, (CELEBRATION - age) / 800);
    for (const piece of pieces) draw(brush, piece, age / 1000);
    requestAnimationFrame(frame);
    return undefined;
  }
  requestAnimationFrame(frame);
}

/**
 * @param {number} width
 * @param {number} height
 * @param {string[]} colours
 */
function confetto(width, height, colours) {
  const side = Math.random() < 0.5 ? -1 : 1;
  return {
    x: side < 0 ? -10 : width + 10,
    y: height * (0.35 + Math.random() * 0.25),
    vx: -side * width * (0.25 + Math.random() * 0.5),
    vy: -height * (0.35 + Math.random() * 0.5),
    gravity: height * 0.75,
    spin: Math.random() * 9 - 4.5,
    size: 6 + Math.random() * 7,
    colour: colours[Math.floor(Math.random() * colours.length)],
  };
}

/**
 * @param {CanvasRenderingContext2D} brush
 * @param {ReturnType<typeof confetto>} piece
 * @param {number} time in seconds
 */
function draw(brush, piece, time) {
  const drag = (1 - Math.exp(-1.2 * time)) / 1.2;
  brush.save();
  brush.translate(
    piece.x + piece.vx * drag,
    piece.y + piece.vy * drag + (piece.gravity * time * time) / 4,
  );
  brush.rotate(piece.spin * time);
  brush.scale(1, Math.cos(piece.spin * time * 2));
  brush.fillStyle = piece.colour;
  brush.fillRect(-piece.size / 2, -piece.size / 3, piece.size, piece.size * 0.66);
  brush.restore();
}
