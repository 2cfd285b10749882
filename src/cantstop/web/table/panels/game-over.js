/** After the game: who won, another game with the same people, and a look back. */

import { noteDailyGame } from "../../core/played-days.js";
import { h, fill, write } from "../../core/dom.js";
import { ladderScores } from "../../core/ladder.js";
import { go, link } from "../../core/router.js";
import { enterSolo, myGame, saveGame, saveState } from "../../core/saved-games.js";
import { useStyle } from "../../core/styles.js";
import { fetchRecord } from "../../net/api.js";
import { openFirstGame } from "../../net/new-table.js";
import { noteFinished } from "../finished.js";
import { nextOpponent } from "./next-opponent.js";
import { deviceDiceText, ownDiceText } from "./own-dice.js";
import { botFace } from "../../ui/bot-faces.js";
import { toast, openDialog } from "../../ui/dialog.js";
import { icon } from "../../ui/icons.js";
import { scoreLine } from "./score.js";
import { checkRecord } from "../../verify/check.js";
import { verdictOf } from "../../verify/verdict.js";
import { t } from "../../words/i18n.js";
import { againstPar, eventText, resultText } from "../../words/sentences.js";

useStyle("game-over");

/** @typedef {import("../../net/session.js").Session} Session */
/** @typedef {import("../../net/state.js").State} State */

/**
 * @param {Session} session
 * @returns {HTMLElement}
 */
export function gameOver(session) {
  const state = /** @type {State} */ (session.state);
  saveState(state, session.mine);
  noteFinished(state, session.mine);
  const { id } = session;
  const check = async () => showCheck(session);
  const statistics = async () => (await import("./statistics.js")).showStatistics(state);
  return h(
    "section",
    { class: "afterwards card" },
    resultHead(session, state),
    scoreLine(state),
    state.view.outcome && state.par !== null && h("p", { class: "par" }, againstPar(state)),
    state.view.outcome && state.mode === "solo" && soloPlace(state),
    nextOpponent(session, state),
    h("div", { class: "actions" }, again(session, state), shareButton(session, state)),
    !state.lesson && reviewLink(session),
    state.dice === "entered" && h("p", { class: "own-dice muted" }, ownDiceText()),
    state.dice === "device" && h("p", { class: "own-dice muted" }, deviceDiceText()),
    h(
      "div",
      { class: "look-back" },
      link(`/t/${id}?n=${state.n}`, { class: "tile" }, icon("play"), h("span", {}, t("Replay"))),
      state.dice === "sealed" && tile("seal", t("Check the dice"), check),
      tile("chart", t("Statistics"), statistics),
      h(
        "a",
        { class: "tile", href: `/api/tables/${id}/record`, download: true },
        icon("save"),
        h("span", {}, t("Record")),
      ),
    ),
  );
}

/**
 * How it ended, with the face of whoever was played and the score against them.
 * @param {Session} session
 * @param {State} state
 */
function resultHead({ mine }, state) {
  const { seats, view } = state;
  const [own] = mine;
  const rival = mine.length === 1 && seats.length === 2 ? seats[1 - own] : null;
  const lost = Boolean(rival) && !view.outcome?.winners.includes(own);
  const { won = 0, lost: defeats = 0 } = (rival?.bot && ladderScores().get(rival.bot)) || {};
  return h(
    "div",
    { class: "result" },
    rival?.bot ? botFace(rival.bot, lost ? "grinning" : "sighing") : view.outcome && icon("trophy"),
    h("h2", {}, resultText(state, mine)),
    won + defeats > 1 &&
      h(
        "p",
        { class: "so-far" },
        h("strong", {}, `${won}–${defeats}`),
        h("span", { class: "muted" }, t("so far")),
      ),
  );
}

/**
 * The way to the review. What it says of the player's own game comes when the server has it; without
 * that, this is a link all the same.
 * @param {Session} session
 */
function reviewLink({ id, mine, state }) {
  const line = h("span", { class: "review-line" });
  const comfort = h("p", { class: "comfort" });
  if (mine.length && state)
    import("../../insight/review/end-line.js")
      .then(({ reviewLines }) => reviewLines(state, mine))
      .then(({ lines, kind }) => {
        fill(line, lines);
        write(comfort, kind);
      })
      .catch(() => {});
  return [
    comfort,
    link(
      `/t/${id}/review`,
      { class: "button wide review-link" },
      icon("search"),
      h("span", { class: "review-words" }, h("strong", {}, t("Review")), line),
    ),
  ];
}

