/** The seats of a new game: how many, who sits on each, and in which colour. */

import { h } from "../../core/dom.js";
import { coloursOf, personName, seat, withNextColour } from "../../net/new-table.js";
import { icon } from "../../ui/icons.js";
import { opponentButton } from "../../ui/opponents.js";
import { colourNames, LONGEST_NAME } from "../../ui/player-fields.js";
import { seatMark } from "../../ui/seat-marks.js";
import { segments } from "../../ui/segments.js";
import { t } from "../../words/i18n.js";
import { botName } from "../../words/sentences.js";

/** @typedef {import("../../net/new-table.js").Way} Way */
/** @typedef {import("../../net/new-table.js").Settings} Settings */
/** @typedef {import("../../net/new-table.js").SeatChoice} SeatChoice */
/** @typedef {import("../../net/protocol.js").Offers} Offers */

/**
 * What the fields of the seats show and change.
 * @typedef {object} Form
 * @property {Way} way
 * @property {Settings} settings
 * @property {Offers} offered
 * @property {(settings: Settings) => void} change
 */

/**
 * @param {Way} way
 * @param {Settings} settings
 * @param {Offers} offered
 * @param {(settings: Settings) => void} change
 */
export function seatFields(way, settings, offered, change) {
  /** @type {Form} */
  const form = { way, settings, offered, change };
  return h(
    "fieldset",
    { class: "seats" },
    h("legend", {}, way === "bot" ? t("Opponents") : t("Players")),
    countChoice(form),
    settings.seats.slice(1).map((choice, at) => seatRow(form, choice, at + 1)),
  );
}

/** @param {Form} form */
function countChoice({ way, settings, change }) {
  const { seats } = settings;
  return segments(
    "count",
    t("Number of players"),
    [2, 3, 4].map((count) => ({ value: count, content: way === "bot" ? count - 1 : count })),
    seats.length,
    (count) => {
      const grown = Array.from({ length: count }, (_, at) => seats[at] ?? seat(usual(way)));
      change({ ...settings, seats: grown });
    },
  );
}

/**
 * @param {Form} form
 * @param {SeatChoice} choice
 * @param {number} at
 */
function seatRow(form, choice, at) {
  const { way, settings, change } = form;
  /** @param {Partial<SeatChoice>} changes */
  const become = (changes) =>
    change({
      ...settings,
      seats: settings.seats.map((other, i) => (i === at ? { ...other, ...changes } : other)),
    });
  return h(
    "div",
    { class: "seat-row" },
    colourButton(form, choice, at),
    way !== "bot" && way !== "companion" && kindChoice(form, choice, at, become),
    detail(form, choice, at, become),
  );
}

/**
 * Whoever follows a link chooses a colour then.
 * @param {Form} form
 * @param {SeatChoice} choice
 * @param {number} at
 */
function colourButton({ settings, change }, { kind }, at) {
  const colours = coloursOf(settings.seats);
  if (kind === "open") return h("span", { class: "seat-colour" }, icon("person"));
  const name = t("Seat {number}: {colour}. Another colour", {
    number: at + 1,
    colour: colourNames()[colours[at]],
  });
  return h(
    "button",
    {
      type: "button",
      class: "seat-colour icon-button",
      "aria-label": name,
      title: name,
      "data-field": `colour-of-${at}`,
      on: { click: () => change({ ...settings, seats: withNextColour(settings.seats, at) }) },
    },
    seatMark(colours[at]),
  );
}

/**
 * @param {Form} form
 * @param {SeatChoice} choice
 * @param {number} at
 * @param {(changes: Partial<SeatChoice>) => void} become
 */
function kindChoice({ way }, { kind }, at, become) {
  /** @type {[SeatChoice["kind"], string][]} */
  const kinds = [
    way === "online" ? ["open", t("Free seat")] : ["human", t("A person")],
    ["bot", t("A bot")],
  ];
  const list = h(
    "select",
    {
      "aria-label": t("Seat {number}", { number: at + 1 }),
      "data-field": `seat-${at}`,
      on: {
        change: () => become({ kind: /** @type {SeatChoice["kind"]} */ (list.value) }),
      },
    },
    kinds.map(([value, text]) => h("option", { value, selected: value === kind }, text)),
  );
  return list;
}

/**
 * @param {Form} form
 * @param {SeatChoice} choice
 * @param {number} at
 * @param {(changes: Partial<SeatChoice>) => void} become
 */
function detail({ offered }, choice, at, become) {
  if (choice.kind === "bot") {
    const about = offered.bots.find(({ name }) => name === choice.bot)?.about;
    return h(
      "div",
      { class: "seat-bot" },
      opponentButton(choice.bot, (bot) => become({ bot }), { "data-field": `bot-${at}` }),
      about && h("p", { class: "hint" }, about),
    );
  }
  if (choice.kind === "open") return h("p", { class: "hint" }, t("For whoever follows your link."));
  const name = h("input", {
    value: choice.name,
    maxlength: LONGEST_NAME,
    "aria-label": t("Name of player {number}", { number: at + 1 }),
    placeholder: t("Player {number}", { number: at + 1 }),
    "data-field": `name-${at}`,
    // drawing again would take the field away from under the next click
    on: { input: () => Object.assign(choice, { name: name.value }) },
  });
  return name;
}

/**
 * What the one on a seat is called, as far as that is known.
 * @param {SeatChoice} choice
 * @param {number} at
 */
export function seatTitle(choice, at) {
  if (choice.kind === "bot") return botName(choice.bot);
  if (choice.kind === "human") return personName(choice, at);
  return t("Seat {number}", { number: at + 1 });
}

/**
 * @param {Way} way
 * @returns {SeatChoice["kind"]}
 */
function usual(way) {
  if (way === "online") return "open";
  return way === "bot" ? "bot" : "human";
}
