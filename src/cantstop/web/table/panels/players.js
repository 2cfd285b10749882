/** Who sits at the table: mark, name, columns won, whose turn it is, who is away. */

import { h, setAttribute } from "../../core/dom.js";
import { parseRules } from "../../core/rules.js";
import { botFace } from "../../ui/bot-faces.js";
import { fitText } from "../../ui/fit-text.js";
import { icon } from "../../ui/icons.js";
import { seatMark } from "../../ui/seat-marks.js";
import { t } from "../../words/i18n.js";
import { orderText, parText, seatName } from "../../words/sentences.js";

/** @typedef {import("../../net/state.js").State} State */
/** @typedef {import("../../ui/bot-faces.js").Mood} Mood */

export function createPlayers() {
  const element = h("ol", { class: "players" });
  /** @type {Mood[]} of the bots, by seat */
  const moods = [];
  /** @type {string[]} what is shown of each seat */
  const drawn = [];
  return {
    element,
    /**
     * @param {State} state
     * @param {number[]} mine
     */
    update(state, mine) {
      element.setAttribute("aria-label", t("Players"));
      const tagged = state.mode === "online" || state.seats.some(({ kind }) => kind === "bot");
      element.classList.toggle("tagged", tagged);
      const { seat, phase, owners } = state.view;
      const common = [phase === "over", owners, state.stage, mine, t("Players")];
      state.seats.forEach((each, index) => {
        const key = JSON.stringify([each, usesHints(state, index), common]);
        if (key !== drawn[index]) {
          drawn[index] = key;
          put(element, index, player(state, index, mine, moods[index]));
        }
        const turn = state.stage === "playing" && seat === index;
        element.children[index].classList.toggle("turn", turn);
        setAttribute(element.children[index], "aria-current", turn ? "true" : null);
      });
    },
    /** @param {number} index */
    at: (index) => element.children[index],
    /**
     * How a bot takes it.
     * @param {number} index
     * @param {string} bot
     * @param {Mood} mood
     */
    show(index, bot, mood) {
      if ((moods[index] ?? "rest") === mood) return;
      moods[index] = mood;
      element.children[index]?.querySelector(".bot-face")?.replaceWith(botFace(bot, mood));
    },
  };
}

/**
 * Put a player in their place: only who has changed is drawn again.
 * @param {HTMLElement} list
 * @param {number} index
 * @param {HTMLElement} made
 */
function put(list, index, made) {
  list.children[index]?.remove();
  list.insertBefore(made, list.children[index]);
  fitText(/** @type {HTMLElement} */ (made.querySelector(".name")));
}

/**
 * @param {State} state
 * @param {number} index
 * @param {number[]} mine
 * @param {Mood} [mood]
 */
function player(state, index, mine, mood) {
  const seat = state.seats[index];
  const open = seat.kind === "open";
  // at a slow table everybody is gone most of the time
  const away = seat.kind === "human" && !seat.present && state.mode === "online" && !state.days;
  const winner = state.view.outcome?.winners.includes(index);
  const classes = [
    "player",
    ...[away && "away", open && "open", winner && "winner"],
    seat.bot && "animal",
  ];
  return h(
    "li",
    {
      class: `${classes.filter(Boolean).join(" ")} colour-${seat.colour ?? index}`,
    },
    h("span", { class: "face" }, open ? icon("person") : seatMark(seat.colour ?? index)),
    h(
      "span",
      { class: "who" },
      h("span", { class: "name" }, open ? t("Free seat") : seatName(seat, index)),
      h("span", { class: "tags" }, tags(state, index, mine, away)),
    ),
    h(
      "span",
      { class: "wins" },
      slots(state, index),
      state.stage === "playing" && state.par !== null && parNote(state),
    ),
    seat.bot && botFace(seat.bot, mood),
  );
}

/**
 * @param {State} state
 * @param {number} index
 * @param {number[]} mine
 * @param {boolean} away
 */
function tags(state, index, mine, away) {
  const seat = state.seats[index];
  /** @type {(HTMLElement | null)[]} */
  const found = [];
  // where a line is too short for all of them, the last ones give way
  if (seat.resigned) found.push(tag(t("resigned"), "bot"));
  else if (seat.substitute) found.push(tag(t("bot plays"), "bot"));
  if (away && !seat.substitute) found.push(tag(t("away"), "away"));
  if (usesHints(state, index)) found.push(hintMark());
  if (seat.order) found.push(orderMark(seat.order));
  if (state.mode === "online" && mine.includes(index)) found.push(tag(t("you"), "you"));
  if (seat.kind === "bot") found.push(tag(t("bot"), "bot"));
  return found;
}

/**
 * Everybody sees who plays with hints; what they say is shown to nobody else.
 * @param {State} state
 * @param {number} index
 */
function usesHints({ log }, index) {
  return log.some((event) => event.kind === "hinted" && event.seat === index);
}

function hintMark() {
  const name = t("uses hints");
  return h(
    "span",
    { class: "tag hinted", role: "img", "aria-label": name, title: name },
    icon("bulb"),
  );
}

/**
 * What is decided for a player, for all to see.
 * @param {import("../../net/protocol.js").Order} order
 */
function orderMark(order) {
  const name = t("Standing order: {order}", { order: orderText(order) });
  const about = { role: "img", "aria-label": name, title: name };
  return h("span", { class: "tag ordered", ...about }, icon("order"));
}

/**
 * @param {string} text
 * @param {string} kind
 */
function tag(text, kind) {
  return h("span", { class: `tag ${kind}` }, text);
}

/** @param {State} state */
function parNote(state) {
  return h("span", { class: "par" }, parText(state));
}

/**
 * A place for every column it takes to win, filled with the numbers of those won.
 * @param {State} state
 * @param {number} index
 */
function slots(state, index) {
  const won = state.view.owners.flatMap((owner, column) => (owner === index ? [column + 2] : []));
  const places = Math.max(parseRules(state.rules).win, won.length);
  return [
    h(
      "span",
      { class: "sr-only" },
      won.length
        ? t("Columns won: {columns}", { columns: won.join(", ") })
        : t("No column won yet"),
    ),
    Array.from({ length: places }, (_, at) =>
      h(
        "span",
        { class: at < won.length ? "slot filled" : "slot", "aria-hidden": "true" },
        won[at] ?? "",
      ),
    ),
  ].flat();
}
