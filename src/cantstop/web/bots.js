// @ts-check
/** What bots are called on screen. */

import { t } from "./i18n.js";

/**
 * A bot's name for people; one that a newer server brings keeps its own.
 * @param {string} name as the server has it, maybe with a number: `careful:3`
 */
export function botName(name) {
  const [kind, number] = name.split(":");
  const shown = names()[kind] ?? kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll("-", " ");
  return number ? `${shown} ${number}` : shown;
}

/** @returns {Record<string, string>} */
function names() {
  return {
    random: t("Chance"),
    careful: t("Careful"),
    bold: t("Bold"),
    "rule-of-28": t("Rule of 28"),
    "rule-of-28-program": t("Rule of 28, the program"),
    "rule-of-28-simple": t("Rule of 28, simple"),
    "glenn-aloi-constant": t("Glenn & Aloi, constant"),
    "glenn-aloi-linear": t("Glenn & Aloi, linear"),
    "glenn-linear": t("Glenn, linear"),
    "max-expected-progress": t("Expected progress"),
    expert: t("Expert"),
  };
}
