/** The seats of a new game: how many, and who sits on each. */

import { h } from "../../core/dom.js";
import { seat } from "../../net/new-table.js";
import { LONGEST_NAME } from "../../ui/player-fields.js";
import { t } from "../../words/i18n.js";
import { botName } from "../../words/sentences.js";

/** @typedef {import("../../net/new-table.js").Way} Way */
/** @typedef {import("../../net/new-table.js").Settings} Settings */
/** @typedef {import("../../net/new-table.js").SeatChoice} SeatChoice */
/** @typedef {import("../../net/protocol.js").Offers} Offers */

/**
 * @param {Way} way
 * @param {Settings} settings
 * @param {Offers} offered
 * @param {(settings: Settings) => void} change
 */
export function seatFields(way, settings, offered, change) {
  const seats = settings.seats;
  return h(
    "fieldset",
    { class: "seats" },
    h("legend", {}, t("Players")),
    h(
      "div",
      { class: "segments", role: "radiogroup", "aria-label": t("Number of players") },
      [2, 3, 4].map((count) => countChoice(count)),
    ),
    seats.slice(1).map((choice, at) => seatRow(choice, at + 1)),
  );

  /** @param {number} count */
  function countChoice(count) {
    const grown = Array.from({ length: count }, (_, at) => seats[at] ?? seat(usual(way)));
    return h(
      "label",
      { class: "segment" },
      h("input", {
        type: "radio",
        name: "count",
        value: count,
        checked: seats.length === count,
        "data-field": `count-${count}`,
        on: { change: () => change({ ...settings, seats: grown }) },
      }),
      h("span", {}, count),
    );
  }

  /**
   * @param {SeatChoice} choice
   * @param {number} at
   */
  function seatRow(choice, at) {
    /** @param {Partial<SeatChoice>} changes */
    const become = (changes) =>
      change({
        ...settings,
        seats: seats.map((other, i) => (i === at ? { ...other, ...changes } : other)),
      });
    const kind = h(
      "select",
      {
        "aria-label": t("Seat {number}", { number: at + 1 }),
        "data-field": `seat-${at}`,
        on: { change: () => become(parsed(kind.value)) },
      },
      choices(way).map(([value, text]) =>
        h("option", { value, selected: value === choice.kind }, text),
      ),
      h(
        "optgroup",
        { label: t("Bots") },
        offered.bots.map(({ name }) =>
          h(
            "option",
            { value: `bot:${name}`, selected: choice.kind === "bot" && choice.bot === name },
            botName(name),
          ),
        ),
      ),
    );
    return h(
      "div",
      { class: "seat-row" },
      h("span", { class: "seat-number", "aria-hidden": "true" }, at + 1),
      kind,
      detail(choice, at),
    );
  }

  /**
   * @param {SeatChoice} choice
   * @param {number} at
   */
  function detail(choice, at) {
    if (choice.kind === "bot") {
      return h(
        "p",
        { class: "hint" },
        offered.bots.find(({ name }) => name === choice.bot)?.about ?? "",
      );
    }
    if (choice.kind === "open")
      return h("p", { class: "hint" }, t("For whoever follows your link."));
    const name = h("input", {
      value: choice.name,
      maxlength: LONGEST_NAME,
      "aria-label": t("Name of player {number}", { number: at + 1 }),
      placeholder: t("Player {number}", { number: at + 1 }),
      "data-field": `name-${at}`,
      // drawing anew would take the field away from under the next click
      on: { input: () => Object.assign(choice, { name: name.value }) },
    });
    return name;
  }
}

/**
 * @param {Way} way
 * @returns {SeatChoice["kind"]}
 */
function usual(way) {
  if (way === "online") return "open";
  return way === "hotseat" ? "human" : "bot";
}

/**
 * @param {Way} way
 * @returns {[string, string][]}
 */
function choices(way) {
  if (way === "online") return [["open", t("Free seat")]];
  return way === "hotseat" ? [["human", t("Person")]] : [];
}

/**
 * @param {string} value
 * @returns {Partial<SeatChoice>}
 */
function parsed(value) {
  if (value.startsWith("bot:")) return { kind: "bot", bot: value.slice(4) };
  return { kind: value === "open" ? "open" : "human" };
}
