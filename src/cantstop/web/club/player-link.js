/** A player with mark and rating, as a link to what they have done. */

import { h } from "../core/dom.js";
import { link } from "../core/router.js";
import { playerMark } from "./marks.js";
import { shortRating } from "./ratings.js";

/**
 * @param {string} name
 */
export function playerPath(name) {
  return `/players/${encodeURIComponent(name)}`;
}

/** @param {import("../net/protocol.js").PlayerView} player */
export function playerLink({ name, mark, ratings }) {
  const rating = shortRating(ratings);
  return link(
    playerPath(name),
    { class: "player-link" },
    playerMark(mark),
    h("span", { class: "player-name" }, name),
    rating && h("span", { class: "muted" }, rating),
  );
}
