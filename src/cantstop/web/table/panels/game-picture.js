/** The picture of a game, 1200 × 630: headline, faces, score, a square for every turn, the last board. */

import { s } from "../../core/dom.js";
import { ladderScores } from "../../core/ladder.js";
import { playedEvents } from "../../core/played-events.js";
import { isOnDevice } from "../../net/api.js";
import { botFace } from "../../ui/bot-faces.js";
import { styledCopy } from "../../ui/drawing.js";
import { logo } from "../../ui/layout.js";
import { runnerPath, SEAT_OUTLINES } from "../../ui/seat-marks.js";
import { wrapText } from "../../ui/wrap-text.js";
import { t } from "../../words/i18n.js";
import { seatName } from "../../words/sentences.js";
import { seriesScores } from "./score.js";

/** @typedef {import("../../net/state.js").State} State */
/** @typedef {import("./headline.js").Headline} Headline */

export const WIDTH = 1200;
export const HEIGHT = 630;
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
const [PAPER, INK, MUTED, SIGN, GOLD] = ["#f6f2e8", "#1b2130", "#5a6070", "#b3202c", "#ffd21f"];
const SEATS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"];
const LEFT = 600;
const RIGHT = 1164;
const SQUARE = 36;
const STEP = 44;
const MOST_LINES = 3;

/**
 * @param {State} state
 * @param {number[]} mine
 * @param {Headline} headline
 * @param {string} url
 * @param {SVGSVGElement | null} board  the one on screen, or none where it would tell too much
 */
export function gamePicture(state, mine, headline, url, board) {
  const head = headlineLines(headline);
  const afterHead = 60 + head.length * 70;
  const afterWho = state.seats.length > 1 ? afterHead + 130 : afterHead + 20;
  return s(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      width: WIDTH,
      height: HEIGHT,
      "font-family": FONT,
    },
    s("rect", { width: WIDTH, height: HEIGHT, fill: PAPER }),
    board ? boardPart(board) : signPart(60, 100, 430),
    head.map((line, at) => line(60 + 58 + at * 70)),
    state.seats.length > 1 && players(state, mine, afterHead + 40),
    turnRows(state, afterWho),
    signPart(LEFT, HEIGHT - 92, 44),
    words("Can’t Stop", LEFT + 58, HEIGHT - 72, 24, INK, 800),
    words(footText(state, url), LEFT + 58, HEIGHT - 42, 20, MUTED, 500, RIGHT - LEFT - 58),
  );
}

/** @param {SVGSVGElement} board */
function boardPart(board) {
  const copy = styledCopy(board, 500);
  if (!copy) return null;
  const high = Math.min(574, Number(copy.getAttribute("height")));
  copy.setAttribute("height", String(high));
  copy.setAttribute("x", "44");
  copy.setAttribute("y", String((HEIGHT - high) / 2));
  return copy;
}

/**
 * The sign of the game.
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
function signPart(x, y, size) {
  const sign = logo();
  for (const [name, value] of Object.entries({ x, y, width: size, height: size }))
    sign.setAttribute(name, String(value));
  for (const part of sign.children) {
    const line = part.getAttribute("class") === "logo-line";
    const rim = part.getAttribute("class") === "logo-rim";
    part.setAttribute("fill", line ? "none" : rim ? SIGN : "#fffaf0");
    if (line) part.setAttribute("stroke", "#fffaf0");
    if (line) part.setAttribute("stroke-width", "4");
  }
  return sign;
}

/**
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} fill
 * @param {number} weight
 * @param {number} [most]  its width
 * @param {string} [anchor]
 */
function words(text, x, y, size, fill, weight, most = RIGHT - x, anchor = "start") {
  const wide = widthOf(text, `${weight} ${size}px ${FONT}`);
  const fitted = wide > most ? Math.max(12, (size * most) / wide) : size;
  return s(
    "text",
    { x, y, fill, "font-size": fitted, "font-weight": weight, "text-anchor": anchor },
    text,
  );
}

/**
 * @param {string} text
 * @param {string} font
 */
function widthOf(text, font) {
  const brush = document.createElement("canvas").getContext("2d");
  if (!brush) return 0;
  brush.font = font;
  return brush.measureText(text).width;
}

/**
 * The headline in at most three lines, what stands out in red.
 * @param {Headline} headline
 * @returns {((y: number) => SVGElement)[]}
 */
function headlineLines({ text, strong }) {
  const brush = document.createElement("canvas").getContext("2d");
  const font = `850 62px ${FONT}`;
  // what stands out stays on one line
  const tied = strong ? strong.replaceAll(" ", "\u00a0") : "";
  const whole = strong ? text.replace(strong, tied) : text;
  const lines = (brush ? wrapText(brush, whole, font, RIGHT - LEFT) : [whole]).map((line) =>
    strong ? line.replace(tied, strong) : line,
  );
  const shown = [...lines.slice(0, MOST_LINES - 1), lines.slice(MOST_LINES - 1).join(" ")];
  return shown.filter(Boolean).map((line) => (y) => {
    const size = Math.min(62, (62 * (RIGHT - LEFT)) / Math.max(1, widthOf(line, font)));
    const at = strong ? line.indexOf(strong) : -1;
    const parts =
      at < 0
        ? [line]
        : [
            line.slice(0, at),
            s("tspan", { fill: SIGN }, strong ?? ""),
            line.slice(at + (strong ?? "").length),
          ];
    return s("text", { x: LEFT, y, fill: INK, "font-size": size, "font-weight": 850 }, parts);
  });
}

