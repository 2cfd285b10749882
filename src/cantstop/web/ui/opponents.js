/** Choosing a bot to play against: the ladder first, each with face, rating and temperament. */

import { h } from "../core/dom.js";
import { useStyle } from "../core/styles.js";
import { fetchOffers } from "../net/api.js";
import { botFace } from "./bot-faces.js";
import { closeDialog, openDialog, toast } from "./dialog.js";
import { t } from "../words/i18n.js";
import { botName } from "../words/sentences.js";

useStyle("opponents");

/** @typedef {import("../net/protocol.js").BotOffer} Bot */

/**
 * Let the player choose, and say whom they took; nothing is said where they take nobody.
 * @param {string | null} chosen  who is it now, if anybody is
 * @param {(name: string) => void} take
 */
export async function chooseOpponent(chosen, take) {
  try {
    const { bots } = await fetchOffers();
    openDialog(t("Choose an opponent"), opponentList(bots, chosen, taken), "opponents");
  } catch (error) {
    toast(/** @type {Error} */ (error).message, "bad");
  }

  /** @param {string} name */
  function taken(name) {
    closeDialog();
    take(name);
  }
}

/**
 * @param {Bot[]} bots
 * @param {string | null} chosen
 * @param {(name: string) => void} take
 */
function opponentList(bots, chosen, take) {
  const cards = (/** @type {Bot[]} */ some) =>
    h(
      "ul",
      { class: "bot-list" },
      some.map((bot) => h("li", {}, card(bot, bot.name === chosen, take))),
    );
  const classic = bots.filter(({ level }) => level === null);
  return [
    h("p", { class: "hint" }, t("The weakest first. 100 points more win 64 of 100 games.")),
    cards(bots.filter(({ level }) => level !== null)),
    classic.length > 0 &&
      h(
        "details",
        { open: classic.some(({ name }) => name === chosen) },
        h("summary", {}, h("span", {}, t("More: rules of thumb and players from papers"))),
        cards(classic),
      ),
  ];
}

/**
 * @param {Bot} bot
 * @param {boolean} chosen
 * @param {(name: string) => void} take
 */
function card({ name, about, rating }, chosen, take) {
  return h(
    "button",
    {
      type: "button",
      class: "bot-card",
      "data-bot": name,
      "aria-pressed": String(chosen),
      on: { click: () => take(name) },
    },
    botFace(name),
    h(
      "span",
      { class: "bot-words" },
      h(
        "strong",
        {},
        botName(name),
        rating !== null && h("span", { class: "bot-rating" }, ` ${ratingText(rating)}`),
      ),
      h("span", { class: "hint" }, about),
    ),
  );
}

/** @param {number} rating */
function ratingText(rating) {
  return t("Rating {rating}", { rating });
}

/**
 * A button that shows a bot and lets the player choose another one.
 * @param {string} name
 * @param {(name: string) => void} take
 * @param {Record<string, unknown>} [props]
 */
export function opponentButton(name, take, props = {}) {
  return h(
    "button",
    {
      type: "button",
      class: "opponent",
      on: { click: () => chooseOpponent(name, take) },
      ...props,
    },
    botFace(name),
    h("span", { class: "opponent-name" }, botName(name)),
    h("span", { class: "opponent-change" }, t("Change")),
  );
}
