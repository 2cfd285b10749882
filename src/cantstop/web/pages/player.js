/** What a player has done: ratings, results, opponents, luck and skill, errors, every game. */

import { fill, h, write } from "../core/dom.js";
import { link } from "../core/router.js";
import { useStyle } from "../core/styles.js";
import { playerMark } from "../club/marks.js";
import { playerPath } from "../club/player-link.js";
import { ratingList } from "../club/ratings.js";
import { fetchGames, fetchProfile } from "../net/club.js";
import { botFace } from "../ui/bot-faces.js";
import { icon } from "../ui/icons.js";
import { pageFrame } from "../ui/layout.js";
import { signed } from "../words/counts.js";
import { date, dayText, monthText, number, plural, t } from "../words/i18n.js";
import { editionTitle } from "../words/rules-text.js";
import { botName } from "../words/sentences.js";
import { errorText } from "../words/win-chances.js";

useStyle("club");
useStyle("player");

/** @typedef {import("../net/protocol.js").Profile} Profile */
/** @typedef {import("../net/protocol.js").GameSummary} Game */

/**
 * @param {import("../core/router.js").Place} place
 * @returns {Promise<import("../core/router.js").Page>}
 */
export default async function playerPage({ id: name }) {
  try {
    const [profile, games] = await Promise.all([fetchProfile(name), fetchGames(name, null)]);
    const title = profile.player.name;
    return { title, element: pageFrame("player", [head(profile), parts(profile, games)]) };
  } catch (error) {
    return {
      title: t("Player"),
      element: pageFrame("player", [
        h("h1", { tabindex: -1 }, t("Player")),
        h("p", { class: "problem", role: "alert" }, /** @type {Error} */ (error).message),
        link("/players", { class: "button" }, icon("trophy"), t("Leaderboard")),
      ]),
    };
  }
}

/** @param {Profile} profile */
function head({ player, total, since, mine, public: shown }) {
  return h(
    "header",
    { class: "profile-head" },
    playerMark(player.mark, "large-mark"),
    h(
      "div",
      {},
      h("h1", { tabindex: -1 }, player.name),
      h(
        "p",
        { class: "muted" },
        totalText(total),
        " · ",
        t("On this server since {day}", { day: dayText(since) }),
      ),
      mine &&
        !shown &&
        h("p", { class: "hint" }, t("Only you see this page."), " ", link("/me", {}, t("My page"))),
    ),
  );
}

/** @param {Profile["total"]} total */
function totalText({ games, won }) {
  const fields = { count: number(games), won: number(won), lost: number(games - won) };
  return plural(
    games,
    t("{count} game: {won} won, {lost} lost", fields),
    t("{count} games: {won} won, {lost} lost", fields),
  );
}

/**
 * @param {Profile} profile
 * @param {import("../net/protocol.js").GamesPage} games
 */
function parts(profile, games) {
  return h(
    "div",
    { class: "me-parts player-parts" },
    card("ratings", t("How strong?"), ratingList(profile.player.ratings)),
    profile.by_rules.length > 0 && results(profile),
    profile.opponents.length > 0 && opponents(profile),
    profile.months.length > 0 && months(profile),
    errors(profile),
    profile.costly.length > 0 && costly(profile),
    gamesCard(profile.player.name, games),
  );
}

/**
 * @param {string} name
 * @param {string} title
 * @param {...(import("../core/dom.js").Child | import("../core/dom.js").Child[])} content
 */
function card(name, title, ...content) {
  return h("section", { class: `card ${name}-card` }, h("h2", {}, title), ...content);
}

/**
 * A list of what was played with won and lost, and a bar between them.
 * @param {{face?: Node | null, name: import("../core/dom.js").Child, games: number, won: number}[]} rows
 */
