/**
 * The roll map: everything that the next roll may bring, as one picture.
 *
 * A roll is worth what its best move is worth, so rolls with the same best move are one mark. A mark
 * stands where its two columns meet, the lower one along the bottom, the higher one along the side;
 * moves that use one sum only have a row of their own. The larger a mark, the more rolls it stands
 * for; its colour is what they change, and its shape says it too: round is better than before the
 * roll, square worse, hatched a bust.
 */

import { h, s, fill } from "../core/dom.js";
import { die } from "../board/dice.js";
import { rollsText } from "../words/counts.js";
import { language, number, percent, t } from "../words/i18n.js";
import { actionText, changeText, thenText, worthText } from "../words/win-chances.js";

/** @typedef {import("../net/protocol.js").RollView} Roll */
/** @typedef {{best: string | null, then: string | null, win: number, ways: number, rolls: Roll[]}} Group */

const WIDTH = 440;
const LEFT = 34;
const LABELS = 26;
const WIDEST = 76;
const GAP = 12;

/** From brown (worse) to blue (better), with what can be read on each. */
const RAMP = [
  ["#7f2704", "#fff"],
  ["#d94801", "#fff"],
  ["#fdae6b", "#14171f"],
  ["#f7f4e9", "#14171f"],
  ["#9ecae1", "#14171f"],
  ["#3182bd", "#fff"],
  ["#08306b", "#fff"],
];

/**
 * Rolls with the same best move, the best first; a bust last.
 * @param {Roll[]} rolls
 * @returns {Group[]}
 */
export function groupRolls(rolls) {
  /** @type {Map<string | null, Group>} */
  const groups = new Map();
  for (const roll of rolls) {
    const key = roll.bust ? null : roll.best;
    const group = groups.get(key) ?? {
      best: key,
      then: roll.then,
      win: roll.win,
      ways: 0,
      rolls: [],
    };
    group.ways += roll.ways;
    group.rolls.push(roll);
    groups.set(key, group);
  }
  return [...groups.values()].sort(
    (a, b) => Number(a.best === null) - Number(b.best === null) || b.win - a.win,
  );
}

/**
 * What the roll is worth before it falls: the mean over all of them.
 * @param {Roll[]} rolls
 */
export function meanWorth(rolls) {
  const all = rolls.reduce((sum, { ways }) => sum + ways, 0);
  return rolls.reduce((sum, { ways, win }) => sum + ways * win, 0) / all;
}

/**
 * @param {Roll[]} rolls
 * @param {boolean} solo
 */
export function rollMap(rolls, solo) {
  const groups = groupRolls(rolls);
  const mean = meanWorth(rolls);
  const all = rolls.reduce((sum, { ways }) => sum + ways, 0);
  const moves = groups.filter(({ best }) => best !== null);
  const spread = Math.max(...moves.map(({ win }) => Math.abs(win - mean)), solo ? 0.02 : 0.002);
  const layout = layoutOf(groups);
  const chosen = h("div", { class: "roll-chosen", "aria-live": "polite" });
  const marks = groups.map((group) => mark(group, layout, all, mean, spread, solo));
  const drawing = s(
    "svg",
    {
      class: "roll-map",
      viewBox: `0 0 ${WIDTH} ${layout.height}`,
      role: "group",
      "aria-label": t("What the next roll may bring"),
    },
    hatching(),
    axes(layout),
    marks,
  );

  /** @param {number} at */
  function choose(at) {
    marks.forEach((each, which) => {
      each.setAttribute("tabindex", which === at ? "0" : "-1");
      each.classList.toggle("chosen", which === at);
    });
    fill(chosen, chosenText(groups[at], all, mean, solo));
  }
  marks.forEach((each, at) => {
    each.addEventListener("click", () => choose(at));
    each.addEventListener("focus", () => choose(at));
    each.addEventListener("keydown", (event) => {
      const { key } = /** @type {KeyboardEvent} */ (event);
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
      const to = key === "Home" ? 0 : key === "End" ? marks.length - 1 : by && at + by;
      if (to === undefined) return;
      event.preventDefault();
      marks[(to + marks.length) % marks.length].focus();
    });
  });
  choose(0);

  return h(
    "section",
    { class: "card roll-map-card" },
    h("h2", {}, t("The next roll")),
    h("p", { class: "muted" }, summary(groups, all, mean, solo)),
    drawing,
    legend(mean, spread, solo),
    chosen,
    rollTable(rolls, all, solo),
  );
}

