/** The light and the dark theme: the system's preference, unless the player chose. */

import { prefs, remember } from "../core/prefs.js";

const system = matchMedia("(prefers-color-scheme: dark)");

/** @returns {"light" | "dark"} what is on screen now */
export function theme() {
  return prefs().theme ?? (system.matches ? "dark" : "light");
}

export function applyTheme() {
  document.documentElement.dataset.theme = theme();
}

/** Switch to the other theme. Where that is the system's own, the preference is cleared. */
export function switchTheme() {
  const other = theme() === "dark" ? "light" : "dark";
  const own = system.matches ? "dark" : "light";
  remember({ theme: other === own ? null : other });
  applyTheme();
}

system.addEventListener("change", applyTheme);
