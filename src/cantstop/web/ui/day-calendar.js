/** The last weeks of the daily game as a calendar: each day by its turns, and a way to play it. */

import { dailyNotes, dayGrade } from "../core/played-days.js";
import { h } from "../core/dom.js";
import { link } from "../core/router.js";
import { useStyle } from "../core/styles.js";
import { turnsText } from "../words/counts.js";
import { dayText, language, t } from "../words/i18n.js";

useStyle("days");

const WEEKS = 5;
/** The number of past days that the server has the dice of; a test compares it. */
const ARCHIVE = 30;
const DAY = 86_400_000;

/**
 * @param {string} today
 * @param {string} [shown]  the day that the page is about
 */
export function dayCalendar(today, shown = today) {
  const weekday = (new Date(`${today}T12:00:00Z`).getUTCDay() + 6) % 7;
  const first = Date.parse(today) - (weekday + 7 * (WEEKS - 1)) * DAY;
  const days = Array.from({ length: 7 * WEEKS }, (_, at) =>
    new Date(first + at * DAY).toISOString().slice(0, 10),
  );
  const names = new Intl.DateTimeFormat(language(), { weekday: "narrow", timeZone: "UTC" });
  const notes = dailyNotes();
  return [
    h(
      "div",
      { class: "calendar" },
      days
        .slice(0, 7)
        .map((day) =>
          h("span", { class: "weekday", "aria-hidden": "true" }, names.format(Date.parse(day))),
        ),
      days.map((day) => dayCell(day, today, day === shown, notes)),
    ),
    h(
      "p",
      { class: "calendar-key muted" },
      [
        ["great", t("up to 5 turns")],
        ["good", t("6 or 7")],
        ["fair", t("8 or 9")],
        ["long", t("10 and more")],
      ].map(([grade, text]) => h("span", {}, h("span", { class: `day ${grade}` }), text)),
    ),
  ];
}

/**
 * @param {string} day
 * @param {string} today
 * @param {boolean} shown
 * @param {import("../core/played-days.js").DailyNotes} notes
 */
function dayCell(day, today, shown, notes) {
  const name = String(Number(day.slice(8)));
  if (day > today) return h("span", { class: "cell later", "aria-hidden": "true" }, name);
  const grade = dayGrade(notes, day);
  if (Date.parse(today) - Date.parse(day) > ARCHIVE * DAY)
    return h("span", { class: `cell day ${grade}`, "aria-hidden": "true" }, name);
  const turns = notes.turns[day];
  const said = grade === "none" ? t("not played") : turns ? turnsText(turns) : t("played");
  return link(
    `/daily?day=${day}`,
    {
      class: `cell day ${grade}${day === today ? " today" : ""}`,
      "aria-label": t("{day}: {turns}", { day: dayText(day), turns: said }),
      "aria-current": shown ? "page" : undefined,
      title: said,
    },
    name,
  );
}