/**
 * @typedef {object} Layout
 * @property {number[]} columns  those that a best move uses
 * @property {number} pitch
 * @property {number} most  rolls of one mark
 * @property {number} height
 * @property {number} floor  the bottom of the grid of pairs
 * @property {boolean} singles  whether there is a row of moves that use one sum
 */

/**
 * @param {Group[]} groups
 * @returns {Layout}
 */
function layoutOf(groups) {
  const moves = groups.flatMap(({ best }) => (best === null ? [] : [columnsOf(best)]));
  const columns = [...new Set(moves.flat())].sort((a, b) => a - b);
  const pitch = Math.min(WIDEST, (WIDTH - LEFT - 4) / Math.max(1, columns.length));
  const singles = moves.some((move) => move.length === 1);
  const floor = columns.length * pitch + 4;
  const most = Math.max(...groups.map(({ best, ways }) => (best === null ? 0 : ways)), 1);
  return {
    columns,
    pitch,
    most,
    height: floor + (singles ? pitch + GAP : 0) + LABELS,
    floor,
    singles,
  };
}

/**
 * The side of a mark. What is rare is still large enough to be read: areas would leave nothing of it.
 * @param {Group} group
 * @param {Layout} layout
 * @param {number} all
 */
function sideOf({ best, ways }, { columns, pitch, most }, all) {
  if (best !== null) return pitch * Math.max(0.36, 0.84 * (ways / most) ** 0.35);
  return bustRoom(columns.length, pitch) * Math.max(0.3, Math.sqrt(ways / all));
}

/**
 * The side of the square that fits under the diagonal, or else beside the grid.
 * @param {number} count  of the columns
 * @param {number} pitch
 */
function bustRoom(count, pitch) {
  const beside = WIDTH - LEFT - count * pitch - GAP;
  return Math.max(((count - 1) * pitch) / 2 - GAP, Math.min(beside, count * pitch - 24));
}

/** @param {string} move */
function columnsOf(move) {
  return move.split("+").map(Number);
}

/**
 * The middle of a mark.
 * @param {Group} group
 * @param {Layout} layout
 * @param {number} side
 */
function middle({ best }, { columns, pitch, floor }, side) {
  if (best === null) return { x: WIDTH - 4 - side / 2, y: floor - 4 - side / 2 };
  const [low, high] = columnsOf(best);
  const x = LEFT + (columns.indexOf(low) + 0.5) * pitch;
  if (high === undefined) return { x, y: floor + GAP + pitch / 2 };
  return { x, y: floor - (columns.indexOf(high) + 0.5) * pitch };
}

/**
 * @param {Group} group
 * @param {Layout} layout
 * @param {number} all
 * @param {number} mean
 * @param {number} spread
 * @param {boolean} solo
 */
