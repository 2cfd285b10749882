/** Setting up a position: pieces on the board, whose turn it is, the dice, the rules. */

import { h, fill, setAttribute } from "../core/dom.js";
import { useStyle } from "../core/styles.js";
import { die } from "../board/dice.js";
import { iconButton } from "../ui/layout.js";
import { seatMark } from "../ui/seat-marks.js";
import { labelledSegments, segments } from "../ui/segments.js";
import { t } from "../words/i18n.js";
import { editionTitle, sharingNames } from "../words/rules-text.js";
import { seatName } from "../words/sentences.js";
import { columnBoard, runnerMark } from "./board-columns.js";
import { seatsOf, viewOf, withPlayers, withRunner, withToken } from "./position.js";

useStyle("forms");

/** @typedef {import("../core/position.js").Position} Position */
/** @typedef {import("../core/rules.js").Sharing} Sharing */
/** @typedef {number | "runner"} Piece  a seat's token, or the runner */

/** A position that is being set up: its board, and the choices beside it. */
export class Setup {
  /**
   * @param {Position} first
   * @param {import("../net/protocol.js").EditionOffer[]} editions
   * @param {(position: Position) => void} changed
   */
  constructor(first, editions, changed) {
    this.position = first;
    this.editions = editions;
    this.changed = changed;
    /** @type {Piece} */
    this.piece = first.seat;
    this.edition = editions.find(({ name }) => name === "custom") ?? editions[0];
    this.board = this.makeBoard();
    this.pieces = h("div", { class: "pieces-choice" });
    this.turn = h("div", { class: "turn-choice" });
    this.dice = h("div", { class: "dice-choice" });
    this.rules = h("div", { class: "rules-choice" });
    this.place = h("div", { class: "setup-board" }, this.board.element);
    this.element = h(
      "div",
      { class: "setup" },
      this.pieces,
      this.place,
      h("div", { class: "setup-row" }, this.turn, this.dice),
    );
    this.draw();
  }

  makeBoard() {
    return columnBoard(
      this.position.lengths,
      "slider",
      (index, space) => this.tap(index, space),
      (index, key) => this.press(index, key),
    );
  }

  /** @param {Position} next */
  change(next) {
    this.position = next;
    this.draw();
    this.changed(this.position);
  }

  /** @param {number} index */
  spaceOf(index) {
    return (this.piece === "runner" ? this.position.runners : this.position.tokens[this.piece])[
      index
    ];
  }

  /**
   * @param {number} index
   * @param {number} space
   */
  put(index, space) {
    const within = Math.max(0, Math.min(this.position.lengths[index], space));
    this.change(
      this.piece === "runner"
        ? withRunner(this.position, index, within)
        : withToken(this.position, this.piece, index, within),
    );
  }

  /**
   * A tap puts the piece there, and one on itself takes it away.
   * @param {number} index
   * @param {number} space
   */
  tap(index, space) {
    this.put(index, this.spaceOf(index) === space ? 0 : space);
  }

  /**
   * @param {number} index
   * @param {string} key
   */
  press(index, key) {
    const to = {
      ArrowUp: this.spaceOf(index) + 1,
      ArrowDown: this.spaceOf(index) - 1,
      Home: 0,
      Delete: 0,
      End: this.position.lengths[index],
    }[key];
    if (to === undefined) return false;
    this.put(index, to);
    return true;
  }

  draw() {
    if (this.piece !== "runner" && this.piece >= this.position.tokens.length)
      this.piece = this.position.seat;
    this.board.update(viewOf(this.position), seatsOf(this.position));
    this.board.controls.forEach((control, index) => this.describe(control, index));
    keepingFocus(this.pieces, () => fill(this.pieces, this.pieceChoice()));
    keepingFocus(this.turn, () => fill(this.turn, this.turnChoice()));
    keepingFocus(this.dice, () => fill(this.dice, this.diceChoice()));
    keepingFocus(this.rules, () => fill(this.rules, this.rulesChoice()));
  }

  /**
   * @param {HTMLElement} control
   * @param {number} index
   */
  describe(control, index) {
    const space = this.spaceOf(index);
    const facts = {
      "aria-label": t("{piece}, column {column}", {
        piece: pieceName(this.piece),
        column: index + 2,
      }),
      "aria-orientation": "vertical",
      "aria-valuemin": 0,
      "aria-valuemax": this.position.lengths[index],
      "aria-valuenow": space,
      "aria-valuetext": space ? t("space {space}", { space }) : t("none"),
    };
    for (const [name, value] of Object.entries(facts)) setAttribute(control, name, value);
  }

