/** What this device keeps of the daily game: what the server knows it by, and the days it has played. */

import { load, save } from "./prefs.js";
import { newSecret } from "./saved-games.js";

/**
 * What this device knows of the daily game.
 * @typedef {object} DailyNotes
 * @property {string} device  what the server knows this device by
 * @property {string[]} days  those whose game was finished here and counted, in their order
 */

const MOST_DAYS = 1000;

/** @returns {DailyNotes} */
export function dailyNotes() {
  const notes = load("daily", /** @type {Partial<DailyNotes>} */ ({}));
  const known = { device: notes.device || newSecret(), days: notes.days ?? [] };
  if (!notes.device) save("daily", known);
  return known;
}

/** @param {string} day */
export function noteDailyGame(day) {
  const { device, days } = dailyNotes();
  save("daily", { device, days: [...new Set([...days, day])].sort().slice(-MOST_DAYS) });
}

/**
 * How many days in a row have been played, up to this one or the one before.
 * @param {string} today  by the server's clock
 */
export function dailyStreak(today) {
  const days = new Set(dailyNotes().days);
  const before = (/** @type {number} */ ago) =>
    new Date(Date.parse(today) - ago * 86_400_000).toISOString().slice(0, 10);
  let ago = days.has(today) ? 0 : 1;
  const first = ago;
  while (days.has(before(ago))) ago += 1;
  return ago - first;
}
