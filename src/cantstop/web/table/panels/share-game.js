/** A game as a picture to send: its own headline, who, the score, every turn, the last board; and a link. */

import { h } from "../../core/dom.js";
import { shareAddress } from "../../core/paths.js";
import { useStyle } from "../../core/styles.js";
import { saveFile } from "../../device/save-file.js";
import { tableStory } from "../../insight/review/fetch.js";
import { isOnDevice } from "../../net/api.js";
import { openDialog, toast } from "../../ui/dialog.js";
import { addressOfDrawing, pixelsOf } from "../../ui/drawing.js";
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
        src: addressOfDrawing(source),
      }),
      pictureButtons(source, `${headline.text} ${url}`),
      shareField(linkLabel(state), url),
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
 * A game on this device can be seen nowhere else: its link leads to where one can play.
 * @param {State} state
 */
function addressOf({ id, daily }) {
  if (daily) return shareAddress(`/daily?day=${daily.day}`);
  return shareAddress(isOnDevice(id) ? "/" : `/t/${id}?play=1`);
}

/** @param {State} state */
function linkLabel({ id, daily }) {
  if (daily) return t("Link to the daily game");
  return isOnDevice(id) ? t("Link to Can’t Stop") : t("Link to the replay");
}
