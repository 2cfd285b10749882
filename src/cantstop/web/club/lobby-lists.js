/** Open tables and games to watch, in one line each. */

import { h } from "../core/dom.js";
import { parseRules } from "../core/rules.js";
import { link } from "../core/router.js";
import { icon } from "../ui/icons.js";
import { roundOf } from "../words/counts.js";
import { joinList, plural, t } from "../words/i18n.js";
import { editionTitle, rulesText } from "../words/rules-text.js";
import { recordedName } from "../words/sentences.js";
import { paceText } from "../words/time-left.js";
import { playerMark } from "./marks.js";
import { shortRating } from "./ratings.js";

/** @typedef {import("../net/protocol.js").LobbyTable} LobbyTable */
/** @typedef {import("../net/protocol.js").LobbyGame} LobbyGame */

/**
 * @param {LobbyTable} table
 * @param {() => void} sit
 */
export function tableLine(table, sit) {
  const { names, players, free, clock, days, rated, edition, rules } = table;
  const mark = players[0]?.mark;
  const seats = plural(
    free,
    t("{count} seat free", { count: free }),
    t("{count} seats free", { count: free }),
  );
  const about = [
    seats,
    editionTitle(edition),
    rulesText(parseRules(rules)),
    clockText(clock, days),
  ];
  return h(
    "li",
    { class: "table-line", "data-table": table.id },
    mark === undefined ? icon("person") : playerMark(mark),
    h(
      "span",
      { class: "table-words" },
      h("strong", {}, joinList(names), " ", ratingOf(players)),
      h("span", { class: "muted" }, about.join(" · ")),
      h("span", { class: rated ? "tag rated" : "tag" }, rated ? t("Rated") : t("For fun")),
    ),
    h(
      "button",
      {
        type: "button",
        "aria-label": t("Sit down with {names}", { names: joinList(names) }),
        on: { click: sit },
      },
      t("Sit down"),
    ),
  );
}

/**
 * @param {number | null} clock  seconds for a decision
 * @param {number} [days]  for a turn
 */
function clockText(clock, days) {
  if (days) return paceText(days);
  return clock === null ? t("no clock") : t("{seconds} s a decision", { seconds: clock });
}

/** @param {LobbyTable["players"]} players */
function ratingOf(players) {
  const rating = players.length === 1 ? shortRating(players[0].ratings) : "";
  return rating && h("span", { class: "muted" }, rating);
}

/** @param {LobbyGame} game */
export function gameToWatch({ id, n, turn, names, columns, watching }) {
  const shown = names.map((name) => recordedName(name));
  const about = [
    t("Round {round}", { round: roundOf(turn, names.length) }),
    columns.join("–"),
    watching > 0 &&
      plural(
        watching,
        t("{count} is watching", { count: watching }),
        t("{count} are watching", { count: watching }),
      ),
  ].filter(Boolean);
  return link(
    `/t/${id}`,
    { class: "watch-line" },
    h("img", {
      src: `/api/tables/${id}/board.svg?n=${n}`,
      alt: "",
      width: 96,
      height: 96,
      loading: "lazy",
    }),
    h(
      "span",
      { class: "table-words" },
      h("strong", {}, shown.join(" – ")),
      h("span", { class: "muted" }, about.join(" · ")),
    ),
    h("span", { class: "button small" }, icon("eye"), t("Watch")),
  );
}
