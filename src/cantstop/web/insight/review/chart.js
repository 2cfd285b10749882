/** The win chances of a whole game as a picture: one moves along it by tap, drag and keys. */

import { h, s, fill, setAttribute } from "../../core/dom.js";
import { useStyle } from "../../core/styles.js";
import { seatMark, seatPath } from "../../ui/seat-marks.js";
import { roundOf } from "../../words/counts.js";
import { number, percent, t } from "../../words/i18n.js";
import { seatName } from "../../words/sentences.js";
import { happeningAt, isRoll, mainMarks } from "./story.js";
import { levelText } from "./words.js";

useStyle("forms");

/** @typedef {import("./story.js").Story} Story */
/** @typedef {import("./story.js").Mark} Mark */

/**
 * @typedef {object} Chart
 * @property {HTMLElement} element
 * @property {(n: number | null) => void} show  where one stands
 * @property {() => void} leave
 */

const LEFT = 40;
const RIGHT = 16;
const TOP = 14;
const BOTTOM = 24;
/** Pixels: so near to a dot, a finger means the dot. */
const NEAR = 14;
/** Pixels: with less room for each dot, only the main ones have a sign. */
const CROWD = 26;
/** Pixels between two numbers on an axis. */
const TICK = 30;
/** Pixels between two marks of a player on their line. */
const REPEAT = 110;

const LARGE_DIE = { x: -8, y: -8, width: 16, height: 16, rx: 4 };
const SMALL_DIE = { x: -4, y: -4, width: 8, height: 8, rx: 2 };

/** @type {Record<Mark["kind"], string>} as chess players write them */
const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??", lucky: "+", unlucky: "−" };

/**
 * @param {Story} story
 * @param {(n: number) => void} onPick
 * @returns {Chart}
 */
export function createChart(story, onPick) {
  const { moments } = story.answer;
  const drawing = s("svg", { class: "chart-drawing", "aria-hidden": "true" });
  const slider = h("input", {
    type: "range",
    class: "slider",
    min: 0,
    max: moments.length - 1,
    "aria-label": t("Moment of the game"),
    on: { input: () => onPick(Number(slider.value)) },
  });
  /** @type {Plot} */
  let plot = plotOf(story, 600);
  const cursor = s("g", { class: "cursor" });
  /** @type {number | null} */
  let at = null;

  /** @param {number} width */
  function draw(width) {
    plot = plotOf(story, width);
    setAttribute(drawing, "viewBox", `0 0 ${plot.width} ${plot.height}`);
    setAttribute(drawing, "height", plot.height);
    fill(drawing, axes(story, plot), curves(story, plot), dots(story, plot), cursor);
    drawCursor();
  }

  function drawCursor() {
    fill(cursor, at === null ? null : cursorParts(story, plot, at));
  }

  /** @param {PointerEvent} event */
  function point(event) {
    const box = drawing.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * plot.width;
    const y = ((event.clientY - box.top) / box.height) * plot.height;
    onPick(nearestMark(story, plot, x, y) ?? plot.event(x));
  }

  onDrag(drawing, point);
  const frame = h("div", { class: "chart-frame" }, drawing);
  const observer = new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width) draw(contentRect.width);
  });
  observer.observe(frame);
  draw(600);
  return {
    element: card(story, frame, slider),
    show(n) {
      at = n;
      slider.value = String(n ?? 0);
      slider.setAttribute("aria-valuetext", momentText(story, n ?? 0));
      drawCursor();
    },
    leave: () => observer.disconnect(),
  };
}

/**
 * @param {Story} story
 * @param {HTMLElement} frame
 * @param {HTMLElement} slider
 */
function card(story, frame, slider) {
  return h(
    "section",
    { class: "chart card", "aria-labelledby": "chart-title" },
    h("h2", { id: "chart-title" }, story.solo ? t("Turns in the end") : t("Win chance")),
    legend(story),
    frame,
    slider,
    figures(story),
  );
}

