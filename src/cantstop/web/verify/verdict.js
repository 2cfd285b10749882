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
function yes(finding) {
  const { rolls, turns, promised } = finding;
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
      saltLines(finding),
      promised && h("p", {}, t("The commitment is the one that this browser saw before the game.")),
    ),
  );
}

/**
 * What the way in which the salts came about proves.
 * @param {import("./check.js").Finding} finding
 */
function saltLines(finding) {
  const { scheme, names, redraws, day } = finding;
  if (day)
    return h("p", {}, t("The dice are those that were fixed for everybody before {day}.", { day }));
  if (scheme === 3) return gradualLines(finding);
  if (scheme === 1)
    return h(
      "p",
      {},
      t(
        "The players’ numbers were given in the open: whoever knew the secret and gave the last one could have chosen the dice.",
      ),
    );
  const seats = joinList(finding.protected.map((seat) => names[seat]));
  return [
    h(
      "p",
      {},
      t(
        "Nobody could steer the dice against {names}: their numbers were sealed until all others were fixed.",
        { names: seats },
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
  ];
}

/**
 * A game over days: from when on each seat is protected, and whose numbers were missing.
 * @param {import("./check.js").Finding} finding
 */
function gradualLines({ protected: seats, protectedFrom, unsalted, lost, names }) {
  const rows = seats.map((seat, at) =>
    h(
      "li",
      {},
      t("{name}: from roll {number} on", { name: names[seat], number: protectedFrom[at] }),
    ),
  );
  return [
    rows.length
      ? h("p", {}, t("Nobody could steer the dice against these players:"))
      : h(
          "p",
          {},
          t("No player has added a sealed number: the server could have chosen the dice."),
        ),
    rows.length > 0 && h("ul", { class: "protected" }, rows),
    ...unsalted.map(
      (turns, seat) =>
        turns > 0 &&
        h(
          "p",
          { class: "withheld" },
          t("{name} did not reveal their number in time: {turns} without it.", {
            name: names[seat],
            turns: turnsText(turns),
          }),
        ),
    ),
    ...lost.map((seat) =>
      h("p", {}, t("{name} had lost their number, and played without it.", { name: names[seat] })),
    ),
  ];
}