  pieceChoice() {
    const choices = [...this.position.tokens.keys(), /** @type {const} */ ("runner")];
    return segments(
      "piece",
      t("Piece to place"),
      choices.map((each) => ({
        value: each,
        name: pieceName(each),
        content: each === "runner" ? runnerMark() : seatMark(each),
      })),
      this.piece,
      (each) => {
        this.piece = each;
        this.draw();
      },
    );
  }

  turnChoice() {
    return [
      h("span", { class: "choice-name", "aria-hidden": "true" }, t("To play")),
      segments(
        "turn",
        t("To play"),
        this.position.tokens.map((_, seat) => ({
          value: seat,
          name: seatName(undefined, seat),
          content: seatMark(seat),
        })),
        this.position.seat,
        (seat) => this.change({ ...this.position, seat }),
      ),
    ];
  }

  diceChoice() {
    const { dice: thrown, lengths } = this.position;
    const sides = (lengths.length + 1) / 2;
    const faces = Array.from({ length: sides }, (_, at) => at + 1);
    return [
      h("span", { class: "choice-name", id: "dice-name" }, t("Dice")),
      h(
        "div",
        { class: "thrown" },
        Array.from({ length: 4 }, (_, at) => this.thrownDie(thrown[at], at)),
        iconButton("close", t("No dice"), () => this.change({ ...this.position, dice: [] }), {
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
              on: { click: () => this.addDie(face) },
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
  thrownDie(face, at) {
    if (face === undefined) return h("span", { class: "no-die", "aria-hidden": "true" });
    return h(
      "button",
      {
        type: "button",
        class: "thrown-die",
        "data-field": `die-${at}`,
        "aria-label": t("Remove the {face}", { face }),
        on: {
          click: () => this.change({ ...this.position, dice: this.position.dice.toSpliced(at, 1) }),
        },
      },
      faceOf(face),
    );
  }

  /** @param {number} face */
  addDie(face) {
    const sides = (this.position.lengths.length + 1) / 2;
    if (this.position.dice.length < 4 && face <= sides)
      this.change({ ...this.position, dice: [...this.position.dice, face].sort((a, b) => a - b) });
  }

  rulesChoice() {
    const wins = this.edition.win[this.position.tokens.length] ?? [this.position.win];
    return [
      labelledSegments(
        "players",
        t("Players"),
        [1, 2, 3, 4].map((count) => ({ value: count, content: count })),
        this.position.tokens.length,
        (count) => this.change(this.fitted(withPlayers(this.position, count))),
      ),
      select(
        "edition",
        t("Edition"),
        this.editions.map(({ name }) => [name, editionTitle(name)]),
        this.edition.name,
        (name) => {
          this.edition = this.editions.find((each) => each.name === name) ?? this.edition;
          this.change(this.fitted(this.position));
        },
      ),
      wins.length > 1 &&
        labelledSegments(
          "win",
          t("Columns to win"),
          wins.map((win) => ({ value: win, content: win })),
          this.position.win,
          (win) => this.change({ ...this.position, win }),
        ),
      this.position.tokens.length > 1 &&
        this.edition.sharing.length > 1 &&
        select(
          "sharing",
          t("Others’ tokens"),
          this.edition.sharing.map((each) => [each, sharingNames()[each]]),
          this.position.sharing,
          (sharing) => this.change({ ...this.position, sharing: /** @type {Sharing} */ (sharing) }),
        ),
      this.edition.early && this.earlyChoice(),
    ];
  }

  earlyChoice() {
    const box = h("input", {
      type: "checkbox",
      checked: this.position.early,
      "data-field": "early",
      on: { change: () => this.change({ ...this.position, early: box.checked }) },
    });
    return h("label", { class: "early-choice" }, box, h("span", {}, t("Runners out early")));
  }

  /**
   * With the variants that the edition knows.
   * @param {Position} next
   * @returns {Position}
   */
  fitted(next) {
    const wins = this.edition.win[next.tokens.length] ?? [3];
    return {
      ...next,
      win: wins.includes(next.win) ? next.win : 3,
      early: next.early && this.edition.early,
      sharing: this.edition.sharing.includes(next.sharing) ? next.sharing : "free",
    };
  }

  takeDie() {
    this.change({ ...this.position, dice: this.position.dice.slice(0, -1) });
  }

  /** @param {Piece} next */
  choosePiece(next) {
    if (next !== "runner" && next >= this.position.tokens.length) return;
    this.piece = next;
    this.draw();
  }

  /** @param {Position} next */
  show(next) {
    const fits = next.lengths.join() === this.position.lengths.join();
    this.position = next;
    if (!fits) {
      this.board = this.makeBoard();
      fill(this.place, this.board.element);
    }
    this.draw();
  }
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
 * What is drawn again keeps the focus where it was.
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
