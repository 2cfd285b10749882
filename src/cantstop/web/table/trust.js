// @ts-check
/** Why the dice can be trusted: the sentence, and the commitment that stands for it. */

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";

/**
 * @param {string | null} commitment
 * @returns {HTMLElement | null}
 */
export function sealNote(commitment) {
  if (!commitment) return null;
  return h(
    "details",
    { class: "seal-note" },
    h("summary", {}, icon("seal"), h("span", {}, t("The dice of this table are sealed"))),
    h("p", {}, t("All rolls are fixed by a secret that the server has already committed to, mixed with a number from every player: nobody can change or foresee them, and after the game your browser can check each one.")),
    h("p", { class: "muted" }, t("Commitment to the secret:"), " ", h("code", { class: "hash" }, commitment)),
  );
}
