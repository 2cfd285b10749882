/** Sounds: whether they are on, and when one is heard; what they consist of comes with the first one. */

import { withPart } from "../core/parts.js";
import { prefs, remember } from "../core/prefs.js";

/** @type {AudioContext | null} */
let context = null;

/** @typedef {import("./synthesis.js").Sound} Sound */

/** Whether sounds are on. */
export function soundOn() {
  return prefs().sound;
}

/** @param {boolean} on */
export function setSoundOn(on) {
  remember({ sound: on });
}

/**
 * @param {Sound} name
 * @param {boolean} [background]  play it in a hidden tab too
 */
export function play(name, background = false) {
  const quiet = !soundOn() || (document.hidden && !background);
  if (quiet || !navigator.userActivation?.hasBeenActive) return;
  const audio = (context ??= new AudioContext());
  if (audio.state === "suspended") audio.resume();
  withPart(import("./synthesis.js"), ({ sound }) => sound(name, audio));
}
