/** The odds explorer: runners on a board, and how likely the next rolls are of use. Exact. */

import { h, fill, setAttribute } from "../core/dom.js";
import { emptyPosition } from "../core/position.js";
import { OFFICIAL } from "../core/rules.js";
import { pageAddress } from "../core/site.js";
import { shareAddress } from "../core/paths.js";
import { useStyle } from "../core/styles.js";
import { listenToKeys } from "../board/keyboard.js";
import { toast } from "../ui/dialog.js";
import { pageFrame } from "../ui/layout.js";
import { segments } from "../ui/segments.js";
import { shareField } from "../ui/share-link.js";
import { joinList, number, percent, t } from "../words/i18n.js";
import { columnBoard } from "./board-columns.js";
import { seatsOf, viewOf } from "./position.js";
import {
  ALL,
  COLUMNS,
  rollsShowing,
  RUNNERS,
  survival,
  usableRolls,
  usefulColumns,
} from "./situation.js";

useStyle("bars");
useStyle("odds");

/** @typedef {import("./situation.js").Situation} Situation */
/** @typedef {"runner" | "topped" | "won"} Kind */

const MOST_ROLLS = 10;

/**
 * @param {import("../core/router.js").Place} place
 * @returns {import("../core/router.js").Page}
 */
export default function oddsPage({ query }) {
  const title = t("Odds");
  const explorer = createExplorer(fromQuery(query));
  return {
    title,
    element: pageFrame("odds", [
      h("h1", { tabindex: -1 }, title),
      h(
        "p",
        { class: "lead" },
        t(
          "Tap up to three columns: how likely is the next roll to help, and how long can you keep going?",
        ),
      ),
      explorer.element,
    ]),
    leave: explorer.leave,
  };
}

/**
 * @param {URLSearchParams} query
 * @returns {Situation}
 */
function fromQuery(query) {
  /** @param {string} name */
  const columns = (name) => {
    const named = (query.get(name) ?? "").split(",").map(Number);
    return COLUMNS.filter((column) => named.includes(column));
  };
  const won = columns("won");
  const runners = columns("runners")
    .filter((column) => !won.includes(column))
    .slice(0, RUNNERS);
  return { runners, topped: columns("top").filter((column) => runners.includes(column)), won };
}

/** @param {Situation} situation */
function addressOf({ runners, topped, won }) {
  const parts = Object.entries({ runners, top: topped, won }).flatMap(([name, columns]) =>
    columns.length ? [`${name}=${[...columns].sort((a, b) => a - b).join()}`] : [],
  );
  return parts.length ? `/odds?${parts.join("&")}` : "/odds";
}

/** @param {Situation} first */
function createExplorer(first) {
  let situation = first;
  /** @type {Kind} */
  let kind = "runner";
  const board = columnBoard(OFFICIAL, "button", (index) => tap(index + 2));
  const kinds = h(
    "div",
    { class: "pieces-choice" },
    kindChoice(kind, (next) => (kind = next)),
  );
  const figures = h("div", { class: "odds-figures" });

  /** @param {number} column */
  function tap(column) {
    const next = afterTap(situation, column, kind);
    if (next) situation = next;
    else toast(t("A turn has three runners."));
    history.replaceState(null, "", pageAddress(addressOf(situation)));
    draw();
  }

  function draw() {
    const position = asPosition(situation);
    board.update(viewOf(position), seatsOf(position));
    board.controls.forEach((control, index) => describe(control, index + 2, situation));
    fill(figures, figuresOf(situation));
  }

  const stopKeys = listenToKeys({
    Escape: () => {
      situation = { runners: [], topped: [], won: [] };
      history.replaceState(null, "", pageAddress("/odds"));
      draw();
    },
  });
  draw();
  return {
    element: h(
      "div",
      { class: "odds" },
      h("section", { class: "odds-board", "aria-label": t("The board") }, kinds, board.element),
      figures,
    ),
    leave: stopKeys,
  };
}

/**
 * The situation after a tap on a column: it is set to a kind, or cleared where it has that kind.
 * Null where that would take a fourth runner.
 * @param {Situation} situation
 * @param {number} column
 * @param {Kind} kind
 * @returns {Situation | null}
 */
function afterTap(situation, column, kind) {
  const without = {
    runners: situation.runners.filter((each) => each !== column),
    topped: situation.topped.filter((each) => each !== column),
    won: situation.won.filter((each) => each !== column),
  };
  if (kindOf(situation, column) === kind) return without;
  if (kind === "won") return { ...without, won: [...without.won, column] };
  if (without.runners.length === RUNNERS) return null;
  return {
    ...without,
    runners: [...without.runners, column],
    topped: kind === "topped" ? [...without.topped, column] : without.topped,
  };
}

/**
 * @param {Situation} situation
 * @param {number} column
 * @returns {Kind | null}
 */
function kindOf(situation, column) {
  if (situation.won.includes(column)) return "won";
  if (situation.topped.includes(column)) return "topped";
  return situation.runners.includes(column) ? "runner" : null;
}

/**
 * @param {Kind} kind
 * @param {(next: Kind) => void} onChoose
 */
