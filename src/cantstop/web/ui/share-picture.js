/** A picture of a moment: shown, saved as PNG, or handed to the device's share sheet. */

import { h } from "../core/dom.js";
import { saveFile } from "../device/save-file.js";
import { toast } from "./dialog.js";
import { addressOfDrawing, styledCopy } from "./drawing.js";
import { icon } from "./icons.js";
import { t } from "../words/i18n.js";
import { wrapText } from "./wrap-text.js";

const WIDTH = 1200;
const MARGIN = 40;
const LINE = 34;
const LEADING = 44;

/**
 * @param {SVGSVGElement} drawing  as it is on screen; no server need know it
 * @param {string} caption  what it shows
 */
export function pictureField(drawing, caption) {
  const copy = /** @type {SVGSVGElement} */ (styledCopy(drawing, WIDTH));
  const src = addressOfDrawing(new XMLSerializer().serializeToString(copy));
  const image = h("img", { class: "shared-picture", src, alt: caption });
  const file = async () =>
    new File([await pixels(image, caption)], "cantstop.png", { type: "image/png" });
  /** @param {(made: File) => unknown} use */
  const make = (use) => async () => {
    try {
      await use(await file());
    } catch (error) {
      if (/** @type {Error} */ (error).name !== "AbortError")
        toast(t("The picture could not be made here."), "bad");
    }
  };
  const canShare = navigator.canShare?.({
    files: [new File([], "cantstop.png", { type: "image/png" })],
  });
  return h(
    "div",
    { class: "picture-field" },
    image,
    h(
      "div",
      { class: "actions" },
      h(
        "button",
        {
          type: "button",
          class: "save-picture",
          on: { click: make((made) => saveFile(made, made.name)) },
        },
        icon("save"),
        t("Save the picture"),
      ),
      canShare &&
        h(
          "button",
          {
            type: "button",
            on: { click: make((made) => navigator.share({ files: [made], title: caption })) },
          },
          icon("share"),
          t("Share the picture"),
        ),
    ),
  );
}

/**
 * The drawing with its caption, as PNG.
 * @param {HTMLImageElement} image
 * @param {string} caption
 * @returns {Promise<Blob>}
 */
async function pixels(image, caption) {
  await image.decode();
  const canvas = document.createElement("canvas");
  const brush = canvas.getContext("2d");
  if (!brush) throw new Error("no canvas");
  const high = (WIDTH * (image.naturalHeight || 1)) / (image.naturalWidth || 1);
  const font = `600 ${LINE}px system-ui, sans-serif`;
  const lines = wrapText(brush, caption, font, WIDTH - 2 * MARGIN);
  canvas.width = WIDTH;
  canvas.height = Math.ceil(high + LEADING * lines.length + 2 * MARGIN);
  brush.fillStyle = "#f6f2e8";
  brush.fillRect(0, 0, canvas.width, canvas.height);
  brush.drawImage(image, 0, 0, WIDTH, high);
  brush.fillStyle = "#1b2130";
  brush.font = font;
  lines.forEach((line, at) =>
    brush.fillText(line, MARGIN, high + MARGIN / 2 + LINE + at * LEADING),
  );
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"),
  );
}
