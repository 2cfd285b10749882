/** A whole review on screen: what was luck, the chart, the moments worth a look, one moment. */

import { h, fill } from "../../core/dom.js";
import { pageAddress } from "../../core/site.js";
import { shareAddress } from "../../core/paths.js";
import { link } from "../../core/router.js";
import { listenToKeys } from "../../board/keyboard.js";
import { isOnDevice } from "../../net/api.js";
import { announce, openDialog } from "../../ui/dialog.js";
import { icon } from "../../ui/icons.js";
import { shareField } from "../../ui/share-link.js";
import { roundOf } from "../../words/counts.js";
import { plural, t } from "../../words/i18n.js";
import { seatName } from "../../words/sentences.js";
import { changeText, unitText } from "../../words/win-chances.js";
import { createChart, markSign, momentText } from "./chart.js";
import { createMoment } from "./moment.js";
import { seatCards } from "./seats.js";
import { toldGame } from "./told.js";
import { mistakesOf, happeningAt, isRoll, mainMarks } from "./story.js";
import { gradeText } from "./words.js";

/** @typedef {import("./story.js").Story} Story */
/** @typedef {import("./story.js").Mark} Mark */

/**
 * The figures are drawn when they are opened: with the story, they would keep a slow page busy too long.
 * @param {Story} story
 * @param {string} address  of the review, without a moment
 * @param {number | null} asked  the event to begin with
 */
export function createReview(story, address, asked) {
  const last = story.answer.moments.length - 1;
  const within = (/** @type {number} */ n) => Math.max(0, Math.min(last, Math.round(n)));
  const box = h("div", { class: "review" });
  const more = moreFigures(box, asked !== null, () => figures());
  /** @type {ReturnType<typeof createFigures> | null} */
  let drawn = null;
  let at = within(asked ?? worst(story)?.n ?? last);

  function figures() {
    if (drawn) return drawn;
    drawn = createFigures(story, { onShow: show, onGo: goThere, onShare: share });
    fill(box, drawn.elements);
    drawn.show(at);
    return drawn;
  }

  /** @param {number} n  on a phone the moment is somewhere else: go there */
  function goThere(n) {
    more.open = true;
    show(n);
    const { moment } = figures();
    moment.title.focus({ preventScroll: true });
    moment.element.scrollIntoView({ block: "nearest" });
  }

  /** @param {number} n */
  function show(n) {
    box.dataset.asked = "true";
    at = within(n);
    figures().show(at);
    history.replaceState(null, "", pageAddress(`${address}?n=${at}`));
    announce(momentText(story, at));
  }

  function share() {
    openDialog(t("Link to this moment"), [
      shareField(t("Link to this moment"), shareAddress(`${address}?n=${at}`)),
    ]);
  }

  if (asked !== null) {
    box.dataset.asked = "true";
    figures();
  }
  const stopKeys = listenToKeys({
    ArrowLeft: () => figures().moment.step(-1),
    ArrowRight: () => figures().moment.step(1),
    p: () => figures().moment.leap(-1),
    n: () => figures().moment.leap(1),
  });
  return {
    element: withStory(story, more, goThere),
    leave() {
      stopKeys();
      drawn?.chart.leave();
    },
  };
}

/**
 * @param {Story} story
 * @param {{onShow: (n: number) => void, onGo: (n: number) => void, onShare: () => void}} actions
 */
function createFigures(story, { onShow, onGo, onShare }) {
  const chart = createChart(story, onShow);
  const moment = createMoment(story, onShow, onShare);
  const list = createList(story, onGo);
  return {
    chart,
    moment,
    elements: [playersOf(story), chart.element, moment.element, list.element],
    /** @param {number} n */
    show(n) {
      chart.show(n);
      moment.show(n);
      list.show(n);
    },
  };
}

/**
 * @param {HTMLElement} box  for the figures
 * @param {boolean} open  whether the reader has come for them
 * @param {() => void} onToggle
 */
function moreFigures(box, open, onToggle) {
  return h(
    "details",
    { class: "more-figures", open, on: { toggle: onToggle } },
    h("summary", {}, icon("chart"), h("strong", {}, t("More figures"))),
    box,
  );
}

/**
 * The story first, with the ways on from there; the figures behind it.
 * @param {Story} story
 * @param {HTMLElement} more
 * @param {(n: number) => void} onGo
 */
function withStory(story, more, onGo) {
  return h(
    "div",
    { class: "told-review" },
    toldGame(story, onGo),
    h("div", { class: "actions" }, retryLinks(story), shareButton(story)),
    more,
  );
}

/** @param {Story} story */
function playersOf(story) {
  return h(
    "section",
    { class: "players-part card", "aria-label": t("Players") },
    seatCards(story),
    h("p", { class: "hint unit" }, unitText(story.solo)),
  );
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
      (all ? story.marks : main).map((mark) => h("li", {}, lookButton(story, mark, at, onGo))),
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
 * @param {number} at  the moment that is shown
 * @param {(n: number) => void} onGo
 */
function lookButton(story, mark, at, onGo) {
  return h(
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
  );
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
      h(
        "span",
        { class: "muted" },
        t("Round {round}", { round: roundOf(turn, story.seats.length) }),
      ),
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
        retryText(
          count,
          mine.length === 1 || seats.length === 1 ? null : seatName(seats[seat], seat),
        ),
      ),
    );
}

/**
 * @param {number} count
 * @param {string | null} name  null for one's own
 */
function retryText(count, name) {
  const fields = { count, name: name ?? "" };
  if (name === null)
    return plural(
      count,
      t("Try your mistake again", fields),
      t("Try your {count} mistakes again", fields),
    );
  return plural(
    count,
    t("Try {name}’s mistake again", fields),
    t("Try {name}’s {count} mistakes again", fields),
  );
}

/** @param {Story} story */
function shareButton({ table }) {
  if (table === null || isOnDevice(table)) return null; // nobody else could open it
  const url = shareAddress(`/t/${table}/review`);
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
