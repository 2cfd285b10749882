/** The rules in our own words: the game that all editions share, and what each one adds. */

import { h } from "../core/dom.js";
import { expectedColumns } from "../core/odds.js";
import { go, link } from "../core/router.js";
import { useStyle } from "../core/styles.js";
import { createBoard } from "../board/board.js";
import { die } from "../board/dice.js";
import { pageFrame } from "../ui/layout.js";
import { segments } from "../ui/segments.js";
import { percent, t } from "../words/i18n.js";
import {
  earlyWords,
  editionTitle,
  origins,
  sharingNames,
  sharingWords,
} from "../words/rules-text.js";

useStyle("forms");
useStyle("rules");

/** @typedef {{name: string, start: string, variants: string[]}} EditionRules */

/** @returns {EditionRules[]} */
function editions() {
  const first = t("The first seat starts, then play goes clockwise.");
  const rollOff = t(
    "Everybody throws two dice and the highest sum starts; those who tie throw again. Play goes clockwise.",
  );
  return [
    { name: "classic", start: first, variants: [] },
    { name: "trademark", start: rollOff, variants: [] },
    {
      name: "ravensburger",
      start: t("The youngest starts, then play goes clockwise."),
      variants: ["longer-ravensburger", "early", "no-rest"],
    },
    {
      name: "asmodee",
      start: rollOff,
      variants: ["longer-asmodee", "no-rest", "leapfrog"],
    },
  ];
}

/**
 * @param {import("../core/router.js").Place} place
 * @returns {import("../core/router.js").Page}
 */
export default function rulesPage({ query }) {
  const all = editions();
  const chosen = all.find(({ name }) => name === query.get("edition")) ?? all[0];
  const title = t("Rules");
  const element = pageFrame("rules", [
    h("h1", { tabindex: -1 }, title),
    h(
      "p",
      { class: "lead" },
      t(
        "Can’t Stop is a game of dice and nerve by Sid Sackson for two to four players: win three columns before the others do.",
      ),
    ),
    h(
      "p",
      { class: "actions" },
      link("/learn", { class: "button primary" }, t("Learn it by playing")),
      link("/guide", { class: "button" }, t("Strategy guide")),
    ),
    h("div", { class: "rules-columns" }, h("div", {}, turnRules(), winRules()), figure()),
    h("h2", {}, t("Editions")),
    segments(
      "edition",
      t("Edition"),
      all.map(({ name }) => ({ value: name, content: editionTitle(name) })),
      chosen.name,
      (name) => go(`/rules?edition=${name}`, { replace: true }),
    ),
    editionRules(chosen),
    h("h2", {}, t("How often each column comes up")),
    chances(),
    h(
      "p",
      { class: "hint" },
      t(
        "Short columns are not easy ones: their numbers are rare. After reaching a top it is mostly right to stop.",
      ),
    ),
  ]);
  return { title, element };
}

function turnRules() {
  const points = [
    t(
      "Roll all four dice and split them into two pairs. Each sum names a column. There are up to three ways to split; the choice is yours.",
    ),
    t(
      "In each of the two columns a runner goes up one space. You have three runners a turn. One that enters a column starts just above your token there, or at the bottom if you have none.",
    ),
    t(
      "All that your split can use must be used. If only one runner is left for two new columns, you choose the column. Two equal sums are two steps.",
    ),
    t("After each move, decide: stop or roll again. There is no stopping before the first move."),
    t(
      "Stop, and your tokens move up to where the runners stand. Nothing can take that progress away.",
    ),
    t(
      "If no split of a roll can be used, you bust: the runners leave the board, and the climb of this turn is lost. Your tokens stay where they were.",
    ),
  ];
  return h(
    "section",
    {},
    h("h2", {}, t("Your turn")),
    h(
      "ol",
      { class: "points" },
      points.map((point) => h("li", {}, point)),
    ),
    splitExample(),
  );
}

function splitExample() {
  const splits = [
    [
      [1, 5],
      [4, 6],
    ],
    [
      [1, 4],
      [5, 6],
    ],
    [
      [1, 6],
      [4, 5],
    ],
  ];
  return h(
    "figure",
    { class: "split-example" },
    h("figcaption", {}, t("For example, 1, 5, 4 and 6 are 6 and 10, or 5 and 11, or 7 and 9.")),
    h(
      "div",
      { class: "splits", "aria-hidden": "true" },
      splits.map((split) =>
        h(
          "div",
          { class: "move still" },
          split.map(([one, two]) =>
            h(
              "span",
              { class: "pair" },
              h("span", { class: "faces" }, die(one, "mini-die"), die(two, "mini-die")),
              h("span", { class: "sum" }, one + two),
            ),
          ),
        ),
      ),
    ),
  );
}

