/** The start page: for newcomers the game, one sentence and one button; for others what waits for them. */

import { h } from "../core/dom.js";
import { knownPlayer } from "../core/player-key.js";
import { link } from "../core/router.js";
import { myGames } from "../core/saved-games.js";
import { settingsFor } from "../net/new-table.js";
import { botFace } from "../ui/bot-faces.js";
import { demoGame } from "../board/demo-game.js";
import { icon } from "../ui/icons.js";
import { pageFrame } from "../ui/layout.js";
import { personFields } from "../ui/player-fields.js";
import { joinList, t } from "../words/i18n.js";
import { botName } from "../words/sentences.js";
import {
  begin,
  imprintLink,
  lobbyPlace,
  opponentRow,
  peopleCards,
  toolLinks,
} from "./play-ways.js";

/** @returns {Promise<import("../core/router.js").Page>} */
export default async function startPage() {
  if (myGames().some(({ secret }) => secret) || knownPlayer())
    return (await import("./home.js")).homePage();
  const element = pageFrame("start", [
    h(
      "section",
      { class: "hero" },
      h("div", { class: "demo-box" }, demoGame()),
      h("h1", { tabindex: -1 }, "Can’t Stop"),
      h(
        "p",
        { class: "what" },
        t(
          "A dice game for two to four by Sid Sackson: climb three columns to the top, and stop before your luck does.",
        ),
      ),
      playButton(),
      link("/learn", { class: "learn-link" }, icon("school"), t("Learn it in two minutes")),
    ),
    lobbyPlace(),
    h(
      "section",
      { class: "ways", "aria-label": t("More ways to play") },
      opponentRow(),
      peopleCards(),
    ),
    h(
      "section",
      { class: "me" },
      personFields(),
      h("p", { class: "hint" }, t("Your name, and the pieces you play with")),
    ),
    h("nav", { class: "more-ways", "aria-label": t("More") }, toolLinks()),
    imprintLink(),
  ]);
  return { title: "", element };
}

/** The one thing to press: a game against whoever was chosen, at first the Chick. */
function playButton() {
  const button = h("button", {
    type: "button",
    class: "play-now primary",
    "data-way": "bot",
    on: { click: (/** @type {Event} */ event) => begin("bot", event) },
  });
  const draw = () => {
    const bots = settingsFor("bot").seats.slice(1);
    const [{ bot }] = bots;
    const first = bots.length === 1 && bot === "chick";
    button.replaceChildren(
      h("span", { class: "waving" }, botFace(bot, "waving")),
      h(
        "span",
        { class: "way-words" },
        h("strong", {}, t("Play")),
        h(
          "span",
          {},
          first
            ? t("against Chick, who has just read the rules too")
            : t("against {names}", { names: joinList(bots.map((one) => botName(one.bot))) }),
        ),
      ),
    );
  };
  draw();
  addEventListener("opponent", function changed() {
    if (button.isConnected) draw();
    else removeEventListener("opponent", changed);
  });
  return button;
}
