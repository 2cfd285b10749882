/** Why the sealed dice can be trusted: the explanation, and the commitment (docs/dice.md). */

import { h } from "../../core/dom.js";
import { icon } from "../../ui/icons.js";
import { t } from "../../words/i18n.js";

function sealSentence() {
  return t(
    "The server has chosen a secret number and shows its fingerprint here; your browser adds a number of its own, which it keeps to itself until all others are settled. Every roll follows from both: nobody can foresee or steer it. After the game the secret is shown, and your browser checks each roll.",
  );
}

function promise() {
  return t("Fair dice: nobody can steer them, and you can check every roll after the game.");
}

/**
 * The promise in one line, for the moment before the first roll; the hash is there on demand.
 * @param {string} commitment
 */
export function sealLine(commitment) {
  return h("p", { class: "seal-line", title: commitment }, icon("seal"), h("span", {}, promise()));
}

/**
 * @param {string | null} commitment
 * @param {boolean} [open]
 * @returns {HTMLElement | null}
 */
export function sealNote(commitment, open = false) {
  if (!commitment) return null;
  return h(
    "details",
    { class: "seal-note", open },
    h("summary", {}, icon("seal"), h("span", {}, t("Fair dice"))),
    h("p", {}, promise()),
    h(
      "details",
      { class: "seal-how" },
      h("summary", {}, h("span", {}, t("How that works"))),
      h("p", {}, sealSentence()),
      h(
        "p",
        { class: "muted" },
        t("Commitment to the secret:"),
        " ",
        h("code", { class: "hash" }, commitment),
      ),
    ),
  );
}
