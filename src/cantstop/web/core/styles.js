/** Style sheets that come with the modules that need them; each is loaded once. */

import { fileAddress } from "./site.js";

/** @type {Map<string, Promise<unknown>>} */
const sheets = new Map();

/**
 * Load the style sheet at an address. Resolves when it is there, or cannot be had: a page without it
 * can still be read.
 * @param {string} address
 */
export function loadSheet(address) {
  const known = sheets.get(address);
  if (known) return known;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  const loading = new Promise((done) => {
    link.onload = done;
    link.onerror = () => {
      link.remove();
      sheets.delete(address);
      done(null);
    };
  });
  sheets.set(address, loading);
  document.head.append(link);
  return loading;
}

/**
 * What a module that is loaded on demand says at its top of a sheet in `style/`. A bundle takes the
 * line out: there the sheet is loaded with the script, and waited for.
 * @param {string} name
 */
export function useStyle(name) {
  loadSheet(fileAddress(`style/${name}.css`));
}
