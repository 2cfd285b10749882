/** Where a name becomes public. */

import { t } from "../words/i18n.js";

export function publicLine() {
  return t("Everybody here can read your name. Your games stay private until you say otherwise.");
}