function winRules() {
  const points = [
    t("Other tokens are not an obstacle: any number of tokens and a runner may share a space."),
    t(
      "A runner on the top space has won nothing until you stop; its number is of no more use this turn.",
    ),
    t(
      "Stop with a runner on the top, and the column is yours: all other tokens leave it, and nobody can enter it again.",
    ),
    t("Whoever wins the third column wins the game at once."),
    t(
      "In a longer game all columns may be won before anybody has enough: then whoever has the most wins, and a tie is shared.",
    ),
  ];
  return h(
    "section",
    {},
    h("h2", {}, t("Winning")),
    h(
      "ul",
      { class: "points" },
      points.map((point) => h("li", {}, point)),
    ),
  );
}

function figure() {
  const board = createBoard(
    EXAMPLE.lengths,
    () => {},
    () => {},
  );
  board.update(EXAMPLE, EXAMPLE_SEATS);
  return h(
    "figure",
    { class: "rules-board" },
    board.element,
    h(
      "figcaption",
      {},
      t(
        "Stars are this turn’s runners; yellow is what is at stake. Circles and squares are tokens. Column 8 is won.",
      ),
    ),
  );
}

/** @param {EditionRules} edition */
function editionRules({ name, start, variants }) {
  const words = variantWords();
  return h(
    "section",
    { class: "card edition-rules", "data-edition": name },
    name in origins() && h("p", {}, origins()[name]),
    h(
      "dl",
      {},
      h("dt", {}, t("Who starts")),
      h("dd", {}, start),
      variants.flatMap((variant) => [
        h("dt", {}, words[variant][0]),
        h("dd", {}, words[variant][1]),
      ]),
    ),
    name === "asmodee" &&
      h("p", { class: "hint" }, t("No rest and leapfrog cannot be played together.")),
  );
}

/** @returns {Record<string, [string, string]>} */
function variantWords() {
  return {
    "longer-ravensburger": [
      t("Longer game"),
      t("Three players play for four columns, two players for five."),
    ],
    "longer-asmodee": [t("Longer game"), t("Play for four or five columns.")],
    early: [t("Runners out early"), earlyWords()],
    "no-rest": [
      sharingNames()["no-rest"],
      `${sharingWords()["no-rest"]} ${t("That holds even if stopping would win.")}`,
    ],
    leapfrog: [sharingNames().leapfrog, sharingWords().leapfrog],
  };
}

function chances() {
  const shares = expectedColumns();
  const most = Math.max(...shares);
  return h(
    "ul",
    { class: "column-chances" },
    shares.map((share, at) => {
      const bar = h("span", { class: "column-bar", "aria-hidden": "true" });
      bar.style.height = `${(100 * share) / most}%`;
      return h(
        "li",
        {},
        h("span", { class: "column-share" }, percent(share)),
        h("span", { class: "column-track" }, bar),
        h("strong", {}, at + 2),
      );
    }),
  );
}

/** @type {import("../net/state.js").Seat[]} */
const EXAMPLE_SEATS = [0, 1].map((colour) => ({
  kind: "human",
  name: `${colour + 1}`,
  colour,
  bot: null,
  present: true,
  substitute: null,
}));

/** @type {import("../net/protocol.js").View} */
const EXAMPLE = {
  position: "",
  turn: 9,
  seat: 0,
  phase: "choice",
  rolls: 20,
  lengths: [3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3],
  tokens: [
    [0, 0, 2, 0, 4, 6, 0, 3, 0, 0, 1],
    [0, 1, 0, 3, 4, 2, 11, 0, 5, 0, 0],
  ],
  runners: [0, 0, 4, 3, 0, 9, 0, 0, 0, 0, 0],
  owners: [null, null, null, null, null, null, 1, null, null, null, null],
  won: [0, 1],
  dice: null,
  splits: [],
  moves: [],
  take_back: null,
  may_stop: true,
  stop_reason: null,
  shared: [],
  bust_chance: null,
  roll_off: null,
  outcome: null,
};
