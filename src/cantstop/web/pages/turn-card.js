/** A game of the player's in a list: whom it is against, how it stands, how much time there is. */

import { h } from "../core/dom.js";
import { link } from "../core/router.js";
import { botFace } from "../ui/bot-faces.js";
import { icon } from "../ui/icons.js";
import { seatMark } from "../ui/seat-marks.js";
import { roundOf } from "../words/counts.js";
import { date, t } from "../words/i18n.js";
import { editionTitle } from "../words/rules-text.js";
import { seatName } from "../words/sentences.js";
import { paceText, timeText } from "../words/time-left.js";
import { rivalsText } from "../words/turn-text.js";

/** @typedef {import("../net/protocol.js").TurnTable} TurnTable */

/** Seconds; with less there is little time left. */
const HURRY = 6 * 3600;

/**
 * @param {TurnTable} table
 * @param {boolean} first  of those that wait
 */
export function turnCard(table, first) {
  const others = table.seats.flatMap((seat, at) => (at === table.seat ? [] : [seat]));
  return link(
    `/t/${table.id}`,
    { class: first ? "card turn-card first" : "card turn-card", "data-game": table.id },
    h(
      "span",
      { class: "turn-faces", "aria-hidden": "true" },
      others.map(({ bot, colour }) =>
        bot ? botFace(bot) : colour === null ? icon("person") : seatMark(colour),
      ),
    ),
    h(
      "span",
      { class: "turn-words" },
      h("strong", {}, rivalsText(table)),
      h("span", { class: "muted" }, standing(table).join(" · ")),
    ),
    timeTag(table),
    h("span", { class: first ? "button primary small" : "button small" }, buttonText(table)),
  );
}

/** @param {TurnTable} table */
function buttonText({ mine, stage }) {
  if (mine) return t("Play");
  return stage === "open" ? t("Invite") : t("Look");
}

/**
 * Whose turn it is, how far the game is, and by which clock it is played.
 * @param {TurnTable} table
 */
function standing({ mine, stage, to_act: toAct, seats, turn, edition, days }) {
  const parts = [
    stage === "playing" && t("Round {round}", { round: roundOf(turn, seats.length) }),
    stage === "open" && editionTitle(edition),
    !mine && toAct !== null && t("{name} is to play", { name: seatName(seats[toAct], toAct) }),
    stage === "open" && days && paceText(days),
  ];
  return parts.filter((part) => typeof part === "string");
}

/**
 * How much time is left for the turn; where no clock runs, since when it goes on.
 * @param {TurnTable} table
 */
function timeTag({ stage, since, seats, to_act: toAct, ends_at: ends, left, mine }) {
  if (stage === "open" || toAct === null || left === null)
    return h("span", { class: "turn-time muted" }, t("since {day}", { day: date(since) }));
  const { away, bank } = seats[toAct];
  if (away)
    return h(
      "span",
      { class: "turn-time" },
      icon("clock"),
      t("away until {time}", { time: date(away) }),
    );
  const own = left - bank;
  const hurry = mine && own < HURRY;
  return h(
    "span",
    { class: hurry ? "turn-time hurry" : "turn-time", title: ends && date(ends) },
    icon("clock"),
    own > 0
      ? t("{time} left", { time: timeText(own) })
      : t("{time} left, of the reserve", { time: timeText(left) }),
  );
}