/**
 * The line at a moment, with a dot on every curve.
 * @param {Story} story
 * @param {Plot} plot
 * @param {number} at
 */
function cursorParts(story, plot, at) {
  const x = plot.x(at);
  const rows = plot.shared ? [0] : story.seats.keys();
  return [
    s("line", { x1: x, x2: x, y1: TOP, y2: plot.height - BOTTOM }),
    ...[...rows].map((seat) =>
      s("circle", { cx: x, cy: plot.y(at, plot.shared ? plot.base : seat), r: 4.5 }),
    ),
  ];
}

/**
 * Call a function where the pointer is pressed, and wherever it is dragged from there.
 * @param {SVGElement} drawing
 * @param {(event: PointerEvent) => void} point
 */
function onDrag(drawing, point) {
  drawing.addEventListener("pointerdown", (event) => {
    drawing.setPointerCapture(event.pointerId);
    point(event);
  });
  drawing.addEventListener("pointermove", (event) => {
    if (drawing.hasPointerCapture(event.pointerId)) point(event);
  });
}

/**
 * An event and everybody's chances after it, in words.
 * @param {Story} story
 * @param {number} n
 */
export function momentText(story, n) {
  const where = { round: roundOf(story.answer.moments[n].turn, story.seats.length) };
  const text = happeningAt(story, n).text;
  return `${t("Round {round}", where)}: ${text} ${chancesText(story, n)}`;
}

/**
 * Everybody's chances after an event.
 * @param {Story} story
 * @param {number} n
 */
export function chancesText({ answer, seats, solo }, n) {
  const { win } = answer.moments[n];
  if (solo) return levelText(win[0], true);
  return win.map((worth, seat) => `${seatName(seats[seat], seat)} ${percent(worth, 1)}`).join(", ");
}

// The plot

/**
 * Where things stand in the picture, in pixels.
 * @typedef {object} Plot
 * @property {number} width
 * @property {number} height
 * @property {boolean} shared  two players: what one does not have, the other has
 * @property {number} base  the seat whose chance is drawn from below, where it is shared
 * @property {number} low  of the vertical axis
 * @property {number} high
 * @property {(n: number) => number} x
 * @property {(x: number) => number} event
 * @property {(n: number, seat: number) => number} y
 * @property {(level: number) => number} yOf
 */

/**
 * @param {Story} story
 * @param {number} width
 * @returns {Plot}
 */
function plotOf({ answer, solo, mine }, width) {
  const { moments } = answer;
  const least = answer.seats.length > 2 ? 250 : 190;
  const height = Math.round(Math.max(least, Math.min(300, width * 0.45)));
  const last = Math.max(1, moments.length - 1);
  const turns = moments.map(({ win }) => -win[0]);
  const low = solo ? Math.floor(Math.min(...turns) - 0.5) : 0;
  const high = solo ? Math.ceil(Math.max(...turns) + 0.5) : 1;
  const across = width - LEFT - RIGHT;
  const x = (/** @type {number} */ n) => LEFT + (across * n) / last;
  const yOf = (/** @type {number} */ level) =>
    height - BOTTOM - ((level - low) / (high - low)) * (height - TOP - BOTTOM);
  return {
    width,
    height,
    low,
    high,
    x,
    yOf,
    shared: answer.seats.length === 2,
    base: mine.length === 1 && answer.seats.length === 2 ? mine[0] : 0,
    event: (at) => Math.max(0, Math.min(last, Math.round(((at - LEFT) / across) * last))),
    y: (n, seat) => yOf(solo ? -moments[n].win[0] : moments[n].win[seat]),
  };
}

/**
 * @param {Story} story
 * @param {Plot} plot
 */
