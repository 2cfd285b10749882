/** Time in days, hours and minutes: what is left for a turn at a slow table. */

import { plural, t } from "./i18n.js";

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
/** Hours; from here on nobody counts minutes. */
const MANY_HOURS = 6;

/**
 * “2 days 4 h”, “5 h 20 min”, “12 min”; never longer than it is.
 * @param {number} seconds
 */
export function timeText(seconds) {
  const days = Math.floor(seconds / DAY);
  const hours = Math.floor((seconds % DAY) / HOUR);
  const minutes = Math.floor((seconds % HOUR) / MINUTE);
  if (days) return [daysText(days), hours > 0 && hoursText(hours)].filter(Boolean).join(" ");
  if (hours)
    return [hoursText(hours), hours < MANY_HOURS && minutes > 0 && minutesText(minutes)]
      .filter(Boolean)
      .join(" ");
  return minutes ? minutesText(minutes) : t("less than a minute");
}

/**
 * The same where there is little room: “2 d 4 h”, “5 h”, “12 min”.
 * @param {number} seconds
 */
export function shortTime(seconds) {
  const days = Math.floor(seconds / DAY);
  const hours = Math.floor((seconds % DAY) / HOUR);
  if (days)
    return [t("{days} d", { days }), hours > 0 && hoursText(hours)].filter(Boolean).join(" ");
  return hours ? hoursText(hours) : minutesText(Math.ceil(seconds / MINUTE));
}

/**
 * “1 day”, “3 days”
 * @param {number} days
 */
export function daysText(days) {
  return plural(days, t("{days} day", { days }), t("{days} days", { days }));
}

/** @param {number} hours */
function hoursText(hours) {
  return t("{hours} h", { hours });
}

/** @param {number} minutes */
function minutesText(minutes) {
  return t("{minutes} min", { minutes });
}

/**
 * How long one has at a slow table.
 * @param {number} days
 */
export function paceText(days) {
  return plural(days, t("{days} day for a turn", { days }), t("{days} days for a turn", { days }));
}
