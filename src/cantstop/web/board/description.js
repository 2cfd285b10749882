/** The board in words, for screen readers. */

import { h, fill, write } from "../core/dom.js";
import { plural, t } from "../words/i18n.js";
import { seatName } from "../words/sentences.js";

/** @typedef {import("../net/protocol.js").View} View */
/** @typedef {import("../net/state.js").Seat} Seat */

/**
 * Write out every column that holds something.
 * @param {HTMLElement} box
 * @param {View} view
 * @param {Seat[]} seats
 */
export function describe(box, view, seats) {
  const lines = view.lengths.flatMap((length, index) => {
    const words = columnWords(view, seats, index);
    return words ? [columnText({ column: index + 2, length, words })] : [];
  });
  const heading = t("The board");
  const text = lines.length ? lines : [t("There is nothing on the board yet.")];
  if (box.childElementCount !== text.length + 1) {
    fill(
      box,
      h("h2", {}, heading),
      text.map(() => h("p")),
    );
  }
  [heading, ...text].forEach((line, at) => write(box.children[at], line));
}

/** @param {{column: number, length: number, words: string}} fields */
function columnText(fields) {
  return plural(
    fields.length,
    t("Column {column}, {length} space: {words}.", fields),
    t("Column {column}, {length} spaces: {words}.", fields),
  );
}

/**
 * @param {View} view
 * @param {Seat[]} seats
 * @param {number} index
 */
function columnWords(view, seats, index) {
  const owner = view.owners[index];
  if (owner !== null) return t("won by {name}", { name: seatName(seats[owner], owner) });
  const words = view.tokens.flatMap((spaces, seat) =>
    spaces[index]
      ? [t("{name} on {space}", { name: seatName(seats[seat], seat), space: spaces[index] })]
      : [],
  );
  if (view.runners[index]) words.push(t("runner on {space}", { space: view.runners[index] }));
  return words.join(", ");
}
