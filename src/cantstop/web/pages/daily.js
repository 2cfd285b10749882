/** The daily game: today or a past day, its results, and the way to play it. The server's clock decides. */

import { dailyNotes, dailyStreak, noteDailyGame } from "../core/played-days.js";
import { fill, h } from "../core/dom.js";
import { prefs } from "../core/prefs.js";
import { go, link, redraw } from "../core/router.js";
import { saveGame } from "../core/saved-games.js";
import { isSite } from "../core/site.js";
import { useStyle } from "../core/styles.js";
import { fetchState, send } from "../net/api.js";
import { myName } from "../net/new-table.js";
import { toast } from "../ui/dialog.js";
import { dayCalendar } from "../ui/day-calendar.js";
import { icon } from "../ui/icons.js";
import { pageFrame } from "../ui/layout.js";
import { signed, turnsText } from "../words/counts.js";
import { date, dayText, number, plural, t } from "../words/i18n.js";

useStyle("daily");

/** @typedef {import("../net/protocol.js").DailyAnswer} Day */
/** @typedef {import("../net/protocol.js").DailyTry} Try */

const MINUTE = 60_000;

/**
 * @param {import("../core/router.js").Place} place
 * @returns {Promise<import("../core/router.js").Page>}
 */
export default async function dailyPage({ query }) {
  if (isSite) return (await import("./error.js")).notFoundPage();
  const title = t("Daily game");
  const asked = query.get("day");
  const body = h("div", { class: "daily" });
  const element = pageFrame("daily", [h("h1", { tabindex: -1 }, title), body]);
  let timer = 0;
  try {
    const { device } = dailyNotes();
    const today = await read("", device);
    const day = asked && asked !== today.day ? await read(`/${asked}`, device) : today;
    const { mine } = day;
    if (mine?.finished_at) noteDailyGame(day.day, mine.turns);
    const clock = h("p", { class: "daily-clock", role: "timer", "aria-live": "off" });
    fill(body, [
      heading(day, today),
      day === today && clock,
      mine?.finished_at ? ownResult(day, mine) : null,
      playButton(day, today),
      day === today && streak(today.day),
      bestLine(day),
      results(day),
      seal(day, today),
      pastDays(day, today),
    ]);
    const ends = performance.now() + (Date.parse(today.ends) - Date.parse(today.now));
    const tick = () => {
      const left = ends - performance.now();
      clock.textContent =
        left > 0
          ? t("The next one begins in {time}, at midnight UTC.", { time: duration(left) })
          : t("A new daily game has begun: load this page again.");
    };
    tick();
    timer = setInterval(tick, MINUTE / 4);
  } catch (error) {
    fill(body, failed(/** @type {Error} */ (error).message));
  }
  return { title, element, leave: () => clearInterval(timer) };
}

/**
 * Why the day is not there, what to do about it, and what can be played without it.
 * @param {string} message
 */
function failed(message) {
  return [
    h("p", { class: "problem", role: "alert" }, message),
    h(
      "p",
      { class: "actions" },
      h(
        "button",
        { type: "button", class: "primary", on: { click: () => redraw() } },
        t("Try again"),
      ),
      link("/new?way=solo", { class: "button" }, t("Play solo")),
    ),
  ];
}

/**
 * @param {string} path
 * @param {string} device
 */
async function read(path, device) {
  const headers = { Authorization: `Bearer ${device}` };
  return (await send("GET", `/api/daily${path}`, undefined, { headers })).json();
}

/** @param {number} milliseconds */
function duration(milliseconds) {
  const minutes = Math.max(1, Math.ceil(milliseconds / MINUTE));
  const fields = { hours: Math.floor(minutes / 60), minutes: minutes % 60 };
  return minutes < 60 ? t("{minutes} min", fields) : t("{hours} h {minutes} min", fields);
}

/**
 * @param {Day} day
 * @param {Day} today
 */
function heading(day, today) {
  return h(
    "header",
    {},
    h("h2", {}, h("time", { datetime: day.day }, dayText(day.day))),
    h(
      "p",
      { class: "lead" },
      day === today
        ? t(
            "Alone, in as few turns as you can: everybody has the same dice today, and one try that counts. Best play needs {turns} on average.",
            { turns: turnsText(day.par, 1) },
          )
        : t("A past day: play it as often as you like, outside the ranking."),
    ),
  );
}

/**
 * @param {Day} day
 * @param {Day} today
 */
