/** Time away: it counts at no slow table, and the others see it. */

import { fill, h } from "../../core/dom.js";
import { announceAway, endAway } from "../../net/calls.js";
import { attempt, problemLine } from "../../club/attempt.js";
import { icon } from "../../ui/icons.js";
import { date, t } from "../../words/i18n.js";
import { timeText } from "../../words/time-left.js";

/** @typedef {import("../../net/protocol.js").PlayerHours} PlayerHours */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** @param {PlayerHours} hours */
export function awayCard(hours) {
  const card = h("section", { class: "card away-card", "aria-labelledby": "away-title" });
  draw(card, hours);
  return card;
}

/**
 * @param {HTMLElement} card
 * @param {PlayerHours} hours
 */
function draw(card, hours) {
  const problem = problemLine();
  const { away, away_hours_left: left } = hours;
  const back = (/** @type {string} */ from) =>
    attempt(problem, async () => draw(card, await endAway(from)));
  fill(
    card,
    h("h2", { id: "away-title" }, icon("flag"), t("Time away")),
    h(
      "p",
      {},
      t("Up to 21 days a year that do not count for your turns. The others see until when."),
    ),
    away.length > 0 &&
      h(
        "ul",
        { class: "away-list" },
        away.map((time) => awayItem(time, back(time.from_at))),
      ),
    problem,
    left > 0 && awayForm(card),
    h(
      "p",
      { class: "hint" },
      left > 0
        ? t("Left of it this year: {time}", { time: timeText(3600 * left) })
        : t("Nothing is left of it this year."),
    ),
  );
}

/**
 * @param {PlayerHours["away"][number]} time
 * @param {(event: Event) => void} back
 */
function awayItem({ from_at: from, until_at: until }, back) {
  const begun = Date.parse(from) <= Date.now();
  const text = t("{from} to {until}", { from: date(from), until: date(until) });
  return h(
    "li",
    {},
    h("span", {}, text),
    h(
      "button",
      { type: "button", class: "small", "aria-describedby": "away-title", on: { click: back } },
      begun ? t("I am back") : t("I stay"),
    ),
  );
}

/** @param {HTMLElement} card */
function awayForm(card) {
  const problem = problemLine();
  const soon = Math.ceil(Date.now() / HOUR) * HOUR;
  const from = momentField("away-from", t("Away from"), soon);
  const until = momentField("away-until", t("Away until"), soon + 7 * DAY);
  const submit = attempt(problem, async () => {
    const hours = await announceAway({ from_at: moment(from), until_at: moment(until) });
    draw(card, hours);
    /** @type {HTMLElement | null} */ (card.querySelector("li button"))?.focus();
  });
  return h(
    "form",
    { class: "away-form", on: { submit } },
    labelled(t("From"), from),
    labelled(t("Until"), until),
    h("button", { class: "announce-away" }, t("I am away")),
    problem,
  );
}

/**
 * @param {string} text
 * @param {HTMLInputElement} field
 */
function labelled(text, field) {
  return h("label", { class: "choice" }, h("span", { class: "choice-name" }, text), field);
}

/**
 * A full hour of a day, as the device's clock has it.
 * @param {string} name
 * @param {string} label
 * @param {number} value
 */
function momentField(name, label, value) {
  const field = h("input", {
    type: "datetime-local",
    name,
    required: true,
    step: 3600,
    "aria-label": label,
  });
  const local = new Date(value - 60_000 * new Date(value).getTimezoneOffset());
  field.value = local.toISOString().slice(0, 16);
  return field;
}

/** @param {HTMLInputElement} field */
function moment({ value }) {
  return new Date(value).toISOString();
}
