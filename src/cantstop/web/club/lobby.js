/** The lobby on the start page: play with others, who is here, open tables, a game to watch. */

import { fill, h, setAttribute, write } from "../core/dom.js";
import { knownPlayer } from "../core/player-key.js";
import { load, prefs, save } from "../core/prefs.js";
import { go, link } from "../core/router.js";
import { myGame, newSecret, saveGame } from "../core/saved-games.js";
import { useStyle } from "../core/styles.js";
import { beginPlayer, deviceName, fetchLobby } from "../net/club.js";
import { saltCommitment } from "../net/salts.js";
import { postSeat } from "../net/table-requests.js";
import { botFace } from "../ui/bot-faces.js";
import { announce } from "../ui/dialog.js";
import { icon } from "../ui/icons.js";
import { LONGEST_NAME } from "../ui/player-fields.js";
import { segments } from "../ui/segments.js";
import { number, plural, t } from "../words/i18n.js";
import { botName } from "../words/sentences.js";
import { playerLink } from "./player-link.js";
import { gameToWatch, tableLine } from "./lobby-lists.js";
import { publicLine } from "./public-line.js";
import { Search } from "./search.js";

useStyle("forms");
useStyle("club");
useStyle("play-somebody");

/** @typedef {import("../net/protocol.js").LobbyView} LobbyView */
/** @typedef {import("../net/protocol.js").SeekView} SeekView */
/** @typedef {import("../net/protocol.js").LobbyTable} LobbyTable */

/** Milliseconds between two looks at the lobby. */
const LOOK = 5000;
/** Seconds until a bot is offered; the server decides, this is what the ring shows. */
const OFFER = 20;
const MOST_TABLES = 6;
const MOST_HERE = 12;

/**
 * Fill the place that the start page has kept.
 * @param {HTMLElement} place
 */
export function showLobby(place) {
  const lobby = new Lobby(place);
  lobby.look();
}

