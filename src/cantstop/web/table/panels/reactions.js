/** Reactions: faces that a player can send, and how they appear beside a player. */

import { h, s } from "../../core/dom.js";
import { useStyle } from "../../core/styles.js";
import { t } from "../../words/i18n.js";

useStyle("reactions");

const SEEN = 2600;

/** Faces as outlines on a 24 × 24 grid: round head first, then what makes the mood. */
const HEAD = "M12 2.5a9.5 9.5 0 1 0 0 19 9.5 9.5 0 0 0 0-19z";

/** @type {Record<string, {outline: string, name: () => string}>} */
const FACES = {
  cheer: {
    outline: "M8 9.5l1-1.5 1 1.5M14 9.5l1-1.5 1 1.5M7 13c.5 3.5 2.5 5 5 5s4.5-1.5 5-5z",
    name: () => t("Cheer"),
  },
  tease: {
    outline: "M8 9h2M15 8.5v1M8 14c2.5 1.5 5.5 1.5 8-.5M12 15v2.5a2 2 0 0 0 4 0v-3",
    name: () => t("Tease"),
  },
  sympathise: {
    outline: "M8 9.5h.01M16 9.5h.01M8 17c1.5-2.5 6.5-2.5 8 0M16.5 11.5v2.5",
    name: () => t("Sympathise"),
  },
  gasp: {
    outline: "M8.5 9h.01M15.5 9h.01M12 12.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
    name: () => t("Gasp"),
  },
  applaud: {
    outline: "M8 9.5c.5-1 1.5-1 2 0M14 9.5c.5-1 1.5-1 2 0M8 14c1.5 2.5 6.5 2.5 8 0",
    name: () => t("Applaud"),
  },
  laugh: {
    outline: "M7.5 9.5l2-1.5M16.5 9.5l-2-1.5M7.5 13h9a4.5 4.5 0 0 1-9 0z",
    name: () => t("Laugh"),
  },
};

/** @param {string} reaction */
function face(reaction) {
  const { outline } = FACES[reaction] ?? FACES.cheer;
  return s(
    "svg",
    { class: `reaction-face ${reaction}`, viewBox: "0 0 24 24", "aria-hidden": "true" },
    s("path", { class: "head", d: HEAD }),
    s("path", { d: outline }),
  );
}

/** @param {string} reaction */
function reactionName(reaction) {
  return FACES[reaction]?.name() ?? reaction;
}

/**
 * Show a reaction beside its player for a while.
 * @param {Element | undefined} player
 * @param {string} reaction
 */
export function showReaction(player, reaction) {
  if (!player) return;
  player.querySelector(".bubble")?.remove();
  const bubble = h(
    "span",
    { class: "bubble", role: "img", "aria-label": reactionName(reaction) },
    face(reaction),
  );
  player.append(bubble);
  setTimeout(() => bubble.remove(), SEEN);
}

/**
 * The faces to choose from.
 * @param {import("../../net/protocol.js").Reaction[]} reactions
 * @param {(reaction: import("../../net/protocol.js").Reaction) => void} onPick
 */
export function reactionBar(reactions, onPick) {
  return h(
    "div",
    { class: "reaction-bar", role: "group", "aria-label": t("Reactions") },
    reactions.map((reaction) =>
      h(
        "button",
        {
          type: "button",
          class: "reaction",
          "data-reaction": reaction,
          title: reactionName(reaction),
          "aria-label": reactionName(reaction),
          on: { click: () => onPick(reaction) },
        },
        face(reaction),
      ),
    ),
  );
}
