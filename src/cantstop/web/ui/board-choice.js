/** How the board looks: three themes and one of high contrast, each shown as a small board. */

import { h, s } from "../core/dom.js";
import { useStyle } from "../core/styles.js";
import { boardName, chooseBoard } from "../device/theme.js";
import { openDialog } from "./dialog.js";
import { t } from "../words/i18n.js";

useStyle("forms");
useStyle("board-choice");

/** @typedef {import("../device/theme.js").BoardName} BoardName */

/** @returns {[BoardName, string][]} */
function boards() {
  return [
    ["sign", t("Stop sign")],
    ["walnut", t("Walnut")],
    ["meadow", t("Meadow")],
    ["contrast", t("High contrast")],
  ];
}

/** The choice; it is remembered, and the board on screen follows at once. */
export function boardChoice() {
  const chosen = boardName();
  return h(
    "fieldset",
    { class: "board-choice" },
    h("legend", {}, t("Board")),
    boards().map(([name, title]) =>
      h(
        "label",
        {},
        h("input", {
          type: "radio",
          name: "board",
          value: name,
          checked: name === chosen,
          on: { change: () => chooseBoard(name) },
        }),
        sample(name),
        h("span", {}, title),
      ),
    ),
  );
}

/** The choice in a window of its own. */
export function showBoardChoice() {
  openDialog(t("Board"), [boardChoice()]);
}

/** @param {BoardName} name */
function sample(name) {
  return s(
    "svg",
    { class: "board-sample", "data-board": name, viewBox: "0 0 60 60", "aria-hidden": "true" },
    s("polygon", { class: "rim", points: "18,0 42,0 60,18 60,42 42,60 18,60 0,42 0,18" }),
    s("polygon", { class: "rim-line", points: "19,3 41,3 57,19 57,41 41,57 19,57 3,41 3,19" }),
    s("polygon", { class: "field", points: "20,5 40,5 55,20 55,40 40,55 20,55 5,40 5,20" }),
    [11, 24.5, 38].flatMap((x) =>
      [13, 25, 37].map((y) => s("rect", { class: "space", x, y, width: 11, height: 9, rx: 2 })),
    ),
    s("circle", { class: "sample-token colour-1", cx: 30, cy: 29.5, r: 3.6 }),
  );
}