function scores(rows) {
  return h(
    "ul",
    { class: "score-list" },
    rows.map(({ face, name, games, won }) => {
      const part = h("span", {});
      part.style.inlineSize = `${(100 * won) / games}%`;
      return h(
        "li",
        {},
        face,
        h("span", { class: "score-name" }, name),
        h("span", { class: "score-bar", "aria-hidden": "true" }, part),
        h("span", { class: "sr-only" }, t("{won} won, {lost} lost", { won, lost: games - won })),
        h("strong", { "aria-hidden": "true" }, `${won}–${games - won}`),
      );
    }),
  );
}

/** @param {Profile} profile */
function results({ by_rules: rules, streak, best_streak: best }) {
  const rows = rules
    .filter(({ games }) => games > 0)
    .map(({ edition, size, games, won }) => ({
      name:
        size === 1
          ? `${editionTitle(edition)} · ${t("Solo")}`
          : `${editionTitle(edition)} · ${t("{count} players", { count: size })}`,
      games,
      won,
    }));
  return card(
    "results",
    t("Results"),
    scores(rows),
    h("p", { class: "muted" }, streakText(streak, best)),
  );
}

/**
 * @param {number} streak
 * @param {number} best
 */
function streakText(streak, best) {
  const now = Math.abs(streak);
  const said =
    streak > 0
      ? plural(
          now,
          t("{count} win in a row now", { count: now }),
          t("{count} wins in a row now", { count: now }),
        )
      : plural(
          now,
          t("{count} loss in a row now", { count: now }),
          t("{count} losses in a row now", { count: now }),
        );
  return [streak !== 0 && said, t("longest row of wins: {count}", { count: best })]
    .filter(Boolean)
    .join(" · ");
}

/** @param {Profile} profile */
function opponents({ opponents: others }) {
  const rows = others.map(({ name, bot, games, won }) => ({
    face: bot ? botFace(bot) : null,
    name: bot ? botName(bot) : name ? link(playerPath(name), {}, name) : t("a player"),
    games,
    won,
  }));
  return card("opponents", t("Against whom"), scores(rows));
}

/** @param {Profile} profile */
function months({ months: spans }) {
  return card(
    "months",
    t("Luck and skill"),
    h("p", { class: "muted" }, t("For a game, in points of win chance; plus is good.")),
    h(
      "div",
      { class: "table-box", tabindex: 0, role: "region", "aria-label": t("Luck and skill") },
      h(
        "table",
        { class: "month-table" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            [t("Month"), t("Games"), t("Luck"), t("Skill")].map((name) =>
              h("th", { scope: "col" }, name),
            ),
          ),
        ),
        h(
          "tbody",
          {},
          [...spans]
            .reverse()
            .map(({ month, games, luck, skill }) =>
              h(
                "tr",
                {},
                h("th", { scope: "row" }, monthText(month)),
                h("td", {}, number(games)),
                h("td", {}, signed(100 * luck)),
                h("td", {}, signed(100 * skill)),
              ),
            ),
        ),
      ),
    ),
  );
}

/** @param {Profile} profile */
function errors({ errors: tallies, grades }) {
  const known = tallies.filter(({ decisions }) => decisions > 0);
  if (!known.length) return null;
  /** @type {Record<string, string>} */
  const names = {
    "stop or roll": t("Stop, or roll again?"),
    "which move": t("Which move?"),
  };
  return card(
    "errors",
    t("Errors"),
    h(
      "ul",
      { class: "plain-list" },
      known.map(({ question, decisions, error }) => {
        const fields = { given: errorText(error, false), count: number(decisions) };
        return h(
          "li",
          {},
          h("strong", {}, names[question] ?? question),
          h(
            "span",
            { class: "muted" },
            plural(
              decisions,
              t("{given} given away in {count} decision", fields),
              t("{given} given away in {count} decisions", fields),
            ),
          ),
        );
      }),
    ),
    h(
      "p",
      {},
      t("Inaccuracies: {inaccuracies} · mistakes: {mistakes} · blunders: {blunders}", {
        inaccuracies: number(grades.inaccuracy ?? 0),
        mistakes: number(grades.mistake ?? 0),
        blunders: number(grades.blunder ?? 0),
      }),
    ),
  );
}

