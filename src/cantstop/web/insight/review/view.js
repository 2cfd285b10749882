/** A whole review on screen: what was luck, the chart, the moments worth a look, one moment. */

import { h, fill } from "../../core/dom.js";
import { link } from "../../core/router.js";
import { listenToKeys } from "../../table/turn/keyboard.js";
import { announce, openDialog } from "../../ui/dialog.js";
import { icon } from "../../ui/icons.js";
import { shareField } from "../../ui/share-link.js";
import { t } from "../../words/i18n.js";
import { seatName } from "../../words/sentences.js";
import { createChart, markSign, momentText } from "./chart.js";
import { createMoment } from "./moment.js";
import { seatCards } from "./seats.js";
import { mistakesOf, happeningAt, isRoll, mainMarks } from "./story.js";
import { changeText, gradeText, question, verdict } from "./words.js";

/** @typedef {import("./story.js").Story} Story */
/** @typedef {import("./story.js").Mark} Mark */

/**
 * @param {Story} story
 * @param {string} address  of the review, without a moment
 * @param {number | null} asked  the event to begin with
 */
export function createReview(story, address, asked) {
  const last = story.answer.moments.length - 1;
  const chart = createChart(story, (n) => show(n));
  const moment = createMoment(story, (n) => show(n), share);
  const list = createList(story, (n) => {
    show(n);
    // on a phone the moment is somewhere else: go there
    moment.title.focus({ preventScroll: true });
    moment.element.scrollIntoView({ block: "nearest" });
  });
  const element = h(
    "div",
    { class: "review" },
    h(
      "header",
      { class: "review-head" },
      h("h1", { tabindex: -1 }, question(story)),
      h("p", { class: "lead" }, verdict(story)),
    ),
    h("section", { class: "players-part card", "aria-label": t("Players") }, seatCards(story)),
    chart.element,
    moment.element,
    list.element,
  );
  let at = 0;

  /** @param {number} n */
  function show(n) {
    element.dataset.asked = "true";
    draw(n);
    history.replaceState(null, "", `${address}?n=${at}`);
    announce(momentText(story, at));
  }

  /** @param {number} n */
  function draw(n) {
    at = Math.max(0, Math.min(last, Math.round(n)));
    chart.show(at);
    moment.show(at);
    list.show(at);
  }

  function share() {
    openDialog(t("Link to this moment"), [
      shareField(t("Link to this moment"), `${location.origin}${address}?n=${at}`),
    ]);
  }

  if (asked !== null) element.dataset.asked = "true";
  draw(asked ?? worst(story)?.n ?? last);
  const stopKeys = listenToKeys({
    ArrowLeft: () => moment.step(-1),
    ArrowRight: () => moment.step(1),
    p: () => moment.leap(-1),
    n: () => moment.leap(1),
  });
  return {
    element,
    leave() {
      stopKeys();
      chart.leave();
    },
  };
}

/**
 * The largest error, or else the largest roll.
 * @param {Story} story
 */
function worst({ marks }) {
  const errors = marks.filter((mark) => !isRoll(mark));
  return (errors.length ? errors : marks).reduce(
    (/** @type {Mark | null} */ most, mark) =>
      !most || Math.abs(mark.change) > Math.abs(most.change) ? mark : most,
    null,
  );
}

/**
 * The moments worth a look, and the ways on from there.
 * @param {Story} story
 * @param {(n: number) => void} onGo
 */
