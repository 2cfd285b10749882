/** When one is reminded of a turn that still waits. */

import { h, write } from "../../core/dom.js";
import { setReminders } from "../../net/calls.js";
import { problemLine } from "../../club/attempt.js";
import { icon } from "../../ui/icons.js";
import { t } from "../../words/i18n.js";
import { timeText } from "../../words/time-left.js";

/** @typedef {import("../../net/protocol.js").SetReminders["hours"][number]} Hours */

/** @type {Hours[]} */
const CHOICES = [48, 24, 12, 6, 3, 1];

/** @param {import("../../net/protocol.js").Calls} calls */
export function remindersCard({ reminders }) {
  const problem = problemLine();
  const boxes = CHOICES.map((hours) =>
    h("input", {
      type: "checkbox",
      value: hours,
      "data-field": `reminder-${hours}`,
      checked: reminders.includes(hours),
      on: { change: keep },
    }),
  );
  let known = reminders;

  async function keep() {
    write(problem, "");
    const chosen = CHOICES.filter((_, at) => boxes[at].checked);
    try {
      known = (await setReminders(chosen)).reminders;
    } catch (error) {
      write(problem, /** @type {Error} */ (error).message);
      boxes.forEach((box, at) => (box.checked = known.includes(CHOICES[at])));
    }
  }

  return h(
    "section",
    { class: "card reminders-card", "aria-labelledby": "reminders-title" },
    h("h2", { id: "reminders-title" }, icon("again"), t("Reminders")),
    h("p", { id: "reminders-about" }, t("Tell me again when so much time is left for a turn:")),
    h(
      "div",
      { class: "reminder-choices", role: "group", "aria-labelledby": "reminders-about" },
      boxes.map((box, at) =>
        h("label", { class: "check" }, box, h("span", {}, timeText(3600 * CHOICES[at]))),
      ),
    ),
    problem,
  );
}
