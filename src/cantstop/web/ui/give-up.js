/** Taking a game off this device's list: a seat that is still played is asked about, and all can be undone. */

import { h } from "../core/dom.js";
import { forgetGame, myGames, restoreGame } from "../core/saved-games.js";
import { askDevice } from "../local/device.js";
import { isOnDevice } from "../net/api.js";
import { openDialog, toast } from "./dialog.js";
import { t } from "../words/i18n.js";

/** @typedef {import("../core/saved-games.js").Game} Game */

/**
 * @param {Game} game
 * @param {string} names  who plays
 * @param {HTMLElement} row  of the list
 */
export function removeGame(game, names, row) {
  if (game.secret === null || game.stage === "over") forget(game, names, row);
  else ask(names, () => forget(game, names, row));
}

/**
 * @param {string} names
 * @param {() => void} onYes
 */
function ask(names, onYes) {
  const yes = () => {
    dialog.close();
    onYes();
  };
  const dialog = openDialog(t("Give up your seat?"), [
    h("p", {}, h("strong", {}, names)),
    h(
      "p",
      {},
      t("Only this device holds your seat. Without it you can watch this game, but not play on."),
    ),
    h(
      "div",
      { class: "actions" },
      h(
        "button",
        { type: "button", class: "primary", autofocus: true, on: { click: () => dialog.close() } },
        t("Keep the seat"),
      ),
      h("button", { type: "button", class: "give-up", on: { click: yes } }, t("Give it up")),
    ),
  ]);
}

/**
 * The row stays until the page is left, so that the game can be taken back.
 * @param {Game} game
 * @param {string} names
 * @param {HTMLElement} row
 */
async function forget(game, names, row) {
  const events = isOnDevice(game.id) ? await forgottenEvents(game.id) : null;
  const place = myGames().findIndex(({ id }) => id === game.id);
  forgetGame(game.id);
  const undo = h(
    "button",
    {
      type: "button",
      class: "small undo",
      on: {
        click: async () => {
          try {
            if (events) await askDevice("play", "importTables", { [game.id]: events });
          } catch (error) {
            return toast(/** @type {Error} */ (error).message, "bad");
          }
          restoreGame(game, place);
          gone.replaceWith(row);
          row.querySelector("a")?.focus();
        },
      },
    },
    t("Undo"),
  );
  const gone = h(
    "li",
    { class: "game-row gone" },
    h("span", { class: "muted", role: "status" }, t("Removed: {names}", { names })),
    undo,
  );
  row.replaceWith(gone);
  undo.focus();
}

/**
 * The events of a game that this device keeps no longer; null where it kept none.
 * @param {string} id
 */
async function forgottenEvents(id) {
  try {
    return await askDevice("play", "forget", id);
  } catch {
    return null;
  }
}
