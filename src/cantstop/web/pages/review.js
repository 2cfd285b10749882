/** The pages of a review: of a table's game, and of any record that is dropped in. */

import { h, fill } from "../core/dom.js";
import { nextTask } from "../core/frames.js";
import { fileAddress, pageAddress } from "../core/site.js";
import { link, redraw } from "../core/router.js";
import { useStyle } from "../core/styles.js";
import { fetchState } from "../net/api.js";
import { fetchKeptRecord } from "../net/club.js";
import { tableErrorPage } from "./error.js";
import { icon } from "../ui/icons.js";
import { pageFrame } from "../ui/layout.js";
import { number, t } from "../words/i18n.js";
import { recordStory, tableStory } from "../insight/review/fetch.js";
import { Retry } from "../insight/review/retry.js";
import { createReview } from "../insight/review/view.js";

useStyle("review");

/** @typedef {import("../insight/review/story.js").Story} Story */
/** @typedef {import("../net/api.js").ApiError} ApiError */

/** Bytes: what the server takes, and many times what a record has. */
const LARGEST = 64 * 1024;
const KEPT = "cantstop.record";

/** The codes for a text that is not a record: trying again would not help. */
const REFUSED = ["malformed", "illegal", "too-large"];

/**
 * @param {import("../core/router.js").Place} place
 * @returns {Promise<import("../core/router.js").Page>}
 */
export default async function reviewPage({ id, query }) {
  return id ? tableReview(id, query) : recordReview(query);
}

/**
 * @param {string} id
 * @param {URLSearchParams} query
 */
async function tableReview(id, query) {
  let state;
  try {
    state = await fetchState(id);
  } catch (error) {
    return keptReview(id, query, /** @type {ApiError} */ (error));
  }
  const back = link(`/t/${id}`, { class: "button small" }, icon("back"), t("To the table"));
  const place = createPlace(query, `/t/${encodeURIComponent(id)}/review`);
  place.load((control) => tableStory(state, control));
  return place.page(back);
}

/**
 * The game of a table that has expired, from a player's history; its seats have numbers for names.
 * @param {string} id
 * @param {URLSearchParams} query
 * @param {ApiError} reason  why there is no table
 */
async function keptReview(id, query, reason) {
  const { code } = reason;
  const isGone = code === "table-expired" || code === "table-unknown";
  const kept = isGone ? await fetchKeptRecord(id).catch(() => null) : null;
  if (kept === null) return tableErrorPage(id, reason);
  const record = kept.replace(
    /^\[Seat(\d) "\1"\]$/gm,
    (_, seat) => `[Seat${seat} "${t("Player {number}", { number: seat })}"]`,
  );
  const place = createPlace(query, `/t/${encodeURIComponent(id)}/review`);
  place.load((control) => recordStory(record, control));
  return place.page(link("/me", { class: "button small" }, icon("back"), t("My page")));
}

/** @param {URLSearchParams} query */
async function recordReview(query) {
  const place = createPlace(query, "/review");
  const element = place.page(
    h(
      "button",
      { type: "button", class: "small another", hidden: true, on: { click: forget } },
      icon("close"),
      t("Another record"),
    ),
  );
  const another = /** @type {HTMLElement} */ (element.element.querySelector(".another"));

  function forget() {
    keep(null);
    history.replaceState(null, "", pageAddress("/review"));
    redraw();
  }

  /** @param {string} text */
  async function open(text) {
    another.hidden = false;
    keep(text);
    await place.load((control) => recordStory(text, control), ask);
  }

  /** @param {File | undefined} file */
  async function read(file) {
    if (!file) return;
    if (file.size > LARGEST)
      ask(t("The file is too large for a record: {size} kB.", { size: number(file.size / 1000) }));
    else await open(await file.text());
  }

  /** @param {string} [problem] */
  function ask(problem = "") {
    another.hidden = true;
    keep(null);
    place.show(dropZone(read, problem, query.has("n") || query.has("retry")));
  }

  const { element: page } = element;
  page.addEventListener("dragover", (event) => {
    event.preventDefault();
    page.classList.add("dropping");
  });
  page.addEventListener("dragleave", () => page.classList.remove("dropping"));
  page.addEventListener("drop", (event) => {
    event.preventDefault();
    page.classList.remove("dropping");
    read(event.dataTransfer?.files[0]);
  });
  const kept = keptRecord();
  if (query.has("shared")) sharedRecord().then((text) => (text === null ? ask() : open(text)));
  else if (kept === null) ask();
  else open(kept);
  return element;
}

/**
 * The tab keeps the record, so that the page can be reloaded.
 * @param {string | null} text
 */
function keep(text) {
  try {
    if (text === null) sessionStorage.removeItem(KEPT);
    else sessionStorage.setItem(KEPT, text);
  } catch {
    // sessionStorage is blocked: after a reload the page asks for the file again
  }
}

