/** Quiet hours, weekends and the time zone that both are in. */

import { h, setAttribute } from "../../core/dom.js";
import { setHours } from "../../net/calls.js";
import { attempt, problemLine } from "../../club/attempt.js";
import { toast } from "../../ui/dialog.js";
import { icon } from "../../ui/icons.js";
import { t } from "../../words/i18n.js";

/** @typedef {import("../../net/protocol.js").PlayerHours} PlayerHours */

/** From when until when, where nobody has chosen yet. */
const NIGHT = [22 * 60, 8 * 60];

/** @param {PlayerHours} hours */
export function hoursCard(hours) {
  const { quiet_from: from, quiet_until: until, zone, weekends_off: weekends } = hours;
  const problem = problemLine();
  const isQuiet = from !== null && until !== null;
  const quiet = h("input", {
    type: "checkbox",
    "data-field": "quiet",
    checked: isQuiet,
    on: { change: () => enable() },
  });
  const begins = timeField("quiet-from", t("Quiet from"), from ?? NIGHT[0]);
  const ends = timeField("quiet-until", t("Quiet until"), until ?? NIGHT[1]);
  const free = h("input", { type: "checkbox", "data-field": "weekends", checked: weekends });
  const zones = zoneChoice(isQuiet || weekends || zone !== "UTC" ? zone : ownZone());
  const enable = () => [begins, ends].forEach((field) => (field.disabled = !quiet.checked));
  enable();
  const submit = attempt(problem, async () => {
    await setHours({
      zone: zones.value,
      quiet_from: quiet.checked ? minutes(begins.value) : null,
      quiet_until: quiet.checked ? minutes(ends.value) : null,
      weekends_off: free.checked,
    });
    toast(t("Saved."));
  });
  return h(
    "section",
    { class: "card hours-card", "aria-labelledby": "hours-title" },
    h("h2", { id: "hours-title" }, icon("dark"), t("Quiet hours and weekends")),
    h(
      "form",
      { on: { submit } },
      check(
        quiet,
        t("Quiet hours"),
        t("Nothing is sent, and no turn of yours ends; its time goes on."),
      ),
      h("div", { class: "quiet-times" }, begins, h("span", { "aria-hidden": "true" }, "–"), ends),
      check(free, t("Weekends off"), t("Saturdays and Sundays do not count for your turns.")),
      h("label", { class: "choice" }, h("span", { class: "choice-name" }, t("Time zone")), zones),
      h("button", { class: "keep-hours" }, t("Save")),
      problem,
    ),
  );
}

/**
 * @param {HTMLInputElement} box
 * @param {string} title
 * @param {string} text
 */
function check(box, title, text) {
  return h(
    "label",
    { class: "check" },
    box,
    h("span", { class: "check-words" }, h("strong", {}, title), h("span", { class: "hint" }, text)),
  );
}

/**
 * @param {string} name
 * @param {string} label
 * @param {number} value  in minutes of the day
 */
function timeField(name, label, value) {
  const field = h("input", { type: "time", name, required: true, "aria-label": label });
  const [hour, minute] = [Math.floor(value / 60), value % 60];
  field.value = [hour, minute].map((part) => String(part).padStart(2, "0")).join(":");
  return field;
}

/** @param {string} text  “22:30” */
function minutes(text) {
  const [hour, minute] = text.split(":").map(Number);
  return 60 * hour + minute;
}

/** The zone that this device is in. */
export function ownZone() {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

/** @param {string} chosen */
function zoneChoice(chosen) {
  const known = Intl.supportedValuesOf?.("timeZone") ?? [];
  const zones = [...new Set(["UTC", ownZone(), chosen, ...known])].sort();
  const list = h(
    "select",
    { name: "zone" },
    zones.map((zone) => h("option", { value: zone }, zone.replaceAll("_", " "))),
  );
  list.value = chosen;
  setAttribute(list, "translate", "no");
  return list;
}