function playButton(day, today) {
  const { mine, unfinished: open } = day;
  const counts = day === today && !mine;
  const words = counts ? t("Play today’s game") : open ? t("Keep playing") : t("Play it again");
  const play = async (/** @type {Event} */ event) => {
    const button = /** @type {HTMLButtonElement} */ (event.currentTarget);
    button.disabled = true;
    try {
      await begin(day.day);
    } catch (error) {
      toast(/** @type {Error} */ (error).message, "bad");
      button.disabled = false;
    }
  };
  return h(
    "div",
    { class: "daily-play" },
    h(
      "button",
      {
        type: "button",
        class: counts || open ? "primary wide" : "wide",
        "data-daily": counts ? "counts" : open ? "open" : "again",
        on: { click: play },
      },
      icon("play"),
      words,
    ),
    counts &&
      h(
        "p",
        { class: "muted" },
        t("Everybody will be able to read your result here, with the name “{name}”.", {
          name: myName(),
        }),
      ),
    !counts &&
      !open &&
      h(
        "p",
        { class: "muted" },
        day === today
          ? t("Your try today is over: another game does not count.")
          : t("It does not count for anything."),
      ),
  );
}

/** @param {string} day */
async function begin(day) {
  const request = { name: myName(), colour: prefs().colour, device: dailyNotes().device, day };
  const answer = await send("POST", "/api/daily", JSON.stringify(request));
  /** @type {import("../net/protocol.js").DailySeatAnswer} */
  const { id, secret, seats } = await answer.json();
  saveGame(id, { secret, mine: seats });
  await go(`/t/${id}`);
}

// Results

/** @type {Record<string, string>} */
const SIGNS = { s: "■", b: "□", c: "★" };

/** @param {string} signs */
function signText(signs) {
  return Array.from(signs, (sign) => SIGNS[sign]).join("");
}

/**
 * The signs for those who do not see them.
 * @param {string} signs
 */
function signWords(signs) {
  /** @type {Record<string, string>} */
  const words = { s: t("stopped"), b: t("bust"), c: t("column won") };
  return Array.from(signs, (sign) => words[sign]).join(", ");
}

/** @param {number | null} turns  saved or lost */
function change(turns) {
  return turns === null ? "–" : signed(turns);
}

/**
 * The text that is posted: it tells nothing of the dice.
 * @param {Day} day
 * @param {Try} mine
 */
function resultText(day, { turns, signs, luck, skill }) {
  const fields = {
    day: dayText(day.day),
    turns: turnsText(turns ?? 0),
    par: number(day.par, 1),
    luck: change(luck),
    skill: change(skill),
  };
  const head =
    luck === null
      ? t("Can’t Stop {day}: {turns}, par {par}", fields)
      : t("Can’t Stop {day}: {turns}, par {par}, luck {luck}, skill {skill}", fields);
  return `${head}\n${signText(signs ?? "")}`;
}

/**
 * @param {Day} day
 * @param {Try} mine
 */
function ownResult(day, mine) {
  const text = resultText(day, mine);
  const shown = h("p", { class: "daily-text", tabindex: -1 }, text);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast(t("Copied."));
    } catch {
      getSelection()?.selectAllChildren(shown);
      toast(t("Copy the marked text by hand."));
    }
  };
  const share = () => navigator.share({ text }).catch(() => {});
  const picture = async () => {
    const { shareGame } = await import("../table/panels/share-game.js");
    await shareGame(await fetchState(mine.table ?? ""), [0]);
  };
  return h(
    "section",
    { class: "card daily-own", "aria-label": t("Your result") },
    h("h3", {}, t("Your result")),
    shown,
    day.place !== null &&
      h("p", {}, t("Place {place} of {count}.", { place: day.place, count: day.count })),
    h(
      "div",
      { class: "actions" },
      h("button", { type: "button", class: "copy", on: { click: copy } }, icon("copy"), t("Copy")),
      "share" in navigator &&
        h("button", { type: "button", on: { click: share } }, icon("share"), t("Share")),
      mine.table &&
        h(
          "button",
          { type: "button", class: "share-day", on: { click: picture } },
          icon("chart"),
          t("Picture"),
        ),
      link(
        `/t/${mine.table}/review`,
        { class: "button" },
        icon("search"),
        t("What would have been best"),
      ),
    ),
  );
}

/**
 * What best play comes to with the same dice, for whoever cannot use it any more.
 * @param {Day} day
 */
