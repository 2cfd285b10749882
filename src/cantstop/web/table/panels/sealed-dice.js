/** Why the sealed dice can be trusted: the explanation, and the commitment (docs/dice.md). */

import { h } from "../../core/dom.js";
import { icon } from "../../ui/icons.js";
import { boundSeats, isGradual } from "../../net/salts.js";
import { t } from "../../words/i18n.js";
import { promiseOf } from "./seal-line.js";

/** @typedef {import("../../net/state.js").State} State */

function sealSentence() {
  return t(
    "The server has chosen a secret number and shows its fingerprint here; your browser adds a number of its own, which it keeps to itself until all others are settled. Every roll follows from both: nobody can foresee or steer it. After the game the secret is shown, and your browser checks each roll.",
  );
}

function gradualSentence() {
  return t(
    "The server has chosen a secret number and shows its fingerprint here; your browser adds a number of its own, which it keeps to itself until you roll for the first time. From then on every roll follows from both: nobody can steer it against you. After the game the secret is shown, and your browser checks each roll.",
  );
}

function dailySentence() {
  return t(
    "The dice of a day follow from a key whose fingerprint was shown before the day began. The key is revealed once no game of the day can count any more: then your browser checks each roll.",
  );
}

/**
 * At a slow table, from when on each player's number is part of the dice; null at other tables.
 * @param {State} state
 */
export function saltList(state) {
  if (!state.commitment || !isGradual(state)) return null;
  const bound = boundSeats(state);
  const rows = state.seats.flatMap(({ name, bot }, seat) =>
    bot || name === null ? [] : [h("li", {}, saltText(name, bound[seat]))],
  );
  return h("ul", { class: "salt-list" }, rows);
}

/**
 * @param {string} name
 * @param {import("../../net/salts.js").BoundSeat} seat
 */
function saltText(name, { salt, lost }) {
  if (salt !== null) return t("{name}: number added", { name });
  if (lost) return t("{name}: number lost, plays without it", { name });
  return t("{name}: adds a number with the first roll", { name });
}

/**
 * @param {string | null} commitment
 * @param {boolean} [open]
 * @param {import("../../net/protocol.js").DailyView} [daily]
 * @param {HTMLElement | null} [salts]  at a slow table, what the players have added so far
 * @returns {HTMLElement | null}
 */
export function sealNote(commitment, open = false, daily = undefined, salts = null) {
  if (!commitment) return null;
  const how = salts ? gradualSentence() : sealSentence();
  return h(
    "details",
    { class: "seal-note", open },
    h("summary", {}, icon("seal"), h("span", {}, t("Fair dice"))),
    h("p", {}, promiseOf(daily, salts !== null)),
    salts,
    h(
      "details",
      { class: "seal-how" },
      h("summary", {}, h("span", {}, t("How that works"))),
      h("p", {}, daily ? dailySentence() : how),
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
