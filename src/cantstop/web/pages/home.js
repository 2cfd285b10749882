/** The start page of a player who has been here before: what waits for them, today, the ladder, people. */

import { dailyNotes, dailyStreak } from "../core/played-days.js";
import { h, write } from "../core/dom.js";
import { LADDER, nextOnLadder, scoreAgainst } from "../core/ladder.js";
import { prefs } from "../core/prefs.js";
import { link } from "../core/router.js";
import { myGames } from "../core/saved-games.js";
import { useStyle } from "../core/styles.js";
import { fetchState } from "../net/api.js";
import { openTable, rememberOpponent, settingsFor } from "../net/new-table.js";
import { timeText } from "../table/panels/clock.js";
import { botFace } from "../ui/bot-faces.js";
import { toast } from "../ui/dialog.js";
import { icon } from "../ui/icons.js";
import { pageFrame } from "../ui/layout.js";
import { personFields } from "../ui/player-fields.js";
import { seatMark } from "../ui/seat-marks.js";
import { roundOf } from "../words/counts.js";
import { date, joinList, plural, t } from "../words/i18n.js";
import { botName, seatName } from "../words/sentences.js";
import { imprintLink, opponentCard, peopleCards, toolLinks } from "./play-ways.js";

useStyle("home");

/** @typedef {import("../core/saved-games.js").Game} Game */
/** @typedef {import("../net/state.js").State} State */

const SHOWN = 3;
const DAYS = 10;
const DAY = 86_400_000;

/** @returns {import("../core/router.js").Page} */
export function homePage() {
  const { name } = prefs();
  const element = pageFrame("start", [
    h("h1", { tabindex: -1 }, name ? t("Hello, {name}", { name }) : "Can’t Stop"),
    h("div", { class: "home" }, waiting(), today(), ladder(), people()),
    h(
      "details",
      { class: "card tools-card" },
      h("summary", {}, icon("gear"), h("strong", {}, t("Tools"))),
      h("nav", { class: "more-ways", "aria-label": t("Tools") }, toolLinks()),
    ),
    imprintLink(),
  ]);
  return { title: "", element };
}

// What waits

/** The games that are not over, the last one played first. */
function waiting() {
  const games = myGames()
    .filter(
      ({ secret, stage, seats, lesson }) => secret && seats.length && stage !== "over" && !lesson,
    )
    .slice(0, SHOWN);
  if (!games.length) return null;
  return h(
    "section",
    { class: "waiting", "aria-label": t("Keep playing") },
    games.map((game, at) => waitingCard(game, at === 0)),
  );
}

/**
 * A game to go on with. The server knows whose turn it is: its word takes the place of a line that
 * is there already, so that nothing moves.
 * @param {Game} game
 * @param {boolean} first
 */
function waitingCard(game, first) {
  const title = h("strong", {}, titleText(game, false));
  const line = h("span", { class: "muted waiting-line" }, date(game.at));
  const others = game.seats.flatMap((seat, at) => (game.mine?.includes(at) ? [] : [{ seat, at }]));
  const card = link(
    `/t/${game.id}`,
    { class: first ? "card waiting-card primary" : "card waiting-card", "data-game": game.id },
    h(
      "span",
      { class: "waiting-faces" },
      others
        .slice(0, 1)
        .map(({ seat, at }) => (seat.bot ? botFace(seat.bot) : seatMark(at, "seat-mark"))),
    ),
    h("span", { class: "waiting-words" }, title, line),
    h("span", { class: "button small" }, icon("play"), t("Keep playing")),
  );
  fetchState(game.id)
    .then((state) => {
      const { own, text } = standing(state, game);
      write(line, text);
      card.dataset.turn = String(own);
      write(title, titleText(game, own));
    })
    .catch(() => {}); // it may be gone, or the server: the card is what this device knows
  return card;
}

/**
 * @param {Game} game
 * @param {boolean} own  whether it is this device's turn
 */
function titleText({ seats, mine }, own) {
  const others = seats.flatMap((seat, at) =>
    mine?.includes(at) ? [] : [seat.name ? seatName(seat, at) : t("Free seat")],
  );
  const names = joinList(others);
  if (own) return others.length ? t("Your turn against {names}", { names }) : t("Your turn!");
  return others.length ? t("Against {names}", { names }) : t("Solo");
}

/**
 * Whose turn it is, how far the game is, and how much time is left.
 * @param {State} state
 * @param {Game} game
 */
