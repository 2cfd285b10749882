/** What the device says where something cannot be done, by the names that the worker has for it. */

import { t } from "../words/i18n.js";

/** @param {string} name */
export function sentence(name) {
  switch (name) {
    case "over":
      return t("The game is over.");
    case "not-your-turn":
      return t("It is not your turn.");
    case "stale":
      return t("The game has gone on since; look again.");
    case "storage-full":
      return t(
        "This device has no room left: the game goes on, but it is kept only while this page is open.",
      );
    case "no-storage":
      return t(
        "This browser saves nothing here: the game goes on, but it is kept only while this page is open.",
      );
    case "unreadable":
      return t("This browser does not let the page read the games that it keeps.");
    case "damaged":
      return t("What this device keeps of this game is damaged.");
    case "table-unknown":
      return t("This game is not on this device any more.");
    case "needs-server":
      return t("This needs a server, and none can be reached now.");
    case "no-drill":
      return t("There is no such drill.");
    case "files-missing":
      return t("A part of the app is missing here. Load the page again while you are online.");
    case "impossible":
      return t("No game can come to this position.");
    case "too-large":
      return t("This board is too large for this device.");
    case "bad-file":
      return t("This is neither a file nor a code of this page.");
    case "bad-name":
      return t("A name has 1 to {most} printable characters.", { most: 24 });
    default:
      return t("This is not possible now.");
  }
}
