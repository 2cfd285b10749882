/** Icons as SVG outlines on a 24 × 24 grid. */

import { s } from "../core/dom.js";

/** @type {Record<string, string>} */
const OUTLINES = {
  home: "M4 11l8-7 8 7M6 10v9h4v-5h4v5h4v-9",
  menu: "M5 12h.01M12 12h.01M19 12h.01",
  close: "M6 6l12 12M18 6L6 18",
  sound: "M4 9v6h4l5 4V5L8 9H4zM16.5 8.5a5 5 0 0 1 0 7M19 6a8.5 8.5 0 0 1 0 12",
  mute: "M4 9v6h4l5 4V5L8 9H4zM17 9.5l5 5M22 9.5l-5 5",
  light:
    "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2",
  dark: "M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z",
  smile: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8.5 14a4.2 4.2 0 0 0 7 0M9 9.5h.01M15 9.5h.01",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  share: "M12 15V3M8 7l4-4 4 4M6 12H5v9h14v-9h-1",
  check: "M4 12.5l5.5 5.5L20 6.5",
  eye: "M2 12s3.6-6.5 10-6.5S22 12 22 12s-3.6 6.5-10 6.5S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  bot: "M5 9h14v10H5zM12 9V5M12 4.5h.01M9 13.5h.01M15 13.5h.01M2.5 12.5v3M21.5 12.5v3",
  people:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-4 3-6 6.5-6s6.5 2 6.5 6M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5c2.3.8 3.5 2.8 3.5 5.5",
  link: "M10 14a4.5 4.5 0 0 0 6.5.3l3-3a4.6 4.6 0 0 0-6.5-6.5l-1.5 1.5M14 10a4.5 4.5 0 0 0-6.5-.3l-3 3a4.6 4.6 0 0 0 6.5 6.5l1.5-1.5",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 21c0-4.5 3.3-6.5 7.5-6.5s7.5 2 7.5 6.5",
  bulb: "M9.5 18h5M10.5 21h3M12 3a6 6 0 0 0-3.6 10.8c.7.6 1.1 1.3 1.1 2.2h5c0-.9.4-1.6 1.1-2.2A6 6 0 0 0 12 3z",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5l5 5",
  percent:
    "M18.5 5.5l-13 13M7 4.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM17 14.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  book: "M4 5c3-1 6-.5 8 1 2-1.5 5-2 8-1v14c-3-1-6-.5-8 1-2-1.5-5-2-8-1zM12 6v14",
  school: "M12 4L1.5 9.5 12 15l10.5-5.5zM6 12v5c2 2.3 10 2.3 12 0v-5",
  list: "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01",
  seal: "M12 3l7.5 3v5.5c0 4.5-3 8-7.5 9.5-4.5-1.5-7.5-5-7.5-9.5V6zM8.5 12l2.5 2.5 4.5-5",
  chart: "M4 20h16M6.5 16v-5M12 16V5M17.5 16v-8",
  play: "M7 4.5l12 7.5-12 7.5z",
  pause: "M8 5v14M16 5v14",
  first: "M18 5l-7 7 7 7M6 5v14",
  last: "M6 5l7 7-7 7M18 5v14",
  back: "M15 5l-7 7 7 7",
  forward: "M9 5l7 7-7 7",
  again: "M4 12a8 8 0 1 1 2.5 5.8M4 20v-5h5",
  save: "M12 3v12M7.5 11l4.5 4.5 4.5-4.5M4 20h16",
  keys: "M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M8 14.5h8",
  board: "M8 3h8l5 5v8l-5 5H8l-5-5V8zM8.5 10v5M12 8v8M15.5 10v5",
  device: "M7 2.5h10v19H7zM11 18.5h2",
  gear: "M4 7h8.5M17.5 7H20M15 4.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM4 17h2.5M11.5 17H20M9 14.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  trophy:
    "M8 4h8v6a4 4 0 0 1-8 0zM8 6H4.5c0 3 1.5 4.5 3.5 4.5M16 6h3.5c0 3-1.5 4.5-3.5 4.5M12 14v4M8 20h8",
};

/**
 * @param {string} name
 * @param {string} [className]
 */
export function icon(name, className = "") {
  return s(
    "svg",
    { class: `icon icon-${name} ${className}`, viewBox: "0 0 24 24", "aria-hidden": "true" },
    s("path", { d: OUTLINES[name] }),
  );
}
