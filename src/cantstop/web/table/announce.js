// @ts-check
/** Says things to screen readers, in order and without talking over itself. */

import { h } from "../dom.js";

const KEPT = 6;

/** @param {string} text */
export function announce(text) {
  const live = document.querySelector("#live");
  if (!live || !text) return;
  live.append(h("p", {}, text));
  while (live.childElementCount > KEPT) live.firstElementChild?.remove();
}
