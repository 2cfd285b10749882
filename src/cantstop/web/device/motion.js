/** Pauses and CSS animations; skipped for people who prefer reduced motion. */

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

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
  return new Promise((done) => setTimeout(done, milliseconds));
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
