/** Animations: the stamp at the board, the shake of a bust. */

import { h } from "../../core/dom.js";
import { animate, pause, reducedMotion, vibrate } from "../../device/motion.js";
import { fitText } from "../../ui/fit-text.js";

/** @type {"forwards"} what has fallen does not come back before it is taken away */
const FORWARDS = "forwards";

/** Where a board is that shakes, from moment to moment. */
const SHAKE = [0, -3, 6, -9, 9, -9, 9, -9, 6, -3, 0].map((x) => `${x}px ${x / 3}px`);

/**
 * Stamp a word on the board for a moment.
 * @param {HTMLElement} area
 * @param {string} text
 * @param {"bust" | "cheer" | "column" | "turn"} kind
 * @param {number} milliseconds
 */
export async function stamp(area, text, kind, milliseconds) {
  const words = h("span", {}, text);
  const sign = h("p", { class: `stamp ${kind}`, "aria-hidden": "true" }, words);
  area.querySelector(".stamp")?.remove();
  area.append(sign);
  fitText(words);
  setTimeout(() => sign.classList.add("going"), milliseconds);
  setTimeout(() => sign.remove(), milliseconds + 250);
  await pause(milliseconds);
}

/**
 * The board shakes, so does the phone where it can, and the runners fall off.
 * @param {HTMLElement} area
 */
export function shake(area) {
  vibrate([60, 40, 120]);
  if (reducedMotion()) return;
  animate(area, { translate: SHAKE }, { duration: 500 });
  area.querySelectorAll(".runner").forEach((runner, at) => {
    const timing = { duration: 750, delay: 200 + 90 * at, easing: "ease-in", fill: FORWARDS };
    animate(runner, { translate: ["0 0", "0 600px"], opacity: [1, 1, 0] }, timing);
    for (const part of runner.children) animate(part, { rotate: ["0deg", "200deg"] }, timing);
  });
}
