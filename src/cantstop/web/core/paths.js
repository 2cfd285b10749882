/** Addresses that hold more than a name. */

import { pageAddress } from "./site.js";

/**
 * The analysis board with a position on it.
 * @param {string} position  its text
 */
export function analysisPath(position) {
  // spaces, slashes and the like stay legible in a query
  const text = encodeURIComponent(position).replace(/%(20|2C|2F|3A|3D)/g, (code) =>
    code === "%20" ? "+" : decodeURIComponent(code),
  );
  return `/analysis?position=${text}`;
}

/**
 * The address of a page in full, to be shared.
 * @param {string} path
 */
export function shareAddress(path) {
  return location.origin + pageAddress(path);
}