/**
 * Who played, and the score between them.
 * @param {State} state
 * @param {number[]} mine
 * @param {number} y
 */
function players(state, mine, y) {
  const { seats, view } = state;
  const winners = view.outcome?.winners ?? [];
  const order =
    mine.length === 1 && mine[0] === 1 && seats.length === 2 ? [1, 0] : [...seats.keys()];
  const score = seats.length === 2 ? scoreOf(state, order[0]) : "";
  const width = (RIGHT - LEFT - (score ? 130 : 0)) / seats.length;
  return s(
    "g",
    {},
    order.map((seat, at) => {
      const x = LEFT + at * (width + (score ? 130 : 0));
      const { bot, colour } = seats[seat];
      const picture = bot ? botFace(bot, winners.includes(seat) ? "grinning" : "sighing") : null;
      for (const [name, value] of Object.entries({ x, y: y - 40, width: 72, height: 72 }))
        picture?.setAttribute(name, String(value));
      return s(
        "g",
        {},
        picture ?? markAt(colour ?? seat, x + 30, y, 24),
        words(seatName(seats[seat], seat), x + 84, y + 10, 28, INK, 750, width - 90),
      );
    }),
    score && words(score, LEFT + width + 60, y + 12, 50, INK, 850, 120, "middle"),
    score && words(t("so far"), LEFT + width + 60, y + 40, 18, MUTED, 500, 120, "middle"),
  );
}

/**
 * The score of a series or against an animal, seen from one seat; empty for a first game.
 * @param {State} state
 * @param {number} seat
 */
function scoreOf(state, seat) {
  const rival = state.seats[1 - seat].bot;
  const known = rival ? ladderScores().get(rival) : undefined;
  if (known && known.won + known.lost > 1) return `${known.won}–${known.lost}`;
  const wins = seriesScores(state);
  return wins ? `${wins[seat]}–${wins[1 - seat]}` : "";
}

/**
 * @param {number} colour
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
function markAt(colour, x, y, size) {
  const at = colour % SEAT_OUTLINES.length;
  return s("path", {
    d: SEAT_OUTLINES[at],
    fill: SEATS[at],
    stroke: INK,
    "stroke-width": 0.13,
    transform: `translate(${x} ${y}) scale(${size})`,
  });
}

/**
 * One square a turn: filled for a stop, with a star for a column, dashed for a bust.
 * @param {State} state
 * @param {number} y
 */
function turnRows(state, y) {
  const room = Math.floor((RIGHT - LEFT - 40) / STEP);
  const rows = state.seats.map((seat, index) => {
    const turns = playedEvents(state.log).flatMap((event) =>
      event.seat === index && (event.kind === "stopped" || event.kind === "busted") ? [event] : [],
    );
    return { colour: seat.colour ?? index, turns: turns.slice(-room) };
  });
  const apart = Math.min(50, (HEIGHT - 150 - y) / Math.max(1, rows.length));
  const size = Math.min(SQUARE, apart - 6);
  return s(
    "g",
    {},
    rows.map(({ colour, turns }, row) =>
      s(
        "g",
        {},
        markAt(colour, LEFT + 12, y + row * apart + size / 2, size / 3),
        turns.map((turn, at) => square(turn, colour, LEFT + 40 + at * STEP, y + row * apart, size)),
      ),
    ),
    words(
      t("one square a turn · ★ a column won · dashed: a bust"),
      LEFT + 40,
      y + rows.length * apart + 18,
      18,
      MUTED,
      500,
    ),
  );
}

/**
 * @param {import("../../net/protocol.js").TableEvent} turn
 * @param {number} colour
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
function square(turn, colour, x, y, size) {
  const box = { x, y, width: size, height: size, rx: 7 };
  if (turn.kind !== "stopped")
    return s("rect", {
      ...box,
      fill: "none",
      stroke: "#a89d86",
      "stroke-width": 2,
      "stroke-dasharray": "6 4",
    });
  const star = runnerPath();
  star.setAttribute("fill", GOLD);
  star.setAttribute("transform", `translate(${x + size / 2} ${y + size / 2}) scale(${size / 3.4})`);
  return s(
    "g",
    {},
    s("rect", { ...box, fill: SEATS[colour % 4] }),
    turn.data.won.length > 0 && star,
  );
}

/**
 * @param {State} state
 * @param {string} url
 */
function footText({ id, daily }, url) {
  const address = url.replace(/^https?:\/\//, "").replace(/\/(#\/)?$/, "");
  if (daily) return t("The same dice for you: {address}", { address });
  return isOnDevice(id)
    ? t("Play it yourself: {address}", { address })
    : t("Watch the game: {address}", { address });
}