function standing({ stage, view, seats, clock, log }, { mine }) {
  if (stage === "open") return { own: false, text: t("Waiting for players") };
  const own = Boolean(mine?.includes(view.seat)) && !seats[view.seat].substitute;
  const since = (Date.now() - Date.parse(log.at(-1)?.at ?? "")) / 1000;
  const left = clock ? clock.seconds + clock.banks[view.seat] - since : 0;
  const parts = [
    t("Round {round}", { round: roundOf(view.turn, seats.length) }),
    own ? t("your turn") : t("{name} is to play", { name: seatName(seats[view.seat], view.seat) }),
    left > 0 && t("{time} left", { time: timeText(left) }),
  ];
  return { own, text: parts.filter(Boolean).join(" · ") };
}

// Today

/** The daily game, with the days that were played in a row. */
function today() {
  const now = new Date().toISOString().slice(0, 10);
  const played = new Set(dailyNotes().days);
  const days = dailyStreak(now);
  const done = played.has(now);
  return link(
    "/daily",
    { class: "card today" },
    h(
      "span",
      { class: "today-words" },
      h("strong", {}, t("Today’s game")),
      h(
        "span",
        { class: "muted" },
        done ? t("Played: see the results.") : t("The same dice for everybody."),
      ),
      h(
        "span",
        { class: "days", "aria-hidden": "true" },
        Array.from({ length: DAYS }, (_, ago) => {
          const day = new Date(Date.parse(now) - (DAYS - 1 - ago) * DAY);
          const is = played.has(day.toISOString().slice(0, 10));
          return h("span", { class: is ? "day played" : "day" });
        }),
      ),
    ),
    h(
      "span",
      { class: "today-side" },
      h("span", { class: "button small" }, done ? t("Results") : t("Play")),
      days > 0 &&
        h(
          "span",
          { class: "streak" },
          plural(days, t("{days} day in a row", { days }), t("{days} days in a row", { days })),
        ),
    ),
  );
}

// The ladder

function ladder() {
  const next = nextOnLadder();
  const beaten = LADDER.filter((bot) => scoreAgainst(bot).won);
  return h(
    "section",
    { class: "card ladder", "aria-labelledby": "ladder-title" },
    h(
      "h2",
      { id: "ladder-title" },
      next ? t("{name} is waiting", { name: botName(next) }) : t("You have beaten them all"),
    ),
    h(
      "ol",
      { class: "ladder-path" },
      LADDER.map((bot) => h("li", {}, step(bot, bot === next))),
    ),
    h(
      "p",
      { class: "muted" },
      beatenText(beaten.length),
      next && scoreAgainst(next).lost > 0 && ` ${lostText(next)}`,
    ),
  );
}

/**
 * @param {string} bot
 * @param {boolean} next
 */
function step(bot, next) {
  const { won, lost } = scoreAgainst(bot);
  const played = won + lost > 0;
  const name = botName(bot);
  return h(
    "button",
    {
      type: "button",
      class: next ? "step next" : "step",
      "data-bot": bot,
      title: name,
      "aria-label": played
        ? t("{name}: {won} won, {lost} lost", { name, won, lost })
        : t("Play {name}", { name }),
      on: { click: () => play(bot) },
    },
    h("span", { class: next ? "waving" : "" }, botFace(bot)),
    won > 0 && icon("check", "beaten"),
    h("span", { class: "step-score", "aria-hidden": "true" }, played ? `${won}–${lost}` : ""),
  );
}

/** @param {number} count */
function beatenText(count) {
  const fields = { count, all: LADDER.length };
  return plural(
    count,
    t("{count} of {all} animals is beaten.", fields),
    t("{count} of {all} animals are beaten.", fields),
  );
}

/** @param {string} bot */
function lostText(bot) {
  const fields = { name: botName(bot), count: scoreAgainst(bot).lost };
  return plural(
    fields.count,
    t("{name} has won {count} game so far.", fields),
    t("{name} has won {count} games so far.", fields),
  );
}

/** @param {string} bot */
async function play(bot) {
  rememberOpponent(bot);
  try {
    await openTable("bot", settingsFor("bot"));
  } catch (error) {
    toast(/** @type {Error} */ (error).message, "bad");
  }
}

// People

function people() {
  return h(
    "section",
    { class: "people", "aria-label": t("People") },
    peopleCards(),
    opponentCard(),
    h(
      "div",
      { class: "me" },
      personFields(),
      h("p", { class: "hint" }, t("Your name, and the pieces you play with")),
    ),
  );
}
