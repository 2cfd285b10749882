/** The result of a check on screen: yes with what was checked, or no with the reason. */

import { h } from "../core/dom.js";
import { useStyle } from "../core/styles.js";
import { NotYet } from "./game.js";
import { icon } from "../ui/icons.js";
import { rollsText, turnsText } from "../words/counts.js";
import { joinList, plural, t } from "../words/i18n.js";

useStyle("verdict");

/**
 * @param {() => Promise<import("./check.js").Finding>} check
 * @returns {Promise<HTMLElement>}
 */
export async function verdictOf(check) {
  try {
    const finding = await check();
    return finding.entered ? unverified(finding) : yes(finding);
  } catch (error) {
    return h(
      "div",
      { class: "verdict no" },
      icon("close"),
      h(
        "div",
        {},
        h(
          "strong",
          {},
          error instanceof NotYet ? t("Not yet.") : t("No: this record does not hold up."),
        ),
        h("p", {}, /** @type {Error} */ (error).message),
      ),
    );
  }
}

/** @param {import("./check.js").Finding} finding */
function unverified({ turns }) {
  return h(
    "div",
    { class: "verdict unverified" },
    icon("dice"),
    h(
      "div",
      {},
      h("strong", {}, t("The players threw and entered the dice: they cannot be verified.")),
      h("p", {}, t("All moves follow the rules: {turns}.", { turns: turnsText(turns) })),
    ),
  );
}

/** @param {import("./check.js").Finding} finding */
function yes({ rolls, turns, promised, scheme, names, redraws, day }) {
  return h(
    "div",
    { class: "verdict yes" },
    icon("check"),
    h(
      "div",
      {},
      h("strong", {}, t("Yes: every roll and every move is right.")),
      h(
        "p",
        {},
        t("Checked: {rolls}, {turns}.", { rolls: rollsText(rolls), turns: turnsText(turns) }),
      ),
      h(
        "p",
        {},
        day
          ? t("The dice are those that were fixed for everybody before {day}.", { day })
          : scheme === 1
            ? t(
                "The players’ numbers were given in the open: whoever knew the secret and gave the last one could have chosen the dice.",
              )
            : t(
                "Nobody could steer the dice against {names}: their numbers were sealed until all others were fixed.",
                { names: joinList(names) },
              ),
      ),
      redraws > 0 &&
        h(
          "p",
          {},
          plural(
            redraws,
            t("All numbers were redrawn once, because a seat did not reveal its own."),
            t("All numbers were redrawn {count} times, because a seat did not reveal its own.", {
              count: redraws,
            }),
          ),
        ),
      promised && h("p", {}, t("The commitment is the one that this browser saw before the game.")),
    ),
  );
}
