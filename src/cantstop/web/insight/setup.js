/** Setting up a position: pieces on the board, whose turn it is, the dice, the rules. */

import { h, fill, setAttribute } from "../core/dom.js";
import { useStyle } from "../core/styles.js";
import { die } from "../table/turn/dice.js";
import { iconButton } from "../ui/layout.js";
import { seatMark } from "../ui/seat-marks.js";
import { labelledSegments, segments } from "../ui/segments.js";
import { t } from "../words/i18n.js";
import { editionTitle, sharingNames } from "../words/rules-text.js";
import { seatName } from "../words/sentences.js";
import { columnBoard, runnerMark } from "./board-columns.js";
import { seatsOf, viewOf, withPlayers, withRunner, withToken } from "./position.js";

useStyle("forms");

/** @typedef {import("./position.js").Position} Position */
/** @typedef {import("./position.js").Sharing} Sharing */
/** @typedef {number | "runner"} Piece  a seat's token, or the runner */

/**
 * @param {Position} first
 * @param {import("../net/protocol.js").EditionOffer[]} editions
 * @param {(position: Position) => void} changed
 */
export function createSetup(first, editions, changed) {
  let position = first;
  /** @type {Piece} */
  let piece = first.seat;
  let edition = editions.find(({ name }) => name === "custom") ?? editions[0];
  let board = makeBoard();
  const pieces = h("div", { class: "pieces-choice" });
  const turn = h("div", { class: "turn-choice" });
  const dice = h("div", { class: "dice-choice" });
  const rules = h("div", { class: "rules-choice" });
  const place = h("div", { class: "setup-board" }, board.element);

  function makeBoard() {
    return columnBoard(position.lengths, "slider", tap, press);
  }

  /** @param {Position} next */
  function change(next) {
    position = next;
    draw();
    changed(position);
  }

  /** @param {number} index */
  function spaceOf(index) {
    return (piece === "runner" ? position.runners : position.tokens[piece])[index];
  }

  /**
   * @param {number} index
   * @param {number} space
   */
  function put(index, space) {
    const within = Math.max(0, Math.min(position.lengths[index], space));
    change(
      piece === "runner"
        ? withRunner(position, index, within)
        : withToken(position, piece, index, within),
    );
  }

  /**
   * A tap puts the piece there, and one on itself takes it away.
   * @param {number} index
   * @param {number} space
   */
  function tap(index, space) {
    put(index, spaceOf(index) === space ? 0 : space);
  }

  /**
   * @param {number} index
   * @param {string} key
   */
  function press(index, key) {
    const to = {
      ArrowUp: spaceOf(index) + 1,
      ArrowDown: spaceOf(index) - 1,
      Home: 0,
      Delete: 0,
      End: position.lengths[index],
    }[key];
    if (to === undefined) return false;
    put(index, to);
    return true;
  }

  function draw() {
    if (piece !== "runner" && piece >= position.tokens.length) piece = position.seat;
    board.update(viewOf(position), seatsOf(position));
    board.controls.forEach((control, index) => describe(control, index));
    keepingFocus(pieces, () => fill(pieces, pieceChoice()));
    keepingFocus(turn, () => fill(turn, turnChoice()));
    keepingFocus(dice, () => fill(dice, diceChoice()));
    keepingFocus(rules, () => fill(rules, rulesChoice()));
  }

  /**
   * @param {HTMLElement} control
   * @param {number} index
   */
  function describe(control, index) {
    const space = spaceOf(index);
    const facts = {
      "aria-label": t("{piece}, column {column}", { piece: pieceName(piece), column: index + 2 }),
      "aria-orientation": "vertical",
      "aria-valuemin": 0,
      "aria-valuemax": position.lengths[index],
      "aria-valuenow": space,
      "aria-valuetext": space ? t("space {space}", { space }) : t("none"),
    };
    for (const [name, value] of Object.entries(facts)) setAttribute(control, name, value);
  }

  function pieceChoice() {
    const choices = [...position.tokens.keys(), /** @type {const} */ ("runner")];
    return segments(
      "piece",
      t("Piece to place"),
      choices.map((each) => ({
        value: each,
        name: pieceName(each),
        content: each === "runner" ? runnerMark() : seatMark(each),
      })),
      piece,
      (each) => {
        piece = each;
        draw();
      },
    );
  }

  function turnChoice() {
    return [
      h("span", { class: "choice-name", "aria-hidden": "true" }, t("To play")),
      segments(
        "turn",
        t("To play"),
        position.tokens.map((_, seat) => ({
          value: seat,
          name: seatName(undefined, seat),
          content: seatMark(seat),
        })),
        position.seat,
        (seat) => change({ ...position, seat }),
      ),
    ];
  }

  function diceChoice() {
    const { dice: thrown, lengths } = position;
    const sides = (lengths.length + 1) / 2;
    const faces = Array.from({ length: sides }, (_, at) => at + 1);
    return [
      h("span", { class: "choice-name", id: "dice-name" }, t("Dice")),
      h(
        "div",
        { class: "thrown" },
        Array.from({ length: 4 }, (_, at) => thrownDie(thrown[at], at)),
        iconButton("close", t("No dice"), () => change({ ...position, dice: [] }), {
          class: "icon-button no-dice",
          disabled: !thrown.length,
          "data-field": "no-dice",
        }),
      ),
      h(
        "div",
        { class: "faces-choice", role: "group", "aria-labelledby": "dice-name" },
        faces.map((face) =>
          h(
            "button",
            {
              type: "button",
              class: "face-button",
              "data-field": `face-${face}`,
              "aria-label": t("Add a {face}", { face }),
              disabled: thrown.length === 4,
              on: { click: () => addDie(face) },
            },
            faceOf(face),
          ),
        ),
      ),
    ];
  }

  /**
   * @param {number | undefined} face
   * @param {number} at
   */
  function thrownDie(face, at) {
    if (face === undefined) return h("span", { class: "no-die", "aria-hidden": "true" });
    return h(
      "button",
      {
        type: "button",
        class: "thrown-die",
        "data-field": `die-${at}`,
        "aria-label": t("Remove the {face}", { face }),
        on: { click: () => change({ ...position, dice: position.dice.toSpliced(at, 1) }) },
      },
      faceOf(face),
    );
  }

  /** @param {number} face */
  function addDie(face) {
    const sides = (position.lengths.length + 1) / 2;
    if (position.dice.length < 4 && face <= sides)
      change({ ...position, dice: [...position.dice, face].sort((a, b) => a - b) });
  }

  function rulesChoice() {
    const wins = edition.win[position.tokens.length] ?? [position.win];
    return [
      labelledSegments(
        "players",
        t("Players"),
        [1, 2, 3, 4].map((count) => ({ value: count, content: count })),
        position.tokens.length,
        (count) => change(fitted(withPlayers(position, count))),
      ),
      select(
        "edition",
        t("Edition"),
        editions.map(({ name }) => [name, editionTitle(name)]),
        edition.name,
        (name) => {
          edition = editions.find((each) => each.name === name) ?? edition;
          change(fitted(position));
        },
      ),
      wins.length > 1 &&
        labelledSegments(
          "win",
          t("Columns to win"),
          wins.map((win) => ({ value: win, content: win })),
          position.win,
          (win) => change({ ...position, win }),
        ),
      position.tokens.length > 1 &&
        edition.sharing.length > 1 &&
        select(
          "sharing",
          t("Others’ tokens"),
          edition.sharing.map((each) => [each, sharingNames()[each]]),
          position.sharing,
          (sharing) => change({ ...position, sharing: /** @type {Sharing} */ (sharing) }),
        ),
      edition.early && earlyChoice(),
    ];
  }

  function earlyChoice() {
    const box = h("input", {
      type: "checkbox",
      checked: position.early,
      "data-field": "early",
      on: { change: () => change({ ...position, early: box.checked }) },
    });
    return h("label", { class: "early-choice" }, box, h("span", {}, t("Runners out early")));
  }

  /**
   * With the variants that the edition knows.
   * @param {Position} next
   * @returns {Position}
   */
  function fitted(next) {
    const wins = edition.win[next.tokens.length] ?? [3];
    return {
      ...next,
      win: wins.includes(next.win) ? next.win : 3,
      early: next.early && edition.early,
      sharing: edition.sharing.includes(next.sharing) ? next.sharing : "free",
    };
  }

  draw();
  return {
    board: h(
      "div",
      { class: "setup" },
      pieces,
      place,
      h("div", { class: "setup-row" }, turn, dice),
    ),
    rules,
    addDie,
    takeDie: () => change({ ...position, dice: position.dice.slice(0, -1) }),
    /** @param {Piece} next */
    choosePiece(next) {
      if (next !== "runner" && next >= position.tokens.length) return;
      piece = next;
      draw();
    },
    /** @param {Position} next */
    show(next) {
      const fits = next.lengths.join() === position.lengths.join();
      position = next;
      if (!fits) {
        board = makeBoard();
        fill(place, board.element);
      }
      draw();
    },
  };
}

