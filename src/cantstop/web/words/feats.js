/** The feats in words: a sign, a name, and what it takes. */

import { t } from "./i18n.js";

/** @returns {Record<import("../core/feats.js").Feat, {sign: string, name: string, how: string}>} */
export function featWords() {
  return {
    "first-win": { sign: "1", name: t("First win"), how: t("win a game") },
    "two-at-once": { sign: "2", name: t("Double"), how: t("two columns in one turn") },
    quick: { sign: "7", name: t("In a hurry"), how: t("win in at most 7 turns") },
    comeback: { sign: "20", name: t("Comeback"), how: t("win from 20% or less") },
    stubborn: { sign: "4×", name: t("Stubborn"), how: t("four busts in a row, and win") },
    nerves: { sign: "45", name: t("Nerves"), how: t("survive a risk of 45%") },
    flawless: { sign: "✓", name: t("Flawless"), how: t("win without giving anything away") },
    "long-shots": { sign: "12", name: t("Long shots"), how: t("win with 2 and 12") },
    "hat-trick": { sign: "3", name: t("Hat trick"), how: t("three columns in one turn") },
    "from-the-dead": { sign: "10", name: t("Back from the dead"), how: t("win from 10% or less") },
    crowd: { sign: "4", name: t("In a crowd"), how: t("win against three others") },
    week: { sign: "7d", name: t("A whole week"), how: t("seven daily games in a row") },
    summit: { sign: "♛", name: t("The summit"), how: t("beat the Champion") },
  };
}
