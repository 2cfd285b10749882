/** After a win against a bot of the ladder: the next one up is offered. */

import { fill, h } from "../../core/dom.js";
import { useStyle } from "../../core/styles.js";
import { fetchOffers } from "../../net/api.js";
import { openTable, rememberOpponent, settingsFor } from "../../net/new-table.js";
import { botFace } from "../../ui/bot-faces.js";
import { toast } from "../../ui/dialog.js";
import { t } from "../../words/i18n.js";
import { botName } from "../../words/sentences.js";

useStyle("opponents");

/** @typedef {import("../../net/state.js").State} State */

/**
 * @param {import("../../net/session.js").Session} session
 * @param {State} state
 * @returns {HTMLElement | null}
 */
export function nextOpponent({ mine }, state) {
  const beaten = state.seats.find(({ bot }) => bot)?.bot;
  const won = state.view.outcome?.winners.some((seat) => mine.includes(seat));
  if (!beaten || !won || state.lesson || state.mode === "online" || state.seats.length !== 2)
    return null;
  const box = h("div", { class: "next-opponent" });
  fetchOffers()
    .then(({ bots }) => {
      const level = bots.find(({ name }) => name === beaten)?.level;
      const next = bots.find((bot) => level && bot.level === level + 1);
      if (next) fill(box, offer(next));
      else if (level) fill(box, h("p", {}, t("Nobody on the ladder is stronger than this.")));
    })
    .catch(() => {}); // it is an offer: without it the rematch is still there
  return box;
}

/** @param {import("../../net/protocol.js").BotOffer} bot */
function offer({ name, about, rating }) {
  const begin = async () => {
    rememberOpponent(name);
    try {
      await openTable("bot", settingsFor("bot"));
    } catch (error) {
      toast(/** @type {Error} */ (error).message, "bad");
    }
  };
  return h(
    "button",
    { type: "button", class: "bot-card", "data-bot": name, on: { click: begin } },
    botFace(name),
    h(
      "span",
      { class: "bot-words" },
      h("strong", {}, t("Next on the ladder: {name}", { name: botName(name) })),
      h("span", { class: "hint" }, `${t("Rating {rating}", { rating: rating ?? 0 })} · ${about}`),
    ),
  );
}
