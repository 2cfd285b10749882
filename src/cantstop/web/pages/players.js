/** The leaderboard: those whose rating is sure enough, for two players, and for three and four. */

import { fill, h } from "../core/dom.js";
import { useStyle } from "../core/styles.js";
import { playerLink } from "../club/player-link.js";
import { kindName, rangeText, sizeName } from "../club/ratings.js";
import { fetchLeaders } from "../net/club.js";
import { pageFrame } from "../ui/layout.js";
import { segments } from "../ui/segments.js";
import { number, t } from "../words/i18n.js";

useStyle("forms");
useStyle("club");
useStyle("player");

/** @typedef {import("../net/protocol.js").Leaderboard} Leaderboard */

/** @returns {Promise<import("../core/router.js").Page>} */
export default async function playersPage() {
  const title = t("Leaderboard");
  const place = h("div", { class: "leaders" });
  /** @type {{kind: "play" | "results", size: "two" | "more"}} */
  const shown = { kind: "play", size: "two" };
  async function show() {
    const asked = { ...shown };
    try {
      const board = await fetchLeaders(asked.kind, asked.size);
      if (asked.kind === shown.kind && asked.size === shown.size) fill(place, leaders(board));
    } catch (error) {
      fill(
        place,
        h("p", { class: "problem", role: "alert" }, /** @type {Error} */ (error).message),
      );
    }
  }
  await show();
  const element = pageFrame("players", [
    h("h1", { tabindex: -1 }, title),
    h(
      "div",
      { class: "leader-choices" },
      segments(
        "leader-kind",
        t("Which rating"),
        /** @type {("play" | "results")[]} */ (["play", "results"]).map((value) => ({
          value,
          content: kindName(value),
        })),
        shown.kind,
        (kind) => {
          shown.kind = kind;
          show();
        },
      ),
      segments(
        "leader-size",
        t("Number of players"),
        /** @type {("two" | "more")[]} */ (["two", "more"]).map((value) => ({
          value,
          content: sizeName(value),
        })),
        shown.size,
        (size) => {
          shown.size = size;
          show();
        },
      ),
    ),
    place,
  ]);
  return { title, element };
}

/** @param {Leaderboard} board */
function leaders({ kind, leaders: found, widest, opponents }) {
  const about =
    kind === "play"
      ? t("How well you choose: the luck of the dice is taken out.")
      : t("Whom you beat, dice and all.");
  return h(
    "section",
    { class: "card" },
    h("p", {}, about),
    h(
      "p",
      { class: "hint" },
      t(
        "Here is who shows their games, has met opponents of at least {opponents} other households, and whose interval is at most {points} points wide. Games within one household do not count here.",
        { opponents: number(opponents), points: number(Math.round(widest)) },
      ),
    ),
    found.length
      ? h(
          "ol",
          { class: "leader-list" },
          found.map(({ place, player, rating }) =>
            h(
              "li",
              { value: place },
              h("span", { class: "leader-place", "aria-hidden": "true" }, place),
              playerLink({ ...player, ratings: [] }),
              h("strong", {}, number(Math.round(rating.value))),
              h("span", { class: "muted" }, rangeText(rating)),
            ),
          ),
        )
      : h("p", { class: "muted" }, t("Nobody has a rating that is sure enough yet.")),
  );
}
