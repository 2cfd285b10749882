/** The story of a game: how it ended, whether it was luck, and three moments, each with a small board. */

import { h } from "../../core/dom.js";
import { frameDrawn } from "../../core/frames.js";
import { createBoard } from "../../board/board.js";
import { geometry } from "../../board/geometry.js";
import { joinList, t } from "../../words/i18n.js";
import { seatName } from "../../words/sentences.js";
import { viewAt } from "../position.js";

/** @typedef {import("./story.js").Story} Story */
/** @typedef {import("../../net/protocol.js").StoryView} Chapter */

/**
 * @param {Story} story
 * @param {(n: number) => void} onGo  more of a moment is asked for
 */
export function toldGame(story, onGo) {
  const { answer } = story;
  const moments = answer.story[heroOf(story)].map((told) => moment(story, told, onGo));
  drawInTurn(moments.map(({ draw }) => draw));
  return [
    h(
      "header",
      { class: "review-head" },
      h("h1", { tabindex: -1 }, answer.headline),
      answer.verdict && h("p", { class: "lead" }, answer.verdict),
      story.substitutes.length > 0 && h("p", { class: "muted" }, substitutesText(story)),
    ),
    h(
      "ol",
      { class: "told", "aria-label": t("Three moments") },
      moments.map(({ element }) => element),
    ),
  ];
}

/**
 * Three boards in one task would keep a slow page busy too long.
 * @param {(() => void)[]} drawings
 */
async function drawInTurn(drawings) {
  for (const draw of drawings) {
    await frameDrawn();
    draw();
  }
}

/**
 * Whose story it is: that of whoever sits here, or else of the winner, or of whoever came closest.
 * @param {Story} story
 */
function heroOf({ answer, mine }) {
  if (mine.length === 1) return mine[0];
  const { win } = /** @type {{win: number[]}} */ (answer.moments.at(-1));
  return answer.winners?.[0] ?? win.indexOf(Math.max(...win));
}

/** @param {Story} story */
function substitutesText({ seats, substitutes }) {
  const names = joinList(substitutes.map((seat) => seatName(seats[seat], seat)));
  return t("A bot played a part of the game for {names}.", { names });
}

/**
 * @param {Story} story
 * @param {Chapter} chapter
 * @param {(n: number) => void} onGo
 */
function moment({ answer, seats, decisions }, { chapter, n, text }, onGo) {
  const position = decisions.get(n)?.position ?? answer.moments[n].position;
  const view = viewAt(chapter === "best-moment" ? position : answer.moments[n].position);
  const { width, height } = geometry(view.lengths);
  const picture = h("span", { class: "told-board", "aria-hidden": "true" });
  picture.style.aspectRatio = `${width} / ${height}`;
  const element = h(
    "li",
    {},
    h(
      "button",
      { type: "button", class: "told-moment", "data-n": n, on: { click: () => onGo(n) } },
      picture,
      h(
        "span",
        { class: "told-words" },
        h("strong", {}, chapterNames()[chapter]),
        h("span", {}, text),
      ),
    ),
  );
  return { element, draw: () => picture.append(boardOf(view, seats)) };
}

/**
 * @param {import("../../net/protocol.js").View} view
 * @param {import("../../net/state.js").Seat[]} seats
 */
function boardOf(view, seats) {
  const board = createBoard(
    view.lengths,
    () => {},
    () => {},
  );
  board.update(view, seats);
  return board.element;
}

/** @returns {Record<Chapter["chapter"], string>} */
function chapterNames() {
  return {
    dice: t("What the dice gave"),
    "turning-point": t("The turning point"),
    "best-moment": t("The best moment"),
  };
}
