/** The start page of a player who has been here before: what waits for them, today, the ladder, people. */

import { createBoard } from "../board/board.js";
import { geometry } from "../board/geometry.js";
import { dailyNotes, dailyStreak, dayGrade } from "../core/played-days.js";
import { fill, h, write } from "../core/dom.js";
import { LADDER, ladderScores, nextOnLadder } from "../core/ladder.js";
import { knownPlayer } from "../core/player-key.js";
import { prefs } from "../core/prefs.js";
import { link } from "../core/router.js";
import { myGame, myGames } from "../core/saved-games.js";
import { isSite } from "../core/site.js";
import { useStyle } from "../core/styles.js";
import { fetchState } from "../net/api.js";
import { fetchTurns, knownToWait } from "../net/turns.js";
import { timeText } from "../table/panels/clock.js";
import { botFace } from "../ui/bot-faces.js";
import { icon } from "../ui/icons.js";
import { ladderStep, playAnimal } from "../ui/ladder-step.js";
import { pageFrame } from "../ui/layout.js";
import { chooseOpponent } from "../ui/opponents.js";
import { seatMark } from "../ui/seat-marks.js";
import { roundOf } from "../words/counts.js";
import { date, dayText, joinList, plural, t } from "../words/i18n.js";
import { botName, seatName } from "../words/sentences.js";
import { waitingText } from "../words/turn-text.js";
import { imprintLink, lobbyPlace, peopleCards, toolLinks } from "./play-ways.js";

useStyle("days");
useStyle("home");
useStyle("ladder");

/** @typedef {import("../core/saved-games.js").Game} Game */
/** @typedef {import("../net/state.js").State} State */

const SHOWN = 3;
const DAYS = 10;
const DAY = 86_400_000;
const LENGTHS = [3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3];

/** @returns {import("../core/router.js").Page} */
export function homePage() {
  const { name, colour } = prefs();
  const element = pageFrame("start", [
    h(
      "div",
      { class: "greeting" },
      h("h1", { tabindex: -1 }, name ? t("Hello, {name}", { name }) : t("Hello again")),
      link("/me", { class: "button small me-link" }, seatMark(colour), t("My page")),
    ),
    h("div", { class: "home" }, waiting(), lobbyPlace(), !isSite && today(), ladder(), people()),
    h(
      "details",
      { class: "card tools-card" },
      h(
        "summary",
        {},
        icon("gear"),
        h("strong", {}, t("Tools")),
        h("span", { class: "muted" }, t("Odds, analysis, drills …")),
      ),
      h("nav", { class: "more-ways", "aria-label": t("Tools") }, toolLinks()),
    ),
    imprintLink(),
  ]);
  return { title: "", element };
}

// What waits

/**
 * The games that are not over: those that wait for the player first, as far as this is known; then
 * the last one played.
 */
function waiting() {
  const games = goingOn();
  const online = !isSite && (knownPlayer() || games.some(({ mode }) => mode === "online"));
  if (!games.length && !online) return null;
  const count = h("span", { class: "turns-count" });
  const cards = h("div", { class: "waiting-cards" });
  const section = h(
    "section",
    { class: "waiting", "aria-label": t("Keep playing") },
    cards,
    online && turnsLink(count),
  );
  let shown = "";
  /** @param {Set<string>} urgent */
  const draw = (urgent) => {
    const sorted = byUrgency(games, urgent).slice(0, SHOWN);
    const ids = sorted.map(({ id }) => id).join();
    if (ids === shown || cards.contains(document.activeElement)) return;
    shown = ids;
    fill(
      cards,
      sorted.map((game, at) => waitingCard(game, at === 0)),
    );
  };
  draw(knownToWait());
  if (online)
    fetchTurns()
      .then((turns) => {
        write(count, waitingText(turns.waiting));
        section.dataset.waiting = String(turns.waiting);
        games.push(...elsewhere(turns.tables));
        draw(knownToWait());
      })
      .catch(() => {}); // without the server the page says what the device knows
  return section;
}

/** The games of this device that are not over, the last one played first. */
function goingOn() {
  return myGames().filter(
    ({ secret, mine, stage, seats, lesson }) =>
      (secret || mine?.length) && seats.length && stage !== "over" && !lesson,
  );
}

/**
 * The games that the player has on other devices only.
 * @param {import("../net/protocol.js").TurnTable[]} tables
 * @returns {Game[]}
 */
function elsewhere(tables) {
  return tables
    .filter(({ id }) => !myGame(id))
    .map(({ id, seat, seats, since, stage, edition }) => ({
      ...{ id, edition, seats, at: since, mine: [seat], secret: null },
      ...{ stage, mode: "online", lesson: false, winners: [], commitment: null, salt: "" },
    }));
}

