/** Editions and variants of the rules, in one sentence each. */

import { t } from "./i18n.js";

/** @typedef {import("../net/protocol.js").EditionOffer} Edition */

/**
 * What an edition is called; publishers' names are not translated.
 * @param {string} name
 */
export function editionTitle(name) {
  /** @type {Record<string, string>} */
  const titles = {
    classic: "Classic (1981)",
    trademark: t("™ edition"),
    ravensburger: "Ravensburger (2007)",
    asmodee: "Asmodee",
  };
  return titles[name] ?? t("Your own rules");
}

/**
 * What an edition means for a number of players: where it comes from, who starts, what may be chosen.
 * @param {Edition} edition
 * @param {number} players
 */
export function editionWords(edition, players) {
  const { name, start, early, sharing, win } = edition;
  if (name === "custom") return t("Your own mix of all the variants.");
  const chosen = [
    (win[players] ?? []).length > 1 && t("a longer game"),
    early && t("runners out early"),
    players > 1 && sharing.includes("no-rest") && t("no rest on shared spaces"),
    players > 1 && sharing.includes("leapfrog") && t("leapfrog"),
  ].filter((each) => typeof each === "string");
  return [
    origins()[name],
    players > 1 && startWords()[start],
    chosen.length
      ? t("You may choose: {choices}.", { choices: chosen.join(", ") })
      : t("Nothing to choose."),
  ]
    .filter(Boolean)
    .join(" ");
}

/**
 * Where an edition comes from, if its title does not say it.
 * @returns {Record<string, string>}
 */
export function origins() {
  return {
    classic: t("The game as it first came out."),
    trademark: t("The rulebook that writes the name with a ™."),
  };
}

/** @returns {Record<string, string>} */
function startWords() {
  return {
    "first-seat": t("The first seat starts."),
    "roll-off": t("Two dice each decide who starts."),
    youngest: t("The youngest starts."),
  };
}

/** @returns {Record<string, string>} */
export function sharingNames() {
  return { free: t("Share freely"), "no-rest": t("No rest"), leapfrog: t("Leapfrog") };
}

/** @returns {Record<string, string>} */
export function sharingWords() {
  return {
    free: t("Others’ tokens are no obstacle: spaces are shared."),
    "no-rest": t(
      "You cannot stop while one of your runners shares a space with somebody else’s token.",
    ),
    leapfrog: t("Spaces with somebody else’s token do not count: your runners jump over them."),
  };
}

export function earlyWords() {
  return t(
    "Of the moves you have, only those that bring the most new runners onto the board are allowed.",
  );
}

export function winWords() {
  return t("More columns make a longer game.");
}

/** @returns {Record<string, string>} */
export function startNames() {
  return {
    "first-seat": t("The first seat"),
    "roll-off": t("The highest sum of two dice"),
    youngest: t("The youngest player"),
  };
}

/**
 * Rules in words: columns to win, and the variants in force.
 * @param {import("../core/rules.js").Rules} rules
 */
export function rulesText({ win, early, sharing }) {
  return [
    t("Columns to win: {count}", { count: win }),
    early && t("runners out early"),
    sharing !== "free" && sharingNames()[sharing],
  ]
    .filter(Boolean)
    .join(" · ");
}
