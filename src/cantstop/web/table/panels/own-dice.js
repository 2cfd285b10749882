/** What can be said of dice that the players throw themselves. */

import { t } from "../../words/i18n.js";

export function ownDiceText() {
  return t("Your own dice: the table takes your word for them, and nobody can verify them.");
}

/** What a game on this device proves about its dice. */
export function deviceDiceText() {
  return t(
    "This device threw the dice. Its record proves that every move was legal, not that the dice were fair.",
  );
}