function bestLine({ best }) {
  if (!best) return null;
  return h(
    "p",
    { class: "daily-best" },
    t("Best play with these dice: {turns}.", { turns: turnsText(best.length) }),
    " ",
    h("span", { "aria-hidden": "true" }, signText(best)),
    h("span", { class: "sr-only" }, signWords(best)),
  );
}

/** @param {Day} day */
function results(day) {
  const heads = [t("Place"), t("Name"), t("Turns"), t("Luck"), t("Skill"), t("Turn by turn")];
  const { results: rows, count } = day;
  if (!rows.length)
    return h(
      "section",
      {},
      h("h3", {}, t("Results of the day")),
      h("p", { class: "muted" }, t("Nobody has finished this game here.")),
    );
  return h(
    "section",
    {},
    h("h3", {}, t("Results of the day")),
    h(
      "div",
      { class: "daily-scroll", tabindex: 0, role: "region", "aria-label": t("Results of the day") },
      h(
        "table",
        { class: "daily-results-table" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            heads.map((head) => h("th", { scope: "col" }, head)),
          ),
        ),
        h(
          "tbody",
          {},
          rows.map((row) => resultRow(row, rows)),
        ),
      ),
    ),
    h("p", { class: "muted" }, t("Luck and skill are in turns: + saved, − lost.")),
    count > rows.length &&
      h(
        "p",
        { class: "muted" },
        t("These are the best {shown} of {count}.", { shown: rows.length, count }),
      ),
  );
}

/**
 * @param {Try} row
 * @param {Try[]} rows
 */
function resultRow(row, rows) {
  const place = 1 + rows.filter(({ turns }) => (turns ?? 0) < (row.turns ?? 0)).length;
  const signs = row.signs ?? "";
  const name = row.table ? link(`/t/${row.table}?n=1`, {}, row.name) : row.name;
  return h(
    "tr",
    { class: row.mine ? "mine" : "" },
    h("td", {}, String(place)),
    h("th", { scope: "row" }, name, row.mine && h("span", { class: "tag" }, t("you"))),
    h("td", {}, String(row.turns)),
    h("td", {}, change(row.luck)),
    h("td", {}, change(row.skill)),
    h(
      "td",
      { class: "daily-signs" },
      h("span", { "aria-hidden": "true" }, signText(signs)),
      h("span", { class: "sr-only" }, signWords(signs)),
    ),
  );
}

/** @param {string} today */
function streak(today) {
  const days = dailyStreak(today);
  if (!days) return null;
  return h(
    "p",
    { class: "daily-streak" },
    icon("trophy"),
    plural(
      days,
      t("Your streak on this device: {days} day.", { days }),
      t("Your streak on this device: {days} days.", { days }),
    ),
  );
}

// The seal

/**
 * @param {Day} day
 * @param {Day} today
 */
function seal(day, today) {
  const { next } = today;
  return h(
    "details",
    { class: "seal-note daily-seal" },
    h("summary", {}, icon("seal"), h("span", {}, t("Fair dice"))),
    h(
      "p",
      {},
      t(
        "The dice of a day follow from a key whose fingerprint was shown before the day began. The key is revealed once no game of the day can count any more: then your browser checks each roll.",
      ),
    ),
    hash(t("Fingerprint of {day}:", { day: dayText(day.day) }), day.commitment),
    day.key
      ? hash(t("Key of {day}:", { day: dayText(day.day) }), day.key)
      : h(
          "p",
          { class: "muted" },
          t("The key is revealed at {time} UTC.", { time: date(day.reveals_at, "UTC") }),
        ),
    next &&
      day === today &&
      hash(t("Fingerprint of {day}:", { day: dayText(next.day) }), next.commitment),
    h(
      "p",
      {},
      t("A game begun before midnight counts if it is over by {time} UTC.", {
        time: date(day.counts_until, "UTC"),
      }),
    ),
  );
}

/**
 * @param {string} label
 * @param {string} value
 */
function hash(label, value) {
  return h("p", { class: "muted" }, label, " ", h("code", { class: "hash" }, value));
}

/**
 * @param {Day} day
 * @param {Day} today
 */
function pastDays(day, today) {
  return h(
    "section",
    {},
    h("h3", {}, t("Past days")),
    day !== today && h("p", {}, link("/daily", { class: "button" }, icon("back"), t("Today"))),
    dayCalendar(today.day, day.day),
  );
}
