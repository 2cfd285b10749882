/** The analysis as a picture: drawn here from what is on screen, and saved as SVG or PNG. */

import { s } from "../core/dom.js";
import { saveFile } from "../device/save-file.js";
import { toast } from "../ui/dialog.js";
import { pixelsOf, styledCopy } from "../ui/drawing.js";
import { wrapText } from "../ui/wrap-text.js";
import { t } from "../words/i18n.js";

const WIDTH = 720;
const MARGIN = 24;
const LINE = 26;

/**
 * Save board, options and roll map of the page as one picture.
 * @param {HTMLElement} page
 * @param {string} text  of the position
 * @param {"png" | "svg"} kind
 */
export async function savePictureOf(page, text, kind) {
  try {
    const picture = pictureOf(page, text);
    const source = new XMLSerializer().serializeToString(picture);
    const svg = new Blob([source], { type: "image/svg+xml" });
    const height = Number(picture.getAttribute("height"));
    saveFile(
      kind === "svg" ? svg : await pixelsOf(source, WIDTH, height),
      `cantstop-position.${kind}`,
    );
  } catch {
    toast(t("The picture could not be made here."), "bad");
  }
}

/**
 * @param {HTMLElement} page
 * @param {string} text
 */
function pictureOf(page, text) {
  const colours = getComputedStyle(document.documentElement);
  const [paper, ink, muted] = ["--paper", "--ink", "--muted"].map((name) =>
    colours.getPropertyValue(name).trim(),
  );
  const board = styledCopy(page.querySelector("svg.board"), WIDTH - 2 * MARGIN);
  const map = styledCopy(page.querySelector("svg.roll-map"), WIDTH - 2 * MARGIN);
  const lines = [...page.querySelectorAll(".chances li, .option, .risks")].map(lineOf);
  /** @type {SVGElement[]} */
  const parts = [];
  let y = MARGIN;
  if (board) y = placed(parts, board, y);
  for (const line of lines.flatMap((each) => wrapped(each, "600 17px system-ui, sans-serif"))) {
    y += LINE;
    parts.push(s("text", { x: MARGIN, y, "font-size": 17, "font-weight": 600, fill: ink }, line));
  }
  y += MARGIN;
  if (map) y = placed(parts, map, y);
  for (const line of wrapped(text, "13px system-ui, sans-serif")) {
    y += 18;
    parts.push(s("text", { x: MARGIN, y, "font-size": 13, fill: muted }, line));
  }
  const height = Math.ceil(y + MARGIN);
  return s(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${WIDTH} ${height}`,
      width: WIDTH,
      height,
      "font-family": "system-ui, sans-serif",
    },
    s("rect", { width: WIDTH, height, fill: paper }),
    parts,
  );
}

/**
 * @param {SVGElement[]} parts
 * @param {SVGSVGElement} drawing
 * @param {number} y
 */
function placed(parts, drawing, y) {
  drawing.setAttribute("x", String(MARGIN));
  drawing.setAttribute("y", String(y));
  parts.push(drawing);
  return y + Number(drawing.getAttribute("height")) + MARGIN / 2;
}

/**
 * A sentence in lines that are not wider than the picture.
 * @param {string} text
 * @param {string} font
 */
function wrapped(text, font) {
  const brush = document.createElement("canvas").getContext("2d");
  return brush ? wrapText(brush, text, font, WIDTH - 2 * MARGIN) : [text];
}

/**
 * The words of a part of the page as one line.
 * @param {Element} part
 */
function lineOf(part) {
  /** @type {string[]} */
  const words = [];
  const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode())
    if (node.nodeValue?.trim()) words.push(node.nodeValue.trim());
  return words.join("  ");
}