/** @param {Profile} profile */
function costly({ costly: decisions }) {
  const place = h("div", { class: "own-drill" });
  const begin = h(
    "button",
    {
      type: "button",
      class: "primary begin-own-drill",
      on: {
        click: async () => {
          const { OwnDrills } = await import("../club/own-drills.js");
          begin.remove();
          new OwnDrills(decisions, place).ask();
        },
      },
    },
    icon("target"),
    t("Try them again"),
  );
  const worst = decisions[0];
  return card(
    "costly",
    t("Your costliest decisions"),
    h(
      "p",
      { class: "muted" },
      plural(
        decisions.length,
        t("{count} decision; it cost {points}.", {
          count: 1,
          points: errorText(worst.error, false),
        }),
        t("{count} decisions; the worst cost {points}.", {
          count: decisions.length,
          points: errorText(worst.error, false),
        }),
      ),
    ),
    begin,
    place,
  );
}

// Games

/**
 * @param {string} name
 * @param {import("../net/protocol.js").GamesPage} page
 */
function gamesCard(name, page) {
  const list = h("ul", { class: "club-games" }, page.games.map(gameLine));
  const problem = h("p", { class: "problem", role: "alert" });
  let { next } = page;
  const more = h("button", { type: "button", hidden: next === null }, t("Earlier games"));
  more.addEventListener("click", async () => {
    more.disabled = true;
    write(problem, "");
    try {
      const before = await fetchGames(name, next);
      const lines = before.games.map(gameLine);
      list.append(...lines);
      lines[0]?.querySelector("a")?.focus();
      next = before.next;
      more.hidden = next === null;
    } catch (error) {
      write(problem, /** @type {Error} */ (error).message);
    }
    more.disabled = false;
  });
  const box = card("games", t("Games"), list, problem, more);
  if (!page.games.length) fill(list, h("li", { class: "muted" }, t("No finished game yet.")));
  return box;
}

/** @param {Game} game */
function gameLine(game) {
  const { table, seat, seats, finished_at: at } = game;
  const mine = seats.find((one) => one.seat === seat);
  const others = seats.filter((one) => one.seat !== seat).map(seatText);
  return h(
    "li",
    { class: mine?.won ? "won" : "", "data-table": table },
    h(
      "span",
      { class: "game-words" },
      h(
        "strong",
        {},
        others.length ? t("Against {names}", { names: others.join(", ") }) : t("Solo"),
      ),
      h("span", { class: "muted" }, `${date(at)} · ${aboutText(game)}`),
      mine && mine.luck !== null && seats.length > 1 && h("span", {}, luckText(mine)),
    ),
    h(
      "span",
      { class: "game-actions" },
      link(
        `/t/${table}/review`,
        {
          class: "button small",
          "aria-label": t("Review of the game of {date}", { date: date(at) }),
        },
        icon("chart"),
        t("Review"),
      ),
    ),
  );
}

/** @param {Game["seats"][number]} seat */
function seatText({ bot, name }) {
  return bot ? botName(bot) : name || t("a player");
}

/** @param {Game} game */
function aboutText({ seat, seats, why_not: why, left }) {
  const won = seats.find((one) => one.seat === seat)?.won;
  return [
    seats.length > 1 && (won ? t("won") : t("lost")),
    left && t("left early"),
    why === null ? t("Rated") : (whyText(why) ?? t("does not count")), // a newer server's reason
  ]
    .filter(Boolean)
    .join(" · ");
}

/**
 * Why a game does not count, in words; one that is not rated is for fun.
 * @param {NonNullable<Game["why_not"]>} why
 */
function whyText(why) {
  return {
    unrated: t("For fun"),
    custom: t("does not count: the rules were the table’s own"),
    short: t("does not count: it was very short"),
    closed: t("does not count: nobody had won yet"),
    stranger: t("does not count: somebody had no profile"),
  }[why];
}

/** @param {Game["seats"][number]} mine */
function luckText({ luck, skill }) {
  return t("Luck {luck} · skill {skill}", {
    luck: signed(100 * (luck ?? 0)),
    skill: signed(100 * (skill ?? 0)),
  });
}