/** @param {Piece} piece */
function pieceName(piece) {
  return piece === "runner" ? t("Runner") : seatName(undefined, piece);
}

/** @param {number} face */
function faceOf(face) {
  return face <= 6 ? die(face) : h("span", { class: "face-number" }, face);
}

/**
 * What is drawn anew keeps the focus where it was.
 * @param {HTMLElement} box
 * @param {() => void} redraw
 */
function keepingFocus(box, redraw) {
  const active = document.activeElement;
  const field = active instanceof HTMLElement && box.contains(active) && active.dataset.field;
  redraw();
  if (!field) return;
  const again = box.querySelector(`[data-field="${field}"]:not(:disabled)`);
  const other = box.querySelector("button:not(:disabled), input");
  /** @type {HTMLElement | null} */ (again ?? other)?.focus();
}

/**
 * @param {string} field
 * @param {string} name
 * @param {[string, string][]} values
 * @param {string} chosen
 * @param {(value: string) => void} onChange
 */
function select(field, name, values, chosen, onChange) {
  const list = h(
    "select",
    { "data-field": field, on: { change: () => onChange(list.value) } },
    values.map(([value, text]) => h("option", { value, selected: value === chosen }, text)),
  );
  return h("label", { class: "choice" }, h("span", { class: "choice-name" }, name), list);
}
