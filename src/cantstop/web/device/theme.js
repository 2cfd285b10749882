/** Light or dark: as the system has it, unless the player chose. */

import { prefs, remember } from "../core/prefs.js";

const system = matchMedia("(prefers-color-scheme: dark)");

/** @returns {"light" | "dark"} what is on screen now */
export function theme() {
  return prefs().theme ?? (system.matches ? "dark" : "light");
}

export function applyTheme() {
  document.documentElement.dataset.theme = theme();
}

/** The other one; a choice that is the system's own is no choice, so the system rules again. */
export function switchTheme() {
  const other = theme() === "dark" ? "light" : "dark";
  const own = system.matches ? "dark" : "light";
  remember({ theme: other === own ? null : other });
  applyTheme();
}

system.addEventListener("change", applyTheme);