/**
 * @param {Session} session
 * @param {State} state
 */
function shareButton({ mine }, state) {
  if (state.lesson || !state.view.outcome) return null;
  const share = async () => (await import("./share-game.js")).shareGame(state, mine);
  return h(
    "button",
    { type: "button", class: "wide share-game-button", on: { click: share } },
    icon("share"),
    t("Share"),
  );
}

/**
 * @param {string} picture
 * @param {string} text
 * @param {() => void} onClick
 */
function tile(picture, text, onClick) {
  return h(
    "button",
    { type: "button", class: "tile", on: { click: onClick } },
    icon(picture),
    h("span", {}, text),
  );
}

/**
 * @param {Session} session
 * @param {State} state
 */
function again(session, state) {
  if (state.lesson) return afterLesson(state.lesson);
  if (state.daily) return afterDaily(session, state.daily);
  if (state.next) {
    const { next } = state;
    if (session.wantsRematch) follow(session, next);
    const offer = state.log.findLast((event) => event.kind === "rematched");
    return [
      offer && h("p", { class: "offer", role: "status" }, eventText(offer, state)),
      h(
        "button",
        {
          type: "button",
          class: "primary wide rematch offered",
          on: { click: () => follow(session, next) },
        },
        icon("again"),
        t("Go to the rematch"),
      ),
    ];
  }
  if (session.ownSeat === null) return [];
  const ask = () => {
    session.wantsRematch = true;
    session.act({ kind: "rematch", seat: session.ownSeat ?? 0 });
  };
  const text = state.seats.length === 1 ? t("Play again") : t("Rematch");
  return [
    h(
      "button",
      { type: "button", class: "primary wide rematch", on: { click: ask } },
      icon("again"),
      text,
    ),
  ];
}

/**
 * The day's results; the streak of this device is noted by the server's day.
 * @param {Session} session
 * @param {import("../../net/protocol.js").DailyView} daily
 */
function afterDaily({ state, ownSeat }, { day, counts }) {
  if (counts && ownSeat !== null && state?.view.outcome) noteDailyGame(day, state.view.turn);
  return [
    link(
      `/daily?day=${day}`,
      { class: "button primary wide daily-results" },
      icon("trophy"),
      t("Results of the day"),
    ),
  ];
}

/**
 * After the first lesson comes the first game, after the others the next one.
 * @param {string} lesson
 */
function afterLesson(lesson) {
  if (lesson !== "basics")
    return [link("/learn", { class: "button primary wide" }, t("Next lesson"))];
  const begin = () => openFirstGame().catch((error) => toast(error.message, "bad"));
  return [
    h(
      "button",
      {
        type: "button",
        class: "primary wide for-real-button",
        "data-first-game": true,
        on: { click: begin },
      },
      botFace("chick", "waving"),
      h(
        "span",
        { class: "review-words" },
        h("strong", {}, t("Now for real")),
        h("span", {}, t("against Chick, with a coach beside you")),
      ),
    ),
    link("/learn", { class: "button wide" }, t("Next lesson")),
  ];
}

/**
 * The same secret holds the seat at the next table.
 * @param {Session} session
 * @param {string} next
 */
function follow(session, next) {
  saveGame(next, { secret: myGame(session.id)?.secret ?? null });
  return go(`/t/${next}`);
}

/** @param {State} state */
function soloPlace(state) {
  const { id, rules, view, seats } = state;
  const at = state.log.at(-1)?.at ?? new Date().toISOString();
  const place = enterSolo({ id, rules, turns: view.turn, name: seats[0].name ?? "", at });
  const text =
    place === null
      ? t("Not among your best ten this time.")
      : t("Place {place} on this device’s best-of list.", { place });
  return h("p", {}, text, " ", link("/games", {}, t("See the list")));
}

/** @param {import("../../net/session.js").Session} session */
async function showCheck(session) {
  const result = h(
    "div",
    { class: "verdict-box", "aria-live": "polite" },
    h("p", {}, t("Checking…")),
  );
  openDialog(t("Check the dice"), [
    h(
      "p",
      {},
      t(
        "Your browser recomputes every roll of this game from the revealed secret, and replays every move.",
      ),
    ),
    result,
  ]);
  const game = myGame(session.id);
  const known = {
    commitment: game?.commitment,
    salt: session.mine.length ? game?.salt : null,
    bound: game?.bound,
    turn: game?.boundTurn,
  };
  fill(result, await verdictOf(async () => checkRecord(await fetchRecord(session.id), known)));
}
