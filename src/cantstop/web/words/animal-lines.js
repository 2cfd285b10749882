/** What the animals of the ladder say, each in its own way; seldom, and never more than a few words. */

import { t } from "./i18n.js";

/** @typedef {"risk" | "bust" | "column" | "won" | "lost" | "reply"} Occasion */

/**
 * @param {string} bot
 * @param {Occasion} occasion
 * @returns {string}  empty for bots without a character
 */
export function animalLine(bot, occasion) {
  return LINES[bot]?.()[occasion] ?? "";
}

/** @type {Record<string, () => Record<Occasion, string>>} */
const LINES = {
  chick: () => ({
    risk: t("Oh, I can’t look!"),
    bust: t("Oops. Again!"),
    column: t("A whole column! Me!"),
    won: t("I won? I really won?"),
    lost: t("You are so good at this!"),
    reply: t("Cheep!"),
  }),
  magpie: () => ({
    risk: t("Not my shiny spaces!"),
    bust: t("It glittered so …"),
    column: t("Mine! All mine!"),
    won: t("Everything that glitters!"),
    lost: t("You may keep it. For now."),
    reply: t("Ooh, is that for me?"),
  }),
  tortoise: () => ({
    risk: t("Why such a hurry?"),
    bust: t("That was too fast."),
    column: t("Slowly, but there."),
    won: t("Step by step, you see."),
    lost: t("Well run."),
    reply: t("How kind."),
  }),
  ibex: () => ({
    risk: t("Mind the ledge!"),
    bust: t("Lost my footing."),
    column: t("The view is fine up here."),
    won: t("A sure foot wins."),
    lost: t("You climb well."),
    reply: t("Good to meet you up here."),
  }),
  monkey: () => ({
    risk: t("I can’t look."),
    bust: t("Worth it!"),
    column: t("Hop, and on top!"),
    won: t("Everywhere at once, told you!"),
    lost: t("Again! Again!"),
    reply: t("Hee hee!"),
  }),
  fox: () => ({
    risk: t("Interesting …"),
    bust: t("I knew the odds."),
    column: t("As planned."),
    won: t("It was close. Almost."),
    lost: t("Cleverly done."),
    reply: t("You are up to something."),
  }),
  falcon: () => ({
    risk: t("I see where this goes."),
    bust: t("Once too often."),
    column: t("Straight to the top."),
    won: t("I saw it coming."),
    lost: t("You saw it first."),
    reply: t("I noticed."),
  }),
  champion: () => ({
    risk: t("Brave."),
    bust: t("That happens to kings, too."),
    column: t("The crown suits me."),
    won: t("A good game. Come back."),
    lost: t("A new champion. I bow."),
    reply: t("At your service."),
  }),
};
