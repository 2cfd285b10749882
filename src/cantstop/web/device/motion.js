/** Pauses, animations, vibration: left out for people who prefer reduced motion, skipped at a tap. */

import { prefs } from "../core/prefs.js";

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether the player prefers reduced motion. */
export function reducedMotion() {
  return reduced.matches;
}

/** What share of its time a pause takes; 0 for none. */
let tempo = 1;
/** @type {Set<() => void>} how to end the pauses that there are */
const pauses = new Set();

/**
 * From now on pauses take this share of their time; at 0 those that there are end.
 * @param {number} share
 */
export function setTempo(share) {
  tempo = share;
  if (!share) for (const end of pauses) end();
}

/**
 * Wait, so that something can be seen; not at all in a hidden tab, or without motion.
 * @param {number} milliseconds
 * @param {boolean} [still]  for what is looked at without motion, too
 * @returns {Promise<void>}
 */
export function pause(milliseconds, still = false) {
  if ((reducedMotion() && !still) || document.hidden || !tempo) return Promise.resolve();
  return new Promise((done) => {
    const end = () => {
      pauses.delete(end);
      clearTimeout(timer);
      done();
    };
    const timer = setTimeout(end, milliseconds * tempo);
    pauses.add(end);
  });
}

/** Whoever has seen enough goes on: pauses end, and whatever moves is where it is going. */
export function skipMotion() {
  for (const end of pauses) end();
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().iterations !== Infinity) animation.finish();
}

/**
 * Let an element move, unless its viewer prefers that it does not.
 * @param {Element} element
 * @param {Keyframe[] | PropertyIndexedKeyframes} frames
 * @param {KeyframeAnimationOptions & {duration: number}} timing
 */
export function animate(element, frames, timing) {
  if (reducedMotion() || document.hidden || !tempo) return;
  element.animate(frames, { ...timing, duration: timing.duration * tempo });
}

/**
 * Let a phone vibrate; whoever has turned sound off, or prefers reduced motion, wants it to lie still.
 * @param {number[]} pattern  milliseconds of vibration and rest, in turns
 */
export function vibrate(pattern) {
  if (!reducedMotion() && !document.hidden && prefs().sound) navigator.vibrate?.(pattern);
}
