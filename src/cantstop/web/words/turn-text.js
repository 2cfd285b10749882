/** Sentences about the games that wait: for whom, since when, and how long they still do. */

import { joinList, plural, t } from "./i18n.js";
import { seatName } from "./sentences.js";

/** @typedef {import("../net/protocol.js").TurnTable} TurnTable */

/** @param {number} waiting */
export function waitingText(waiting) {
  if (!waiting) return t("No game waits for you now.");
  return plural(
    waiting,
    t("{count} game waits for you.", { count: waiting }),
    t("{count} games wait for you.", { count: waiting }),
  );
}

/**
 * Whom a player plays, as a title.
 * @param {TurnTable} table
 */
export function rivalsText({ seats, seat }) {
  const others = seats.flatMap((other, at) =>
    at === seat || !other.name ? [] : [seatName(other, at)],
  );
  return others.length
    ? t("Against {names}", { names: joinList(others) })
    : t("Nobody else is there yet");
}
