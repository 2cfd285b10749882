/** Why the sealed dice can be trusted: the explanation, and the commitment (docs/dice.md). */

import { h } from "../../core/dom.js";
import { icon } from "../../ui/icons.js";
import { t } from "../../words/i18n.js";

function sealSentence() {
  return t(
    "The server has chosen a secret number and shows its fingerprint here; your browser adds a number of its own, which it keeps to itself until all others are settled. Every roll follows from both: nobody can foresee or steer it. After the game the secret is shown, and your browser checks each roll.",
  );
}

function dailySentence() {
  return t(
    "The dice of a day follow from a key whose fingerprint was shown before the day began. The key is revealed once no game of the day can count any more: then your browser checks each roll.",
  );
}

function promise() {
  return t("Fair dice: nobody can steer them, and you can check every roll after the game.");
}

/** @param {import("../../net/protocol.js").DailyView} daily */
function dailyPromise({ day, counts }) {
  return counts
    ? t("The dice of {day} are the same for everybody: this is your one try.", { day })
    : t("The dice of {day}, the same for everybody. This game is outside the ranking.", { day });
}

/**
 * The promise in one line, for the moment before the first roll; the hash is there on demand.
 * @param {string} commitment
 * @param {import("../../net/protocol.js").DailyView} [daily]
 */
export function sealLine(commitment, daily) {
  const text = daily ? dailyPromise(daily) : promise();
  return h("p", { class: "seal-line", title: commitment }, icon("seal"), h("span", {}, text));
}

/**
 * @param {string | null} commitment
 * @param {boolean} [open]
 * @param {import("../../net/protocol.js").DailyView} [daily]
 * @returns {HTMLElement | null}
 */
export function sealNote(commitment, open = false, daily = undefined) {
  if (!commitment) return null;
  return h(
    "details",
    { class: "seal-note", open },
    h("summary", {}, icon("seal"), h("span", {}, t("Fair dice"))),
    h("p", {}, daily ? dailyPromise(daily) : promise()),
    h(
      "details",
      { class: "seal-how" },
      h("summary", {}, h("span", {}, t("How that works"))),
      h("p", {}, daily ? dailySentence() : sealSentence()),
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
