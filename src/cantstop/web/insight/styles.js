/** The style sheet of these pages: it is loaded with the first of them, and not before. */

import { h } from "../core/dom.js";

/** @type {Promise<unknown> | null} */
let loaded = null;

/** Resolves when the style sheet is there, or cannot be had: a page without it can still be read. */
export function loadStyles() {
  loaded ??= new Promise((done) => {
    document.head.append(
      h("link", {
        rel: "stylesheet",
        href: "/static/insight.css",
        on: {
          load: done,
          error: () => {
            loaded = null;
            done(null);
          },
        },
      }),
    );
  });
  return loaded;
}
