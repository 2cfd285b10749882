/**
 * Where the app is. On a server it is at the root, and pages have addresses of their own. As static
 * files (`cantstop site`) it is in any folder of any host; there the page's address is in the hash.
 */

/** Whether these are static files without a server. */
export const isSite = document.documentElement.hasAttribute("data-site");

/** The app's folder. */
const root = isSite ? new URL(".", location.href).pathname : "/";

/**
 * The address of a file of the app.
 * @param {string} name
 */
export function fileAddress(name) {
  return `${root}static/${name}`;
}

/** The path of the page on screen, with its query. */
export function currentPath() {
  if (!isSite) return location.pathname + location.search;
  return location.hash.startsWith("#/") ? location.hash.slice(1) : "/";
}

/**
 * What a link to a page of the app has as its address.
 * @param {string} path
 */
export function pageAddress(path) {
  return isSite ? `${root}#${path}` : path;
}

/**
 * The path of a page that a link leads to; null for links elsewhere.
 * @param {HTMLAnchorElement} anchor
 */
export function pathOf(anchor) {
  if (anchor.origin !== location.origin) return null;
  if (!isSite) return anchor.pathname + anchor.search + anchor.hash;
  return anchor.pathname === root && anchor.hash.startsWith("#/") ? anchor.hash.slice(1) : null;
}
