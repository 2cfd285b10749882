/** The rules of a new game: the edition, and the variants that it prints. */

import { h, write } from "../../core/dom.js";
import { paceChoice, tutorChoice } from "../../ui/preference-choices.js";
import { labelledSegments } from "../../ui/segments.js";
import { t } from "../../words/i18n.js";
import { paceText } from "../../words/time-left.js";
import { seatTitle } from "./seat-fields.js";
import {
  earlyWords,
  editionTitle,
  editionWords,
  sharingNames,
  sharingWords,
  startNames,
  winWords,
} from "../../words/rules-text.js";

/** @typedef {import("../../net/new-table.js").Settings} Settings */
/** @typedef {import("../../net/new-table.js").Edition} Edition */

/**
 * What the fields of the rules show and change.
 * @typedef {object} Form
 * @property {Settings} settings
 * @property {Edition} edition
 * @property {(settings: Settings) => void} change
 */

/**
 * @param {import("../../net/new-table.js").Way} way
 * @param {Settings} settings
 * @param {Edition} edition
 * @param {Edition[]} editions  those that differ for this number of players
 * @param {(settings: Settings) => void} change
 */
export function rulesFields(way, settings, edition, editions, change) {
  /** @type {Form} */
  const form = { settings, edition, change };
  const others = way !== "solo";
  return h(
    "fieldset",
    { class: "rules" },
    h("legend", {}, t("Rules")),
    h(
      "div",
      { class: "editions", role: "radiogroup", "aria-label": t("Edition") },
      editions.map((each) => editionChoice(form, each)),
    ),
    winChoice(form),
    others && edition.sharing.length > 1 && sharingChoice(form),
    edition.early && check(form, "early", t("Runners out early"), earlyWords()),
    others && edition.name === "custom" && startChoice(form),
    others && startOf(form) === "youngest" && youngestChoice(form),
    check(
      form,
      "help",
      t("Show the chance to bust"),
      others
        ? t("Everybody at the table sees the risk of the next roll.")
        : t("You see the risk of the next roll."),
    ),
    way === "online" &&
      check(
        form,
        "hints",
        t("Hints allowed"),
        t("Whoever decides may see what every option is worth. Everybody sees who looks."),
      ),
    way === "online" && clockChoice(form),
    (way === "bot" || way === "solo") && tutorChoice(),
    settings.seats.some(({ kind }) => kind === "bot") && paceChoice(),
  );
}

/** @param {Form} form */
function startOf({ settings, edition }) {
  return edition.name === "custom" ? settings.start : edition.start;
}

/**
 * @param {Form} form
 * @param {Edition} each
 */
function editionChoice({ settings, edition, change }, each) {
  return card(
    "edition",
    each.name,
    editionTitle(each.name),
    editionWords(each, settings.seats.length),
    edition === each,
    () => change({ ...settings, edition: each.name }),
  );
}

/** @param {Form} form */
function winChoice({ settings, edition, change }) {
  const wins = edition.win[settings.seats.length] ?? [3];
  if (wins.length < 2) return null;
  return labelledSegments(
    "win",
    t("Columns to win"),
    wins.map((win) => ({ value: win, content: win })),
    settings.win,
    (win) => change({ ...settings, win }),
    winWords(),
  );
}

/** @param {Form} form */
function sharingChoice({ settings, edition, change }) {
  return h(
    "div",
    { class: "choice", role: "radiogroup", "aria-label": t("Others’ tokens") },
    h("span", { class: "choice-name" }, t("Others’ tokens")),
    h(
      "div",
      { class: "cards" },
      edition.sharing.map((sharing) =>
        card(
          "sharing",
          sharing,
          sharingNames()[sharing],
          sharingWords()[sharing],
          settings.sharing === sharing,
          () => change({ ...settings, sharing }),
        ),
      ),
    ),
  );
}

/** @param {Form} form */
function startChoice({ settings, change }) {
  return select("start", t("Who starts"), Object.entries(startNames()), settings.start, (start) =>
    change({ ...settings, start: /** @type {Settings["start"]} */ (start) }),
  );
}