class Lobby {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    /** @type {Search | null} */
    this.search = null;
    /** @type {{players: number, rated: boolean}} */
    this.wanted = { players: 2, rated: true, ...load("seek", {}) };
    this.count = h("span", { class: "here-count" });
    this.play = h("div", { class: "play-somebody" });
    this.here = h("p", { class: "here-list" });
    this.tables = h("div", { class: "open-tables" });
    this.games = h("div", { class: "games-to-watch" });
    this.problem = h("p", { class: "problem", role: "alert" });
    fill(
      place,
      h(
        "div",
        { class: "lobby-head" },
        h("h2", { id: "lobby-title" }, t("Play somebody")),
        this.count,
      ),
      this.play,
      this.problem,
      this.here,
      this.tables,
      this.games,
      link("/players", { class: "leaders-link" }, icon("trophy"), t("Leaderboard")),
    );
    this.showForm();
  }

  // Who is here

  async look() {
    if (!this.place.isConnected && this.looked) {
      this.search?.stop();
      return;
    }
    if (!document.hidden)
      try {
        this.show(await fetchLobby());
      } catch {
        // the server is away for a moment: what was seen last stays
      }
    this.looked = true;
    setTimeout(() => this.look(), LOOK);
  }

  /** @param {LobbyView} view */
  show({ here, count, tables, games }) {
    write(this.count, hereText(here, count));
    this.count.classList.toggle("nobody", isAlone(here, count));
    this.redraw(
      this.here,
      here,
      () => here.length > 0 && here.slice(0, MOST_HERE).map((player) => playerLink(player)),
    );
    this.redraw(
      this.tables,
      tables,
      () =>
        tables.length > 0 && [
          h("h3", {}, t("Open tables")),
          h(
            "ul",
            {},
            tables.slice(0, MOST_TABLES).map((table) => tableLine(table, () => this.sit(table))),
          ),
        ],
    );
    const best = games.slice(0, 1);
    this.redraw(this.games, best, () => best.map((game) => gameToWatch(game)));
  }

  /**
   * Only what has changed is drawn again, and never under a finger.
   * @param {HTMLElement} element
   * @param {unknown} data
   * @param {() => import("../core/dom.js").Child | import("../core/dom.js").Child[]} draw
   */
  redraw(element, data, draw) {
    const now = JSON.stringify(data);
    if (element.dataset.shown === now || element.contains(document.activeElement)) return;
    element.dataset.shown = now;
    fill(element, draw());
  }

  // Playing

  showForm(said = "") {
    const known = knownPlayer();
    const name = h("input", {
      name: "lobby-name",
      value: prefs().name,
      maxlength: LONGEST_NAME,
      required: true,
      autocomplete: "nickname",
      "aria-label": t("Your name"),
      placeholder: t("Your name"),
    });
    this.name = known ? null : name;
    const keep = () => save("seek", this.wanted);
    const form = h(
      "form",
      { class: "seek-form" },
      h(
        "div",
        { class: "seek-choices" },
        segments(
          "seek-players",
          t("Number of players"),
          [2, 3, 4].map((value) => ({ value, content: value })),
          this.wanted.players,
          (players) => {
            this.wanted.players = players;
            keep();
          },
        ),
        segments(
          "seek-kind",
          t("Rated or for fun"),
          [
            { value: "rated", content: t("Rated") },
            { value: "fun", content: t("For fun") },
          ],
          this.wanted.rated ? "rated" : "fun",
          (kind) => {
            this.wanted.rated = kind === "rated";
            keep();
          },
        ),
      ),
      this.name,
      h("button", { class: "primary wide seek" }, icon("people"), t("Play somebody")),
      !known && h("p", { class: "hint" }, publicLine()),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.attempt(async () => {
        await this.ensurePlayer();
        this.seek();
      });
    });
    fill(this.play, form);
    write(this.problem, said);
  }

  /** @param {() => Promise<void>} action */
  async attempt(action) {
    write(this.problem, "");
    this.place.inert = true;
    try {
      await action();
    } catch (error) {
      write(this.problem, /** @type {Error} */ (error).message);
    }
    this.place.inert = false;
  }

  /** Who plays online for the first time gets a key and a name. */
  async ensurePlayer() {
    if (knownPlayer() || !this.name) return;
    const { colour } = prefs();
    await beginPlayer({ name: this.name.value, mark: colour, device: deviceName() });
  }

  seek() {
    const { ring, seconds } = secondsRing();
    const looking = t("Looking for somebody …");
    const waiting = h("p", { class: "muted" });
    const offer = h("div", { class: "seek-offer" });
    const search = new Search(this.wanted, {
      shown: (view) => this.showSearch(view, waiting, offer),
      found: (table) => {
        stop();
        announce(t("Somebody is there: the game begins."));
        if (this.place.isConnected) go(`/t/${table}`);
      },
      ended: (problem) => {
        stop();
        this.showForm(
          problem?.message ??
            t("Nobody has come. Try again later, play a bot, or send somebody a link."),
        );
      },
    });
    this.search = search;
    const tick = () => {
      if (!this.place.isConnected) stop();
      write(seconds, String(search.seconds));
      ring.style.setProperty("--share", String(Math.min(1, search.seconds / OFFER)));
    };
    const timer = setInterval(tick, 500);
    const stop = () => {
      clearInterval(timer);
      search.stop();
      this.search = null;
    };
    const stopButton = stopSeekingButton(() => {
      stop();
      this.showForm();
      /** @type {HTMLElement | null} */ (this.play.querySelector(".seek"))?.focus();
    });
    fill(
      this.play,
      h(
        "div",
        { class: "seeking" },
        ring,
        h(
          "div",
          { role: "status" },
          h("strong", {}, looking),
          h("p", { class: "muted" }, this.wantedText()),
          waiting,
        ),
      ),
      offer,
      stopButton,
    );
    tick();
    stopButton.focus({ preventScroll: true });
  }

  wantedText() {
    const { players, rated } = this.wanted;
    const count = t("{count} players", { count: players });
    return `${count} · ${rated ? t("Rated") : t("For fun")}`;
  }

  /**
   * @param {SeekView} view
   * @param {HTMLElement} waiting
   * @param {HTMLElement} place
   */
  showSearch({ waiting: count, offer }, waiting, place) {
    const others = Math.max(0, count - 1);
    write(
      waiting,
      others
        ? plural(
            others,
            t("{count} other player is looking, too.", { count: others }),
            t("{count} other players are looking, too.", { count: others }),
          )
        : "",
    );
    setAttribute(place, "data-bot", offer?.bot);
    if (!offer || place.dataset.drawn === offer.bot) return;
    place.dataset.drawn = offer.bot;
    const name = botName(offer.bot);
    fill(
      place,
      botFace(offer.bot, "waving"),
      h(
        "div",
        {},
        h("strong", {}, t("{name} would play you", { name })),
        h(
          "p",
          { class: "muted" },
          t("A bot of your strength. If a person comes first, they play."),
        ),
      ),
      h(
        "button",
        {
          type: "button",
          class: "primary play-offered",
          on: { click: () => this.attempt(async () => this.search?.playBot()) },
        },
        t("Play {name} now", { name }),
      ),
    );
    announce(t("{name} would play you", { name }));
  }

  // Open tables

  /** @param {LobbyTable} table */
  sit(table) {
    if (this.name && !this.name.reportValidity()) return;
    this.attempt(async () => {
      await this.ensurePlayer();
      this.search?.stop();
      const secret = newSecret();
      saveGame(table.id, { asked: secret });
      const { seat } = await postSeat(table.id, seatRequest(table.id, secret));
      saveGame(table.id, { secret, mine: [seat], asked: null });
      await go(`/t/${table.id}`);
    });
  }
}

/**
 * @param {string} id
 * @param {string} secret
 */
function seatRequest(id, secret) {
  return {
    secret,
    name: knownPlayer()?.name ?? prefs().name,
    colour: prefs().colour,
    salt_commitment: saltCommitment(myGame(id)?.salt ?? ""),
  };
}

/** @param {() => void} stop */
function stopSeekingButton(stop) {
  return h(
    "button",
    { type: "button", class: "stop-seeking", on: { click: stop } },
    t("Stop looking"),
  );
}

function secondsRing() {
  const seconds = h("span", { class: "seek-seconds" });
  return { seconds, ring: h("span", { class: "seek-ring", "aria-hidden": "true" }, seconds) };
}

/**
 * Whether nobody is here but the player of this device.
 * @param {LobbyView["here"]} here
 * @param {number} count
 */
function isAlone(here, count) {
  return count === 0 || (count === 1 && here[0]?.id === knownPlayer()?.id);
}

/**
 * @param {LobbyView["here"]} here
 * @param {number} count
 */
function hereText(here, count) {
  if (isAlone(here, count))
    return count ? t("Only you are here now") : t("Nobody is here just now");
  return plural(
    count,
    t("{count} here now", { count: number(count) }),
    t("{count} are here now", { count: number(count) }),
  );
}