/**
 * @param {Game[]} games
 * @param {Set<string>} urgent
 */
function byUrgency(games, urgent) {
  const waits = games.filter(({ id }) => urgent.has(id));
  return [...waits, ...games.filter(({ id }) => !urgent.has(id))];
}

/** @param {HTMLElement} count */
function turnsLink(count) {
  return link(
    "/turns",
    { class: "card turns-link" },
    icon("clock"),
    h("strong", {}, t("My turn")),
    count,
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
  const board = first ? smallBoard() : null;
  const faces = others
    .slice(0, first ? 3 : 1)
    .map(({ seat, at }) => (seat.bot ? botFace(seat.bot) : seatMark(at, "seat-mark")));
  const card = link(
    `/t/${game.id}`,
    { class: first ? "card waiting-card first" : "card waiting-card", "data-game": game.id },
    board?.element,
    h("span", { class: "waiting-faces" }, faces),
    h("span", { class: "waiting-words" }, title, line),
    h(
      "span",
      { class: first ? "button primary" : "button small" },
      !first && icon("play"),
      t("Keep playing"),
    ),
  );
  fetchState(game.id)
    .then((state) => {
      const { own, text } = standing(state, game);
      board?.show(state);
      write(line, text);
      card.dataset.turn = String(own);
      write(title, titleText(game, own));
    })
    .catch(() => {}); // it may be gone, or the server: the card is what this device knows
  return card;
}

/** An empty board that keeps its place; the game is shown on it once it is known. */
function smallBoard() {
  const board = createBoard(
    LENGTHS,
    () => {},
    () => {},
  );
  const { width, height } = geometry(LENGTHS);
  const element = h("span", { class: "waiting-board", "aria-hidden": "true" }, board.element);
  element.style.aspectRatio = `${width} / ${height}`;
  return {
    element,
    /** @param {State} state */
    show({ view, seats }) {
      if (view.lengths.join() === LENGTHS.join()) board.update(view, seats);
    },
  };
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
  const notes = dailyNotes();
  const days = dailyStreak(now);
  const done = notes.days.includes(now);
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
          const at = new Date(Date.parse(now) - (DAYS - 1 - ago) * DAY).toISOString().slice(0, 10);
          return h("span", { class: `day ${dayGrade(notes, at)}`, title: dayText(at) });
        }),
      ),
      days > 0 &&
        h(
          "span",
          { class: "streak" },
          icon("flame"),
          plural(days, t("{days} day in a row", { days }), t("{days} days in a row", { days })),
        ),
    ),
    h(
      "span",
      { class: done ? "button small" : "button small play-today" },
      done ? t("Results") : t("Play"),
    ),
  );
}

// The ladder

function ladder() {
  const scores = ladderScores();
  const next = nextOnLadder(scores);
  const beaten = LADDER.filter((bot) => scores.get(bot)?.won).length;
  return h(
    "section",
    { class: "card ladder", "aria-labelledby": "ladder-title" },
    h(
      "div",
      { class: "ladder-head" },
      h(
        "h2",
        { id: "ladder-title" },
        next ? t("{name} is waiting", { name: botName(next) }) : t("You have beaten them all"),
      ),
      link("/ladder", { class: "ladder-link" }, t("The way up")),
    ),
    h(
      "ol",
      { class: "ladder-path" },
      LADDER.map((bot) => {
        const score = scores.get(bot) ?? { won: 0, lost: 0, first: null };
        return h("li", { class: score.won ? "done" : null }, ladderStep(bot, score, bot === next));
      }),
    ),
    h("p", { class: "muted" }, beatenText(beaten), next && standingText(next, scores.get(next))),
    h(
      "button",
      {
        type: "button",
        class: "small other-opponent",
        on: { click: () => chooseOpponent(next, playAnimal) },
      },
      icon("bot"),
      t("Other opponents"),
    ),
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

/**
 * @param {string} bot
 * @param {import("../core/ladder.js").Score} [score]
 */
function standingText(bot, score) {
  if (!score?.lost) return "";
  const fields = { name: botName(bot), count: score.lost };
  const text = plural(
    fields.count,
    t("{name} has won {count} game so far.", fields),
    t("{name} has won {count} games so far.", fields),
  );
  return ` ${text}`;
}

// People

function people() {
  return h(
    "section",
    { class: "card people", "aria-labelledby": "people-title" },
    h("h2", { id: "people-title" }, t("People")),
    peopleCards(),
  );
}
