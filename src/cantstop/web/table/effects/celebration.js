/** Confetti for a win. */

import { h } from "../../core/dom.js";
import { useStyle } from "../../core/styles.js";
import { reducedMotion } from "../../device/motion.js";

useStyle("game-over");

const PIECES = 90;
const CELEBRATION = 3500;

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
    const gone = !document.querySelector(".table"); // somebody reads the review already
    if (age > CELEBRATION || gone || !brush) return canvas.remove();
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
