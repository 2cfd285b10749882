/** A game as a picture to send: its own headline, who, the score, every turn, the last board; and a link. */

import { h } from "../../core/dom.js";
import { useStyle } from "../../core/styles.js";
import { saveFile } from "../../device/save-file.js";
import { tableStory } from "../../insight/review/fetch.js";
import { openDialog, toast } from "../../ui/dialog.js";
import { pixelsOf } from "../../ui/drawing.js";
import { icon } from "../../ui/icons.js";
import { shareField } from "../../ui/share-link.js";
import { t } from "../../words/i18n.js";
import { gamePicture, HEIGHT, WIDTH } from "./game-picture.js";
import { headlineOf } from "./headline.js";

useStyle("share");

/** @typedef {import("../../net/state.js").State} State */

const FILE = "cantstop.png";

/**
 * @param {State} state  of a game that is over
 * @param {number[]} mine
 */
export async function shareGame(state, mine) {
  const story = await tableStory(state).catch(() => null);
  const headline = headlineOf(state, mine, story?.answer ?? null);
  const url = addressOf(state);
  const board = /** @type {SVGSVGElement | null} */ (document.querySelector(".table .board"));
  const picture = gamePicture(state, mine, headline, url, state.daily ? null : board);
  const source = new XMLSerializer().serializeToString(picture);
  openDialog(
    t("Share"),
    [
      h("img", {
        class: "game-picture",
        width: WIDTH,
        height: HEIGHT,
        alt: headline.text,
        src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`,
      }),
      pictureButtons(source, `${headline.text} ${url}`),
      shareField(state.daily ? t("Link to the daily game") : t("Link to the replay"), url),
    ],
    "share-game",
  );
}

/**
 * @param {string} source  of the picture
 * @param {string} text  that goes with it
 */
function pictureButtons(source, text) {
  const file = async () =>
    new File([await pixelsOf(source, WIDTH, HEIGHT)], FILE, { type: "image/png" });
  /** @param {(made: File) => unknown} use */
  const make = (use) => async () => {
    try {
      await use(await file());
    } catch (error) {
      if (/** @type {Error} */ (error).name !== "AbortError")
        toast(t("The picture could not be made here."), "bad");
    }
  };
  const canShare = navigator.canShare?.({ files: [new File([], FILE, { type: "image/png" })] });
  return h(
    "div",
    { class: "actions" },
    canShare &&
      h(
        "button",
        {
          type: "button",
          class: "primary",
          on: { click: make((made) => navigator.share({ files: [made], text })) },
        },
        icon("share"),
        t("Share the picture"),
      ),
    h(
      "button",
      {
        type: "button",
        class: "save-picture",
        on: { click: make((made) => saveFile(made, FILE)) },
      },
      icon("save"),
      t("Save the picture"),
    ),
  );
}

/**
 * A replay that begins by itself; of a daily game it would tell the dice, so others play it first.
 * @param {State} state
 */
function addressOf({ id, daily }) {
  return `${location.origin}${daily ? `/daily?day=${daily.day}` : `/t/${id}?play=1`}`;
}
