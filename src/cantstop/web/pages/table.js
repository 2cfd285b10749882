// @ts-check
/** The page of a table: finds this device's seat, connects, and puts the table on screen. */

import { iconButton, pageFrame, soundButton } from "../chrome.js";
import { h } from "../dom.js";
import { toast } from "../dialog.js";
import { t } from "../i18n.js";
import { myGame, noteGame, noteState } from "../mygames.js";
import { redraw } from "../router.js";
import { seatName } from "../say.js";
import { Session } from "../session.js";
import { tableView } from "../table/view.js";

/** @type {Session | null} the one line to the table on screen, whoever draws it */
let session = null;

/**
 * @param {import("../router.js").Place} place
 * @returns {Promise<import("../router.js").Page>}
 */
export default async function tablePage({ id, query }) {
  takeSeatFromLink(id);
  if (query.has("n")) return (await import("./replay.js")).replayPage(id, Number(query.get("n")));
  const rejected = await connected(id);
  const here = session;
  const state = here?.state;
  if (!here || !state) return (await import("./problem.js")).noTable(rejected ?? "offline");
  noteState(state);
  const view = tableView(here, () => redraw());
  here.drawers += 1;
  return {
    title: state.seats.map((seat, index) => (seat.name ? seatName(seat, index) : "…")).join(" – "),
    element: pageFrame(
      "table",
      [h("h1", { class: "sr-only", tabindex: -1 }, t("Table")), view.element],
      tools(here),
    ),
    leave() {
      view.leave();
      here.drawers -= 1;
      if (here.drawers === 0) here.close(); // else the same table is drawn anew
    },
  };
}

/**
 * A link with a seat's secret moves the seat to this device; the address bar must not keep it.
 * @param {string} id
 */
function takeSeatFromLink(id) {
  const secret = new URLSearchParams(location.hash.slice(1)).get("seat");
  if (secret === null) return;
  history.replaceState(null, "", location.pathname + location.search);
  noteGame(id, { secret });
}

/**
 * Connect unless that has been done. Returns why it failed, if it did for good.
 * @param {string} id
 * @returns {Promise<number | null>}
 */
async function connected(id) {
  if (!myGame(id)) noteGame(id, {});
  const { secret = null, salt = "" } = myGame(id) ?? {};
  if (session?.id === id && session.secret === secret && session.status !== "closed") return null;
  session = new Session(id, secret, salt);
  const code = await session.ready;
  if (code === 4403 && secret !== null) {
    noteGame(id, { secret: null });
    toast(t("This link does not hold a seat any more. You can watch."), "bad");
    return connected(id);
  }
  return code;
}

/** @param {Session} open */
function tools(open) {
  return [
    iconButton("smile", t("React"), async (event) =>
      (await import("../table/menu.js")).showReactions(open, event),
    ),
    soundButton(),
    iconButton("menu", t("Menu"), async () => (await import("../table/menu.js")).showMenu(open)),
  ];
}
