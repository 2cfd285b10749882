/** An animal on the way up: its face, a tick once it is beaten, the score; a tap plays it. */

import { h } from "../core/dom.js";
import { openTable, rememberOpponent, settingsFor } from "../net/new-table.js";
import { t } from "../words/i18n.js";
import { botName } from "../words/sentences.js";
import { botFace } from "./bot-faces.js";
import { toast } from "./dialog.js";
import { icon } from "./icons.js";

/** @typedef {import("../core/ladder.js").Score} Score */

/**
 * @param {string} bot
 * @param {Score} score
 * @param {boolean} next  whether it is the one to beat
 */
export function ladderStep(bot, { won, lost }, next) {
  const name = botName(bot);
  const played = won + lost > 0;
  return h(
    "button",
    {
      type: "button",
      class: next ? "step next" : "step",
      "data-bot": bot,
      title: name,
      "aria-label": played
        ? t("Play {name}: {won} won, {lost} lost", { name, won, lost })
        : t("Play {name}", { name }),
      on: { click: () => playAnimal(bot) },
    },
    h(
      "span",
      { class: next ? "step-face waving" : "step-face" },
      botFace(bot, next ? "waving" : "rest"),
    ),
    won > 0 && icon("check", "beaten"),
  );
}

/** @param {string} bot */
export async function playAnimal(bot) {
  rememberOpponent(bot);
  try {
    await openTable("bot", settingsFor("bot"));
  } catch (error) {
    toast(/** @type {Error} */ (error).message, "bad");
  }
}
