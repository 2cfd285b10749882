/** Editions and variants of the rules, in one sentence each. */

import { t } from "./i18n.js";

/** @returns {Record<string, string>} */
export function editionWords() {
  return {
    classic: t("The game as it came out first: no variants, and the first seat starts."),
    trademark: t("Like Classic, but two dice each decide who starts."),
    ravensburger: t(
      "The youngest starts; longer games, early runners and no rest on shared spaces can be chosen.",
    ),
    asmodee: t("Two dice each decide who starts; longer games, no rest or leapfrog can be chosen."),
    custom: t("Your own mix of all the variants."),
  };
}

/** @returns {Record<string, string>} */
export function sharingNames() {
  return { free: t("Share freely"), "no-rest": t("No rest"), leapfrog: t("Leapfrog") };
}

/** @returns {Record<string, string>} */
export function sharingWords() {
  return {
    free: t("Tokens of others are not an obstacle: spaces are shared."),
    "no-rest": t(
      "You cannot stop while a runner of yours shares a space with a token of somebody else.",
    ),
    leapfrog: t("Spaces with a token of somebody else do not count: your runners jump over them."),
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