function axes({ answer, solo }, plot) {
  const step = solo ? Math.max(1, Math.ceil((plot.high - plot.low) / 5)) : 0.25;
  const levels = [];
  for (let level = plot.low; level <= plot.high + 1e-9; level += step) levels.push(level);
  /** @type {SVGElement[]} */
  const turns = [];
  let free = -Infinity;
  answer.moments.forEach(({ n, turn }, index) => {
    if (index && answer.moments[index - 1].turn === turn) return;
    const x = plot.x(n);
    turns.push(
      s("line", {
        class: "turn-line",
        x1: x,
        x2: x,
        y1: plot.height - BOTTOM,
        y2: plot.height - BOTTOM + 4,
      }),
    );
    if (x < free) return;
    free = x + TICK;
    turns.push(s("text", { class: "axis", x, y: plot.height - 6, "text-anchor": "middle" }, turn));
  });
  return s(
    "g",
    {},
    levels
      .map((level) => [
        s("line", {
          class: "grid",
          x1: LEFT,
          x2: plot.width - RIGHT,
          y1: plot.yOf(level),
          y2: plot.yOf(level),
        }),
        s(
          "text",
          { class: "axis", x: LEFT - 6, y: plot.yOf(level) + 4, "text-anchor": "end" },
          solo ? number(level) : percent(level),
        ),
      ])
      .flat(),
    turns,
  );
}

/**
 * @param {Story} story
 * @param {Plot} plot
 */
function curves(story, plot) {
  if (plot.shared) return areas(story, plot);
  return s(
    "g",
    {},
    story.seats.map((seat, index) => {
      const points = story.answer.moments.map(({ n }) => [plot.x(n), plot.y(n, index)]);
      return s(
        "g",
        { class: `curve colour-${seat.colour ?? index}` },
        s("path", { class: "curve-line", d: lineOf(points) }),
        marksAlong(points, (REPEAT / story.seats.length) * index).map((at) =>
          markAt(seat.colour ?? index, at, 5),
        ),
        markAt(seat.colour ?? index, points[points.length - 1], 7),
      );
    }),
  );
}

/**
 * Two players share the picture: one has what lies below the line, the other what lies above.
 * @param {Story} story
 * @param {Plot} plot
 */
function areas({ answer, seats }, plot) {
  const points = answer.moments.map(({ n }) => [plot.x(n), plot.y(n, plot.base)]);
  const line = lineOf(points);
  const right = plot.width - RIGHT;
  const [below, above] = [plot.base, 1 - plot.base].map((seat) => seats[seat].colour ?? seat);
  const floor = plot.yOf(0);
  const ceiling = plot.yOf(1);
  return s(
    "g",
    {},
    s("path", {
      class: `area colour-${above}`,
      d: `${line}L${right},${ceiling}L${LEFT},${ceiling}Z`,
    }),
    s("path", { class: `area colour-${below}`, d: `${line}L${right},${floor}L${LEFT},${floor}Z` }),
    s("path", { class: "area-line", d: line }),
    s("g", { class: `colour-${above}` }, markAt(above, [LEFT + 16, ceiling + 16], 8)),
    s("g", { class: `colour-${below}` }, markAt(below, [LEFT + 16, floor - 16], 8)),
  );
}

/** @param {number[][]} points */
function lineOf(points) {
  return points.map(([x, y], at) => `${at ? "L" : "M"}${round(x)},${round(y)}`).join("");
}

/**
 * Some points of a line, so far from one another that its marks can be distinguished.
 * @param {number[][]} points
 * @param {number} from  where the first one is
 */
function marksAlong(points, from) {
  let free = LEFT + from + 12;
  return points.filter(([x]) => {
    if (x < free || x > points[points.length - 1][0] - 20) return false;
    free = x + REPEAT;
    return true;
  });
}

/**
 * @param {number} colour
 * @param {number[]} place
 * @param {number} size
 */
function markAt(colour, [x, y], size) {
  return s(
    "g",
    { class: "seat-on-chart", transform: `translate(${round(x)} ${round(y)}) scale(${size})` },
    seatPath(colour),
  );
}

/**
 * @param {Story} story
 * @param {Plot} plot
 */
