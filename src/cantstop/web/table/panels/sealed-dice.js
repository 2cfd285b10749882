/** Why the sealed dice can be trusted: the explanation, and the commitment (docs/dice.md). */

import { h } from "../../core/dom.js";
import { icon } from "../../ui/icons.js";
import { t } from "../../words/i18n.js";

function sealSentence() {
  return t(
    "All rolls are fixed by a secret that the server has already committed to, mixed with a number that your browser keeps to itself until everybody else’s is fixed: nobody can steer or change them, no player can foresee them, and after the game your browser can check each one.",
  );
}

/**
 * The promise in one sentence, for the moment before the first roll.
 * @param {string} commitment
 */
export function sealLine(commitment) {
  return h(
    "p",
    { class: "seal-line" },
    icon("seal"),
    h(
      "span",
      {},
      t(
        "Sealed dice: every roll is already fixed, nobody can change it, and you can check it after the game.",
      ),
      " ",
      h("code", { title: commitment }, `${commitment.slice(0, 12)}…`),
    ),
  );
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
    h("summary", {}, icon("seal"), h("span", {}, t("The dice of this table are sealed"))),
    h("p", {}, sealSentence()),
    h(
      "p",
      { class: "muted" },
      t("Commitment to the secret:"),
      " ",
      h("code", { class: "hash" }, commitment),
    ),
  );
}
