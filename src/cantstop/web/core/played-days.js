/** What this device keeps of the daily game: what the server knows it by, and the days it has played. */

import { load, save } from "./prefs.js";
import { newSecret } from "./saved-games.js";

/**
 * What this device knows of the daily game.
 * @typedef {object} DailyNotes
 * @property {string} device  what the server knows this device by
 * @property {string[]} days  those whose game was finished here and counted, in their order
 * @property {Record<string, number>} turns  how many each of them took, as far as that is known
 */

const MOST_DAYS = 1000;

/** @returns {DailyNotes} */
export function dailyNotes() {
  const notes = load("daily", /** @type {Partial<DailyNotes>} */ ({}));
  const { device = newSecret(), days = [], turns = {} } = notes;
  const known = { device, days, turns };
  if (!notes.device) save("daily", known);
  return known;
}

/**
 * @param {string} day
 * @param {number | null} count  of its turns
 */
export function noteDailyGame(day, count) {
  const { device, days, turns } = dailyNotes();
  save("daily", {
    device,
    days: [...new Set([...days, day])].sort().slice(-MOST_DAYS),
    turns: count === null ? turns : { ...turns, [day]: count },
  });
}

/** @typedef {"none" | "great" | "good" | "fair" | "long" | "played"} DayGrade */

/**
 * How good the game of a day was, by its turns.
 * @param {DailyNotes} notes
 * @param {string} day
 * @returns {DayGrade}
 */
export function dayGrade({ days, turns }, day) {
  if (!days.includes(day)) return "none";
  const count = turns[day];
  if (!count) return "played";
  return count <= 5 ? "great" : count <= 7 ? "good" : count <= 9 ? "fair" : "long";
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
