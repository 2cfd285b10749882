// @ts-check
/** What bots are called on screen. */

import { t } from "./i18n.js";

/**
 * A bot's name for people; one that a newer server brings keeps its own.
 * @param {string} name as the server has it, maybe with a number: `careful:3`
 */
export function botName(name) {
  const [kind, number] = name.split(":");
  /** @type {Record<string, string>} */
  const known = { random: t("Chance"), careful: t("Careful"), bold: t("Bold") };
  const shown = known[kind] ?? kind.charAt(0).toUpperCase() + kind.slice(1);
  return number ? `${shown} ${number}` : shown;
}