function mark(group, layout, all, mean, spread, solo) {
  const { best, ways, win } = group;
  const side = sideOf(group, layout, all);
  const { x, y } = middle(group, layout, side);
  const [colour, ink] = colourOf(win - mean, spread);
  const better = win >= mean;
  const shape =
    best !== null && better
      ? s("circle", { class: "mark", cx: x, cy: y, r: side / Math.sqrt(Math.PI), fill: colour })
      : s("rect", {
          class: "mark",
          x: x - side / 2,
          y: y - side / 2,
          width: side,
          height: side,
          rx: 1,
          fill: best === null ? "url(#hatching)" : colour,
        });
  const words = best === null ? t("Bust") : actionText(best);
  const size = Math.min(15, side / 1.75);
  const digits = (solo ? 1 : 0) + (side > 33 ? 1 : 0);
  const figure = (solo ? -win : 100 * win).toLocaleString(language(), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return s(
    "g",
    {
      class: best === null ? "roll-mark bust" : "roll-mark",
      role: "button",
      tabindex: -1,
      "data-best": best ?? "bust",
      "aria-label": t("{move}: {rolls}, {worth}", {
        move: words,
        rolls: rollsText(ways),
        worth: worthText(win, solo),
      }),
    },
    // what is small can be hit as well
    s("rect", { class: "reach", x: x - 13, y: y - 13, width: 26, height: 26 }),
    shape,
    best === null
      ? bustLabel(x, y, side, percent(ways / all))
      : size >= 8 &&
          s(
            "text",
            { x, y: y + size * 0.36, "font-size": size, fill: ink, class: "figure" },
            figure,
          ),
  );
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} side
 * @param {string} chance
 */
function bustLabel(x, y, side, chance) {
  const text = `${t("Bust")} ${chance}`;
  const width = 8.4 * text.length + 10;
  if (side < width)
    return s("text", { class: "axis", x: WIDTH - width / 2, y: y - side / 2 - 6 }, text);
  return [
    s("rect", { class: "plate", x: x - width / 2, y: y - 11, width, height: 22, rx: 5 }),
    s("text", { class: "bust-name", x, y: y + 5 }, text),
  ];
}

/**
 * @param {number} change
 * @param {number} spread  of the best and worst move
 */
function colourOf(change, spread) {
  const middleStep = (RAMP.length - 1) / 2;
  const at = Math.round(middleStep + (middleStep * change) / spread);
  return RAMP[Math.max(0, Math.min(RAMP.length - 1, at))];
}

function hatching() {
  return s(
    "defs",
    {},
    s(
      "pattern",
      {
        id: "hatching",
        width: 8,
        height: 8,
        patternUnits: "userSpaceOnUse",
        patternTransform: "rotate(45)",
      },
      s("rect", { width: 8, height: 8, fill: "#f7f4e9" }),
      s("rect", { width: 3.4, height: 8, fill: "#b3202c" }),
    ),
  );
}

/** @param {Layout} layout */
function axes({ columns, pitch, floor, singles, height }) {
  const dots = columns.flatMap((_, low) =>
    columns.slice(low).map((_high, more) =>
      s("circle", {
        class: "dot",
        cx: LEFT + (low + 0.5) * pitch,
        cy: floor - (low + more + 0.5) * pitch,
        r: 1.6,
      }),
    ),
  );
  const row = floor + GAP + pitch / 2;
  return s(
    "g",
    { "aria-hidden": "true" },
    dots,
    columns
      .map((column, at) => [
        s("text", { class: "axis", x: 16, y: floor - (at + 0.5) * pitch + 5 }, column),
        s("text", { class: "axis", x: LEFT + (at + 0.5) * pitch, y: height - 8 }, column),
      ])
      .flat(),
    singles &&
      [
        s("line", {
          class: "rule",
          x1: LEFT,
          x2: WIDTH - 4,
          y1: floor + GAP / 2,
          y2: floor + GAP / 2,
        }),
        s("text", { class: "axis", x: 16, y: row + 5 }, "1×"),
        columns.map((_, at) =>
          s("circle", { class: "dot", cx: LEFT + (at + 0.5) * pitch, cy: row, r: 1.6 }),
        ),
      ].flat(),
  );
}

/**
 * @param {Group[]} groups
 * @param {number} all
 * @param {number} mean
 * @param {boolean} solo
 */
function summary(groups, all, mean, solo) {
  const bust = groups.find(({ best }) => best === null);
  const worth = worthText(mean, solo);
  if (!bust) return t("Before the roll: {worth}. It cannot be a bust.", { worth });
  return t("Before the roll: {worth}. A bust: {chance}, and then {after}.", {
    worth,
    chance: percent(bust.ways / all, 1),
    after: worthText(bust.win, solo),
  });
}

/**
 * @param {number} mean
 * @param {number} spread
 * @param {boolean} solo
 */
function legend(mean, spread, solo) {
  const ramp = RAMP.map(([colour], at) => {
    const better = at >= (RAMP.length - 1) / 2;
    return better
      ? s("circle", { cx: 10 + 22 * at, cy: 10, r: 8, fill: colour, class: "mark" })
      : s("rect", { x: 3 + 22 * at, y: 3, width: 14, height: 14, fill: colour, class: "mark" });
  });
  return h(
    "div",
    { class: "roll-legend" },
    h("span", {}, worthText(mean - spread, solo)),
    s("svg", { viewBox: "0 0 154 20", "aria-hidden": "true" }, ramp),
    h("span", {}, worthText(mean + spread, solo)),
    h(
      "p",
      {},
      t(
        "Each mark is the best move of some rolls, where its two columns meet; the larger, the more rolls. Round: better than before the roll. Square: worse. Hatched: a bust. 1×: only one sum can be used.",
      ),
    ),
  );
}

/**
 * @param {Group} group
 * @param {number} all
 * @param {number} mean
 * @param {boolean} solo
 */
function chosenText({ best, then, win, ways, rolls }, all, mean, solo) {
  const change = win - mean;
  return [
    h(
      "p",
      {},
      h("strong", {}, best === null ? t("Bust") : `${actionText(best)} ${thenText(then)}`),
      " ",
      h("span", { class: "nobr" }, `${worthText(win, solo)} (${changeText(change, solo)})`),
      " · ",
      t("{ways} of {all} rolls, {share}", {
        ways: number(ways),
        all: number(all),
        share: percent(ways / all, 1),
      }),
    ),
    h(
      "ul",
      { class: "roll-list", "aria-label": t("Rolls") },
      rolls.map(({ dice, ways: count }) =>
        h(
          "li",
          {},
          h("span", { class: "sr-only" }, dice.join(" ")),
          diceRow(dice),
          h("span", { class: "times" }, `×${count}`),
        ),
      ),
    ),
  ];
}

/** @param {number[]} dice */
function diceRow(dice) {
  if (dice.some((face) => face > 6)) return h("span", { "aria-hidden": "true" }, dice.join(" "));
  return h(
    "span",
    { class: "faces", "aria-hidden": "true" },
    dice.map((face) => die(face, "mini-die")),
  );
}

/**
 * All rolls in a table, for people who cannot see the picture or want figures.
 * @param {Roll[]} rolls
 * @param {number} all
 * @param {boolean} solo
 */
function rollTable(rolls, all, solo) {
  const heads = [
    t("Dice"),
    t("Ways out of {all}", { all: number(all) }),
    t("Best move"),
    t("Worth"),
  ];
  const sorted = [...rolls].sort((a, b) => b.win - a.win);
  return h(
    "details",
    { class: "roll-table" },
    h("summary", {}, t("All {count} rolls in a table", { count: rolls.length })),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": t("Rolls") },
      h(
        "table",
        { class: "roll-rows" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            heads.map((text) => h("th", { scope: "col" }, text)),
          ),
        ),
        h(
          "tbody",
          {},
          sorted.map(({ dice, ways, bust, best, then, win }) =>
            h(
              "tr",
              { "data-win": win, "data-ways": ways },
              h("th", { scope: "row" }, dice.join(" ")),
              h("td", {}, ways),
              h(
                "td",
                {},
                bust || best === null ? t("Bust") : `${actionText(best)} ${thenText(then)}`,
              ),
              h("td", {}, worthText(win, solo)),
            ),
          ),
        ),
      ),
    ),
  );
}
