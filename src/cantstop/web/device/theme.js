/** Light or dark, and how the board looks: the system's preference, unless the player chose. */

import { prefs, remember } from "../core/prefs.js";

const system = matchMedia("(prefers-color-scheme: dark)");
const contrast = matchMedia("(prefers-contrast: more)");

/** @returns {"light" | "dark"} what is on screen now */
export function theme() {
  return prefs().theme ?? (system.matches ? "dark" : "light");
}

/** @typedef {"sign" | "walnut" | "meadow" | "contrast"} BoardName */

/** @returns {BoardName} the board on screen now */
export function boardName() {
  return prefs().board ?? (contrast.matches ? "contrast" : "sign");
}

export function applyTheme() {
  document.documentElement.dataset.theme = theme();
  document.documentElement.dataset.board = boardName();
}

/** @param {BoardName} board */
export function chooseBoard(board) {
  remember({ board });
  applyTheme();
}

/** Switch to the other theme. Where that is the system's own, the preference is cleared. */
export function switchTheme() {
  const other = theme() === "dark" ? "light" : "dark";
  const own = system.matches ? "dark" : "light";
  remember({ theme: other === own ? null : other });
  applyTheme();
}

system.addEventListener("change", applyTheme);
contrast.addEventListener("change", applyTheme);