function keptRecord() {
  try {
    return sessionStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

/**
 * @param {(file: File | undefined) => void} onFile
 * @param {string} problem
 * @param {boolean} linked  whether the address names a moment of a record that is not here
 */
function dropZone(onFile, problem, linked) {
  const file = h("input", {
    type: "file",
    accept: ".cantstop,.txt,text/plain",
    on: { change: () => onFile(file.files?.[0]) },
  });
  return [
    h("h1", { tabindex: -1 }, t("Review a record")),
    h(
      "p",
      { class: "lead" },
      t(
        "Drop the record of any game here, finished or not, or choose its file. This device reviews it; where it cannot, the server does, and keeps nothing.",
      ),
    ),
    linked && !problem && h("p", {}, t("This address needs the record’s file again.")),
    h("label", { class: "drop-zone" }, icon("chart"), h("span", {}, t("Record file")), file),
    h("p", { class: "problem", role: "alert" }, problem),
  ];
}

/**
 * The part of the page where a review appears once it is there.
 * @param {URLSearchParams} query
 * @param {string} address
 */
function createPlace(query, address) {
  const content = h("div", { class: "review-content" });
  const leaving = new AbortController();
  let leave = () => {};

  /** @param {import("../core/dom.js").Child[]} shown */
  function show(shown) {
    const focused = content.contains(document.activeElement);
    leave();
    leave = () => {};
    fill(content, shown);
    if (focused) setTimeout(() => focusHeading(content));
  }

  /** @param {Story} story */
  function draw(story) {
    const seat = Number(query.get("retry")) - 1;
    if (seat in story.seats) {
      const retry = new Retry(story, seat, address);
      show([h("h1", { class: "sr-only", tabindex: -1 }, t("Retry mistakes")), retry.element]);
      leave = () => retry.leave();
      retry.focus();
    } else {
      const review = createReview(story, address, askedEvent(query, story));
      show([review.element]);
      leave = review.leave;
    }
  }

  return {
    show,
    /**
     * @param {(control: import("../insight/review/fetch.js").Control) => Promise<Story>} find
     * @param {(problem: string) => void} [onProblem]
     */
    async load(find, onProblem) {
      try {
        const story = await find({ signal: leaving.signal, onProgress: wait(show) });
        await nextTask(); // finding its words was one already
        if (!leaving.signal.aborted) draw(story);
      } catch (error) {
        if (leaving.signal.aborted) return;
        const { message, code } = /** @type {ApiError} */ (error);
        if (onProblem && REFUSED.includes(code)) onProblem(message);
        else show(problemOf(message));
      }
    },
    /** @param {HTMLElement} tool */
    page(tool) {
      return {
        title: t("Review"),
        element: pageFrame("review", [content], [tool]),
        leave() {
          leaving.abort();
          leave();
        },
      };
    },
  };
}

/**
 * In a task of its own, as it has the page laid out; unless what is shown took the focus itself.
 * @param {HTMLElement} content
 */
function focusHeading(content) {
  if (document.activeElement === document.body)
    content.querySelector("h1")?.focus({ preventScroll: true });
}

/**
 * Show that a review is worked out; returns how to say how far it is.
 * @param {(shown: import("../core/dom.js").Child[]) => void} show
 */
function wait(show) {
  const bar = h("progress", { "aria-label": t("Review"), max: 1 });
  show([
    h("h1", { tabindex: -1 }, t("Review")),
    h("p", { class: "lead waiting", role: "status" }, t("Looking at every decision…")),
    bar,
  ]);
  return (/** @type {number} */ share) => void (bar.value = share);
}

/** @param {string} message */
function problemOf(message) {
  const again = () => redraw();
  return [
    h("h1", { tabindex: -1 }, t("Review")),
    h("p", { class: "problem", role: "alert" }, message),
    h(
      "p",
      { class: "actions" },
      h("button", { type: "button", class: "primary", on: { click: again } }, t("Try again")),
    ),
  ];
}

/**
 * The event of the game that an address names: by its own number, or by the table's.
 * @param {URLSearchParams} query
 * @param {Story} story
 */
function askedEvent(query, { answer }) {
  const asked = query.get("n");
  if (asked !== null && Number.isFinite(Number(asked))) return Number(asked);
  const event = Number(query.get("event"));
  if (!event) return null;
  return answer.moments.findLast((moment) => (moment.event ?? 0) <= event)?.n ?? null;
}

/** The record that another app has shared, once: the service worker has it. */
async function sharedRecord() {
  history.replaceState(null, "", pageAddress("/review"));
  try {
    const answer = await fetch(fileAddress("shared-record"));
    return answer.ok ? await answer.text() : null;
  } catch {
    return null;
  }
}
