// @ts-check
/** The rules of a table in short: edition and variants in force. */

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { parText } from "../say.js";
import { sharingNames } from "../variants.js";
import { columnsToWin } from "./players.js";

/** @param {import("../types.js").State} state */
export function rulesInForce(state) {
  const { rules } = state;
  const sharing = /sharing=([a-z-]+)/.exec(rules)?.[1];
  const parts = [t("Columns to win: {count}", { count: columnsToWin(rules) })];
  if (/(^|,)early(,|$)/.test(rules)) parts.push(t("runners out early"));
  if (sharing) parts.push(sharingNames()[sharing]);
  if (state.par !== null) parts.push(parText(state));
  return h(
    "p",
    { class: "in-force" },
    h("strong", {}, editionTitle(state)),
    " · ",
    parts.join(" · "),
  );
}

/** @param {import("../types.js").State} state */
function editionTitle({ edition, lesson, mode }) {
  if (lesson) return t("Tutorial");
  if (mode === "solo") return t("Solo");
  return EDITIONS[edition] ?? t("Your own rules");
}

/** @type {Record<string, string>} names are not translated */
const EDITIONS = {
  classic: "Classic (1981)",
  trademark: "Trademark",
  ravensburger: "Ravensburger (2007)",
  asmodee: "Asmodee",
};