function dots(story, plot) {
  const small = [...story.marks].sort((a, b) => Math.abs(a.change) - Math.abs(b.change));
  const main = small.length * CROWD > plot.width ? mainMarks(story) : small;
  return s(
    "g",
    {},
    small.map((mark) => {
      const [x, y] = placeOf(mark, plot);
      const plain = !main.includes(mark);
      return s(
        "g",
        {
          class: `dot ${mark.kind}`,
          "data-n": mark.n,
          transform: `translate(${round(x)} ${round(y)})`,
        },
        isRoll(mark)
          ? s("rect", plain ? SMALL_DIE : LARGE_DIE)
          : s("circle", { r: plain ? 4.5 : mark.kind === "inaccuracy" ? 7 : 9 }),
        !plain && s("text", { y: 4, "text-anchor": "middle" }, SIGNS[mark.kind]),
      );
    }),
  );
}

/**
 * @param {Mark} mark
 * @param {Plot} plot
 */
function placeOf({ n, seat }, plot) {
  return [plot.x(n), plot.y(n, plot.shared ? plot.base : seat)];
}

/**
 * The event of the dot under a finger, if there is one.
 * @param {Story} story
 * @param {Plot} plot
 * @param {number} x
 * @param {number} y
 */
function nearestMark({ marks }, plot, x, y) {
  const found = marks
    .map((mark) => {
      const [left, top] = placeOf(mark, plot);
      return { n: mark.n, away: Math.hypot(left - x, top - y) };
    })
    .sort((a, b) => a.away - b.away)[0];
  return found && found.away <= NEAR ? found.n : null;
}

/**
 * The picture of a grade or a roll, beside its words.
 * @param {Mark["kind"]} kind
 */
export function markSign(kind) {
  return h("span", { class: `mark-sign ${kind}`, "aria-hidden": "true" }, SIGNS[kind]);
}

// What stands around it

/** @param {Story} story */
function legend(story) {
  const { seats, solo, mine } = story;
  if (solo)
    return h(
      "p",
      { class: "hint" },
      t("How many turns the game will have taken with best play from there on."),
    );
  const names = seats.map((seat, index) => [
    seatMark(seat.colour ?? index),
    ` ${seatName(seat, index)}`,
  ]);
  if (seats.length > 2)
    return h(
      "p",
      { class: "legend" },
      names.map((name) => h("span", {}, name)),
    );
  const base = mine.length === 1 ? mine[0] : 0;
  return h(
    "p",
    { class: "legend" },
    h("span", {}, names[base], ` ${t("below")}`),
    h("span", {}, names[1 - base], ` ${t("above")}`),
  );
}

/**
 * The same as a table; made when it is opened, for a game may have hundreds of events.
 * @param {Story} story
 */
function figures(story) {
  const box = h("div", {
    class: "figures",
    tabindex: 0,
    role: "region",
    "aria-label": t("The chart as a table"),
  });
  const details = h(
    "details",
    {
      on: {
        toggle: () => {
          if (details.open && !box.childElementCount) fill(box, figuresTable(story));
        },
      },
    },
    h("summary", {}, t("The chart as a table")),
    box,
  );
  return details;
}

/** @param {Story} story */
function figuresTable(story) {
  const { answer, seats, solo } = story;
  const head = [
    t("Round"),
    t("What happened"),
    ...seats.map((seat, index) => (solo ? t("Turns in the end") : seatName(seat, index))),
  ];
  return h(
    "table",
    { class: "figures-table" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        head.map((text) => h("th", { scope: "col" }, text)),
      ),
    ),
    h(
      "tbody",
      {},
      answer.moments.map(({ n, turn, win }) =>
        h(
          "tr",
          {},
          h("td", {}, roundOf(turn, seats.length)),
          h("td", { class: "words" }, happeningAt(story, n).text),
          win.map((worth) => h("td", {}, solo ? number(-worth, 2) : percent(worth, 1))),
        ),
      ),
    ),
  );
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}
