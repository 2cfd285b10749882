/** Pauses and animations: left out for people who prefer reduced motion, and skipped at a tap. */

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {Set<() => void>} the pauses that are on */
const waiting = new Set();

/** Whether the player prefers reduced motion. */
export function reducedMotion() {
  return reduced.matches;
}

/**
 * Wait, so that something can be seen; not at all without motion or in a hidden tab.
 * @param {number} milliseconds
 * @returns {Promise<void>}
 */
export function pause(milliseconds) {
  if (reducedMotion() || document.hidden) return Promise.resolve();
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      waiting.delete(end);
      done();
    };
    const timer = setTimeout(end, milliseconds);
    waiting.add(end);
  });
}

/** Whoever has seen enough goes on: pauses end, and whatever moves is where it is going. */
export function skipMotion() {
  for (const end of waiting) end();
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().iterations !== Infinity) animation.finish();
}

/**
 * Let an element move, unless its viewer prefers that it does not.
 * @param {Element} element
 * @param {Keyframe[] | PropertyIndexedKeyframes} frames
 * @param {KeyframeAnimationOptions} timing
 */
export function animate(element, frames, timing) {
  if (!reducedMotion() && !document.hidden) element.animate(frames, timing);
}

/**
 * Play a CSS animation that a class stands for, once.
 * @param {Element} element
 * @param {string} className
 */
export function animateOnce(element, className) {
  element.classList.remove(className);
  element.getBoundingClientRect(); // the browser has to see it gone before it can come back
  element.classList.add(className);
  element.addEventListener("animationend", () => element.classList.remove(className), {
    once: true,
  });
}