function createList(story, onGo) {
  const rows = h("ol", { class: "worth-a-look" });
  const main = mainMarks(story);
  /** @type {number} */
  let at = 0;
  let all = false;
  const more = h(
    "button",
    {
      type: "button",
      class: "small show-all",
      on: {
        click: () => {
          all = true;
          more.remove();
          draw();
        },
      },
    },
    t("Show all {count}", { count: story.marks.length }),
  );

  function draw() {
    fill(
      rows,
      (all ? story.marks : main).map((mark) =>
        h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              class: "look",
              "data-n": mark.n,
              "data-kind": mark.kind,
              "aria-current": mark.n === at ? "true" : null,
              on: { click: () => onGo(mark.n) },
            },
            rowContent(story, mark),
          ),
        ),
      ),
    );
  }

  draw();
  return {
    element: h(
      "section",
      { class: "looks card", "aria-labelledby": "looks-title" },
      h("h2", { id: "looks-title" }, t("Worth a look")),
      story.marks.length ? rows : h("p", {}, t("No decision gave away much.")),
      story.marks.length > main.length && more,
      h("div", { class: "actions" }, retryLinks(story), shareButton(story)),
    ),
    /** @param {number} n */
    show(n) {
      at = n;
      for (const row of /** @type {NodeListOf<HTMLElement>} */ (rows.querySelectorAll(".look")))
        if (Number(row.dataset.n) === n) row.setAttribute("aria-current", "true");
        else row.removeAttribute("aria-current");
    },
  };
}

/**
 * @param {Story} story
 * @param {Mark} mark
 */
function rowContent(story, mark) {
  const { solo, decisions, answer } = story;
  const decision = isRoll(mark) ? undefined : decisions.get(mark.n);
  const { turn } = decision ?? story.rolls.get(mark.n) ?? answer.moments[mark.n];
  const figure = changeText(mark.change, solo);
  return [
    markSign(mark.kind),
    h("span", { class: "sr-only" }, `${gradeText(mark.kind)}, `),
    h(
      "span",
      { class: "look-words" },
      h("span", { class: "muted" }, t("Turn {turn}", { turn })),
      h(
        "span",
        { class: "look-what" },
        decision ? chosenText(story, mark) : rolledText(story, mark),
      ),
    ),
    h("strong", { class: mark.change < 0 ? "figure bad" : "figure good" }, figure),
    isRoll(mark) && h("span", { class: "figure-of muted" }, t("luck")),
  ];
}

/**
 * What was chosen, where another option was better.
 * @param {Story} story
 * @param {Mark} mark
 */
function chosenText({ seats, decisions }, { n, seat }) {
  const decision = decisions.get(n);
  if (!decision) return "";
  const name = seatName(seats[seat], seat);
  if (decision.chosen === "stop") return t("{name} stops too early", { name });
  if (decision.chosen === "roll") return t("{name} rolls once too often", { name });
  return t("{name} takes {chosen} when {best} was possible", {
    name,
    chosen: decision.chosen,
    best: decision.best,
  });
}

/**
 * @param {Story} story
 * @param {Mark} mark
 */
function rolledText(story, { n, seat }) {
  const roll = story.rolls.get(n);
  if (!roll?.bust) return happeningAt(story, n).text;
  return t("{name} busts with {dice}", {
    name: seatName(story.seats[seat], seat),
    dice: roll.dice.join(" "),
  });
}

/**
 * Whoever sits here alone retries their own mistakes; otherwise everybody's can be chosen.
 * @param {Story} story
 */
function retryLinks(story) {
  const { seats, mine, table } = story;
  const people = seats.flatMap((seat, index) => (seat.bot ? [] : [index]));
  const offered = mine.length === 1 ? mine : people;
  const address = table === null ? "/review" : `/t/${table}/review`;
  return offered
    .map((seat) => ({ seat, count: mistakesOf(story, seat).length }))
    .filter(({ count }) => count)
    .map(({ seat, count }, index) =>
      link(
        `${address}?retry=${seat + 1}`,
        { class: index ? "button retry-link" : "button primary retry-link", "data-seat": seat },
        icon("again"),
        mine.length === 1 || seats.length === 1
          ? t("Retry my mistakes ({count})", { count })
          : t("Retry {name}’s mistakes ({count})", {
              name: seatName(seats[seat], seat),
              count,
            }),
      ),
    );
}

/** @param {Story} story */
function shareButton({ table }) {
  if (table === null) return null;
  const url = `${location.origin}/t/${table}/review`;
  return h(
    "button",
    {
      type: "button",
      on: {
        click: () => openDialog(t("Share the review"), [shareField(t("Link to the review"), url)]),
      },
    },
    icon("share"),
    t("Share"),
  );
}