function kindChoice(kind, onChoose) {
  const names = /** @type {[Kind, string][]} */ (Object.entries(kindNames()));
  return segments(
    "kind",
    t("What a tap sets"),
    names.map(([value, name]) => ({ value, content: name })),
    kind,
    onChoose,
  );
}

/**
 * @param {HTMLElement} control
 * @param {number} column
 * @param {Situation} situation
 */
function describe(control, column, situation) {
  const state = kindOf(situation, column);
  const name = t("Column {column}", { column });
  setAttribute(control, "aria-label", state ? `${name}: ${kindNames()[state]}` : name);
  setAttribute(control, "aria-pressed", String(state !== null));
}

/** @returns {Record<Kind, string>} */
function kindNames() {
  return { runner: t("Runner"), topped: t("On the top"), won: t("Won") };
}

/**
 * The situation as a board shows it: runners half way up, so that they can be seen.
 * @param {Situation} situation
 */
function asPosition({ runners, topped, won }) {
  const position = emptyPosition();
  return {
    ...position,
    runners: OFFICIAL.map((length, at) => {
      if (!runners.includes(at + 2)) return 0;
      return topped.includes(at + 2) ? length : Math.ceil(length / 2);
    }),
    tokens: [
      OFFICIAL.map(() => 0),
      OFFICIAL.map((length, at) => (won.includes(at + 2) ? length : 0)),
    ],
  };
}

/** @param {Situation} situation */
function figuresOf(situation) {
  const usable = usableRolls(situation);
  const through = survival(situation, MOST_ROLLS);
  const link = shareAddress(addressOf(situation));
  return [
    h(
      "section",
      { class: "card next-roll", "aria-live": "polite" },
      h("p", { class: "runners-named" }, runnersText(situation)),
      h(
        "p",
        { class: "big-figure" },
        h("strong", { class: "usable-share" }, percent(usable / ALL, 1)),
        " ",
        t("of rolls can be used"),
      ),
      h(
        "p",
        { class: "muted" },
        h(
          "span",
          { class: "usable" },
          t("{usable} of {all} rolls", { usable: number(usable), all: number(ALL) }),
        ),
        " · ",
        t("a bust: {bust}", { bust: percent(1 - usable / ALL, 1) }),
      ),
    ),
    h(
      "section",
      { class: "card" },
      h("h2", {}, t("Chance of surviving this many rolls")),
      survivalChart(through),
      h("p", { class: "hint" }, survivalNote(situation)),
    ),
    h(
      "section",
      { class: "card" },
      h("h2", {}, t("Chance that a roll shows a column")),
      columnBars(usefulColumns(situation)),
    ),
    h("section", { class: "card" }, shareField(t("Link to these odds"), link)),
  ];
}

/**
 * What the chart takes for granted: while a runner is in hand, moves are chosen for a long turn.
 * @param {Situation} situation
 */
function survivalNote({ runners }) {
  if (!runners.length) return t("With the moves that last longest; no runner reaches a top.");
  return runners.length < RUNNERS
    ? t("With the moves that last longest; no further runner reaches a top.")
    : t("As long as no further runner reaches a top.");
}

/** @param {Situation} situation */
function runnersText({ runners, won }) {
  const sorted = (/** @type {number[]} */ columns) => joinList([...columns].sort((a, b) => a - b));
  const parts = [
    runners.length ? t("Runners on {columns}", { columns: sorted(runners) }) : t("No runners yet"),
    won.length && t("won: {columns}", { columns: sorted(won) }),
  ];
  return parts.filter(Boolean).join(" · ");
}

/** @param {number[]} chances */
function survivalChart(chances) {
  return h(
    "ol",
    { class: "survival" },
    chances.map((chance, at) => {
      const bar = h("span", { class: "survival-bar", "aria-hidden": "true" });
      bar.style.height = `${Math.max(1, 100 * chance)}%`;
      return h(
        "li",
        { "data-chance": chance },
        // ten of them stand side by side: there is no room for the space that some languages want
        h("span", { class: "survival-figure" }, percent(chance).replace(/\s/u, "")),
        h("span", { class: "survival-track" }, bar),
        h("span", { class: "survival-rolls" }, at + 1),
      );
    }),
  );
}

/** @param {number[]} useful */
function columnBars(useful) {
  const counts = COLUMNS.map((column) => rollsShowing([column]));
  const most = Math.max(...counts);
  return h(
    "ul",
    { class: "bars column-bars" },
    COLUMNS.map((column, at) => {
      const bar = h("span", { class: "bar" });
      bar.style.width = `${(100 * counts[at]) / most}%`;
      const of = useful.includes(column);
      return h(
        "li",
        { class: of ? "useful" : "useless", "data-rolls": counts[at] },
        h("span", { class: "bar-name" }, column),
        h("span", { class: "bar-track", "aria-hidden": "true" }, bar),
        h(
          "span",
          { class: "bar-words" },
          `${percent(counts[at] / ALL, 1)} · ${number(counts[at])}`,
          !of && h("span", { class: "sr-only" }, ` ${t("no use now")}`),
        ),
      );
    }),
  );
}
