/** Settings of a new game: remembered for each way to play, and turned into the request for a table. */

import { beginCoaching } from "../core/coaching.js";
import { prefs, remember } from "../core/prefs.js";
import { go } from "../core/router.js";
import { saveGame } from "../core/saved-games.js";
import { postTable } from "./api.js";
import { t } from "../words/i18n.js";

/** @typedef {"bot" | "hotseat" | "online" | "solo" | "companion"} Way */
/** @typedef {import("./protocol.js").EditionOffer} Edition */
/** @typedef {{kind: "human" | "open" | "bot", name: string, bot: string, colour?: number}} SeatChoice */

/**
 * @typedef {object} Settings
 * @property {string} edition
 * @property {number} win
 * @property {boolean} early
 * @property {import("./protocol.js").Sharing} sharing
 * @property {import("./protocol.js").Start} start  only a custom game chooses
 * @property {boolean} help
 * @property {boolean} hints  only online tables choose
 * @property {number} clock  seconds for a decision, at online tables; 0 for none
 * @property {number} days  for a turn, at slow tables; 0 at others
 * @property {number} youngest
 * @property {SeatChoice[]} seats  the first is the player at this device
 */

/** The lowest level of the ladder: who comes for the first time meets it. */
const FIRST_BOT = "chick";
const COLOURS = 4;
const DAY = 86_400;

/**
 * @param {SeatChoice["kind"]} kind
 * @param {string} [bot]
 * @returns {SeatChoice}
 */
export function seat(kind, bot = FIRST_BOT) {
  return { kind, name: "", bot };
}

/** @returns {Record<Way, SeatChoice[]>} */
function defaultSeats() {
  return {
    bot: [seat("human"), seat("bot")],
    hotseat: [seat("human"), seat("human")],
    online: [seat("human"), seat("open")],
    solo: [seat("human")],
    companion: [seat("human"), seat("human")],
  };
}

/**
 * The settings last used for a way to play, or those for the first time.
 * @param {Way} way
 * @returns {Settings}
 */
export function settingsFor(way) {
  /** @type {Settings} */
  const defaults = {
    edition: "classic",
    win: 3,
    early: false,
    sharing: "free",
    start: "first-seat",
    help: way !== "online" && way !== "companion",
    hints: false,
    clock: 0,
    days: 0,
    youngest: 0,
    seats: defaultSeats()[way],
  };
  const chosen = { ...defaults, ...prefs().settings[way] };
  // a day for each decision is not offered any more: it is one for the whole turn
  return chosen.clock < DAY ? chosen : { ...chosen, clock: 0, days: 1 };
}

/**
 * Only what the edition prints can be asked for; a choice that it does not know falls back.
 * @param {Settings} settings
 * @param {Edition} edition
 * @returns {Settings}
 */
export function fitToEdition(settings, edition) {
  const wins = edition.win[settings.seats.length] ?? [3];
  return {
    ...settings,
    edition: edition.name,
    win: wins.includes(settings.win) ? settings.win : 3,
    early: settings.early && edition.early,
    sharing: edition.sharing.includes(settings.sharing) ? settings.sharing : "free",
    youngest: settings.youngest < settings.seats.length ? settings.youngest : 0,
  };
}

/**
 * Open a table and go there.
 * @param {Way} way
 * @param {Settings} settings
 */
export async function openTable(way, settings) {
  remember({ settings: { ...prefs().settings, [way]: settings } });
  const { id, secret, seats } = await postTable(request(way, settings));
  saveGame(id, { secret, mine: seats });
  await go(`/t/${id}`);
}

/**
 * The next game against a bot is against this one.
 * @param {string} bot
 */
export function rememberOpponent(bot) {
  const settings = { ...settingsFor("bot"), seats: [seat("human"), seat("bot", bot)] };
  remember({ settings: { ...prefs().settings, bot: settings } });
}

/**
 * The editions that differ in anything for this number of players: alone nobody asks who starts.
 * @param {Edition[]} editions
 * @param {number} players
 */
export function distinctEditions(editions, players) {
  const keys = editions.map(({ start, win, early, sharing }) =>
    JSON.stringify([win[players], early, players > 1 && [start, sharing]]),
  );
  return editions.filter(({ name }, at) => name === "custom" || keys.indexOf(keys[at]) === at);
}

/** A game for beginners: by the plain rules, with help and a coach, against the bot that is beaten first. */
export function openFirstGame() {
  beginCoaching();
  return openTable("bot", {
    ...settingsFor("bot"),
    edition: "classic",
    win: 3,
    early: false,
    sharing: "free",
    help: true,
    seats: [seat("human"), seat("bot")],
  });
}

/**
 * @param {Way} way
 * @param {Settings} settings
 * @returns {import("./protocol.js").OpenTable}
 */
function request(way, settings) {
  const { edition, win, early, sharing, start, help, hints, youngest, seats } = settings;
  return {
    mode: way === "bot" || way === "companion" ? "hotseat" : way,
    edition,
    win,
    early,
    sharing,
    help,
    youngest,
    ...(edition === "custom" && { start }),
    ...(way === "companion" && { dice: "entered" }),
    ...(way === "online" && { hints }),
    ...(way === "online" && timeOf(settings)),
    seats: seats.map((choice, at) => seatRequest(choice, at, coloursOf(seats)[at])),
  };
}

/**
 * The time for a turn or for a decision, where there is a limit.
 * @param {Settings} settings
 * @returns {Pick<import("./protocol.js").OpenTable, "clock" | "days">}
 */
function timeOf({ clock, days }) {
  if (days) return { days: /** @type {1 | 2 | 3 | 7} */ (days) };
  return clock ? { clock } : {};
}

/**
 * The colours of the seats: the player's own first, for the others what was chosen, or else a free one.
 * @param {SeatChoice[]} seats
 */
export function coloursOf(seats) {
  const chosen = [prefs().colour];
  for (const { colour } of seats.slice(1))
    chosen.push(colour === undefined || chosen.includes(colour) ? -1 : colour);
  const free = Array.from({ length: COLOURS }, (_, at) => at).filter((at) => !chosen.includes(at));
  return chosen.map((colour) => (colour < 0 ? (free.shift() ?? 0) : colour));
}

/**
 * The same seats, with another colour for one of them; who had that gets the one it had.
 * @param {SeatChoice[]} seats
 * @param {number} at
 */
export function withNextColour(seats, at) {
  const colours = coloursOf(seats);
  let next = colours[at];
  do next = (next + 1) % COLOURS;
  while (next === colours[0]);
  return seats.map((choice, i) => {
    const before = colours[i] === next ? colours[at] : colours[i];
    return i === 0 ? choice : { ...choice, colour: i === at ? next : before };
  });
}

/**
 * @param {SeatChoice} choice
 * @param {number} index
 * @param {number} colour
 * @returns {import("./protocol.js").OpenTable["seats"][number]}
 */
function seatRequest(choice, index, colour) {
  const { kind, bot } = choice;
  if (kind === "bot") return { kind, bot, colour };
  if (kind === "open") return { kind };
  return { kind, name: personName(choice, index), colour };
}

/**
 * What a person on a seat is called.
 * @param {SeatChoice} choice
 * @param {number} index
 */
export function personName({ name }, index) {
  if (index === 0) return myName();
  return name.trim() || t("Player {number}", { number: index + 1 });
}

/**
 * What the player at this device is called.
 * @param {number} [number]  of the seat, for those who give no name
 */
export function myName(number = 1) {
  return prefs().name.trim() || t("Player {number}", { number });
}
