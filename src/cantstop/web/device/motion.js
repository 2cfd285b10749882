/** How long things take to be seen; next to nothing for those who asked for less motion. */

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether movement is unwelcome. */
export function calm() {
  return reduced.matches;
}

/**
 * Let something be seen for a while.
 * @param {number} milliseconds
 * @returns {Promise<void>}
 */
export function moment(milliseconds) {
  if (calm() || document.hidden) return Promise.resolve();
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
