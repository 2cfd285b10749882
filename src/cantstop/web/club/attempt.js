/** What a button does that may be refused: pressed once, and what goes wrong is said beside it. */

import { h, write } from "../core/dom.js";

export function problemLine() {
  return h("p", { class: "problem", role: "alert" });
}

/**
 * What goes wrong is said where it happened; a button is pressed once.
 * @param {HTMLElement} problem
 * @param {() => Promise<unknown>} action
 */
export function attempt(problem, action) {
  return async (/** @type {Event} */ event) => {
    event.preventDefault();
    const pressed = /** @type {SubmitEvent} */ (event).submitter ?? event.currentTarget;
    const button = pressed instanceof HTMLButtonElement ? pressed : null;
    if (button) button.disabled = true;
    write(problem, "");
    try {
      await action();
    } catch (error) {
      write(problem, /** @type {Error} */ (error).message);
    }
    if (button) button.disabled = false;
  };
}