/** The times that an online table can have, by what the field holds. */
const CLOCKS = [15, 30, 60];
export const DAYS = [1, 2, 3, 7];

/**
 * Seconds for a decision, or days for a turn.
 * @param {Form} form
 */
function clockChoice({ settings, change }) {
  const chosen = settings.days ? `days ${settings.days}` : String(settings.clock);
  /** @type {[string, string][]} */
  const times = [
    ["0", t("No limit")],
    ...CLOCKS.map(
      (seconds) =>
        /** @type {[string, string]} */ ([
          String(seconds),
          t("{seconds} seconds for a decision", { seconds }),
        ]),
    ),
    ...DAYS.map((days) => /** @type {[string, string]} */ ([`days ${days}`, paceText(days)])),
  ];
  const choice = select("clock", t("Time to think"), times, chosen, (time) => {
    const [days, seconds] = time.startsWith("days ") ? [Number(time.slice(5)), 0] : [0, time];
    change({ ...settings, days, clock: Number(seconds) });
  });
  choice.append(h("p", { class: "hint" }, clockText(settings)));
  return choice;
}

/** @param {Settings} settings */
function clockText({ clock, days }) {
  if (days)
    return t(
      "A game beside everything else: everybody plays a turn when they have a minute. When the time is over, and a reserve of three turns for the whole game, a bot plays that turn.",
    );
  return clock
    ? t(
        "When it runs out, a bot plays on for you; you may come back. A reserve gives time to think.",
      )
    : t("The table waits for everybody, as long as it takes.");
}

/** @param {Form} form */
function youngestChoice({ settings, change }) {
  const seats = settings.seats.map(
    (choice, at) => /** @type {[string, string]} */ ([String(at), seatTitle(choice, at)]),
  );
  return select("youngest", t("The youngest is"), seats, String(settings.youngest), (seat) =>
    change({ ...settings, youngest: Number(seat) }),
  );
}

/**
 * @param {Form} form
 * @param {"early" | "help" | "hints"} name
 * @param {string} title
 * @param {string} text
 */
function check({ settings, change }, name, title, text) {
  const box = h("input", {
    type: "checkbox",
    name,
    checked: settings[name],
    "data-field": name,
    on: { change: () => change({ ...settings, [name]: box.checked }) },
  });
  return h(
    "label",
    { class: "check" },
    box,
    h("span", { class: "check-words" }, h("strong", {}, title), h("span", { class: "hint" }, text)),
  );
}

/**
 * @param {string} group
 * @param {string} value
 * @param {string} title
 * @param {string} text
 * @param {boolean} checked
 * @param {() => void} onChange
 */
function card(group, value, title, text, checked, onChange) {
  return h(
    "label",
    { class: "card-choice" },
    h("input", {
      type: "radio",
      name: group,
      value,
      checked,
      "data-field": `${group}-${value}`,
      on: { change: onChange },
    }),
    h("span", { class: "card-words" }, h("strong", {}, title), h("span", { class: "hint" }, text)),
  );
}

/**
 * @param {string} field
 * @param {string} title
 * @param {[string, string][]} values
 * @param {string} chosen
 * @param {(value: string) => void} onChange
 */
function select(field, title, values, chosen, onChange) {
  const list = h(
    "select",
    { "data-field": field, on: { change: () => onChange(list.value) } },
    values.map(([value, text]) => h("option", { value, selected: value === chosen }, text)),
  );
  return h("label", { class: "choice" }, h("span", { class: "choice-name" }, title), list);
}

/**
 * The names in the choice of the youngest, as they are typed.
 * @param {HTMLFormElement} form
 * @param {Settings["seats"]} seats
 */
export function nameYoungest(form, seats) {
  form
    .querySelectorAll("[data-field=youngest] option")
    .forEach((option, at) => write(option, seatTitle(seats[at], at)));
}
