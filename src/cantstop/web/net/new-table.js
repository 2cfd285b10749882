/** Settings of a new game: remembered for each way to play, and turned into the request for a table. */

import { prefs, remember } from "../core/prefs.js";
import { go } from "../core/router.js";
import { saveGame } from "../core/saved-games.js";
import { postTable } from "./api.js";
import { t } from "../words/i18n.js";

/** @typedef {"bot" | "hotseat" | "online" | "solo"} Way */
/** @typedef {import("./protocol.js").EditionOffer} Edition */
/** @typedef {{kind: "human" | "open" | "bot", name: string, bot: string}} SeatChoice */

/**
 * @typedef {object} Settings
 * @property {string} edition
 * @property {number} win
 * @property {boolean} early
 * @property {import("./protocol.js").Sharing} sharing
 * @property {import("./protocol.js").Start} start  only a custom game chooses
 * @property {boolean} help
 * @property {boolean} hints  only online tables choose
 * @property {number} youngest
 * @property {SeatChoice[]} seats  the first is the player at this device
 */

const EASIEST_BOT = "random";

/**
 * @param {SeatChoice["kind"]} kind
 * @param {string} [bot]
 * @returns {SeatChoice}
 */
export function seat(kind, bot = "careful") {
  return { kind, name: "", bot };
}

/** @returns {Record<Way, SeatChoice[]>} */
function defaultSeats() {
  return {
    bot: [seat("human"), seat("bot")],
    hotseat: [seat("human"), seat("human")],
    online: [seat("human"), seat("open")],
    solo: [seat("human")],
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
    help: way !== "online",
    hints: false,
    youngest: 0,
    seats: defaultSeats()[way],
  };
  return { ...defaults, ...prefs().settings[way] };
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

/** A game for beginners: by the plain rules, with help, against the bot that is beaten first. */
export function openFirstGame() {
  return openTable("bot", {
    ...settingsFor("bot"),
    edition: "classic",
    win: 3,
    early: false,
    sharing: "free",
    help: true,
    seats: [seat("human"), seat("bot", EASIEST_BOT)],
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
    mode: way === "bot" ? "hotseat" : way,
    edition,
    win,
    early,
    sharing,
    help,
    youngest,
    ...(edition === "custom" && { start }),
    ...(way === "online" && { hints }),
    seats: seats.map(seatRequest),
  };
}

/**
 * @param {SeatChoice} choice
 * @param {number} index
 * @returns {import("./protocol.js").OpenTable["seats"][number]}
 */
function seatRequest({ kind, name, bot }, index) {
  if (kind === "bot") return { kind, bot };
  if (kind === "open") return { kind };
  return index === 0
    ? { kind, name: myName(), colour: prefs().colour }
    : { kind, name: name.trim() || t("Player {number}", { number: index + 1 }) };
}

/**
 * What the player at this device is called.
 * @param {number} [number]  of the seat, for those who give no name
 */
export function myName(number = 1) {
  return prefs().name.trim() || t("Player {number}", { number });
}
