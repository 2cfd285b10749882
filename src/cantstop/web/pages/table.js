/** The page of a table: finds this device's seat, connects, and puts the table on screen. */

import { h } from "../core/dom.js";
import { knownPlayer } from "../core/player-key.js";
import { redraw } from "../core/router.js";
import { myGame, saveGame, saveState } from "../core/saved-games.js";
import { fetchState, isOnDevice, seatsOf } from "../net/api.js";
import { Session } from "../net/session.js";
import { openConnection } from "../net/socket.js";
import { tableView } from "../table/view.js";
import { toast } from "../ui/dialog.js";
import { iconButton, pageFrame, soundButton } from "../ui/layout.js";
import { t } from "../words/i18n.js";
import { tableTitle } from "../words/sentences.js";

/** The close code where a secret holds no seat. */
const NO_SEAT = 4403;

/** @type {Session | null} the connection to the table on screen, shared by whoever shows it */
let session = null;

/**
 * @param {import("../core/router.js").Place} place
 * @returns {Promise<import("../core/router.js").Page>}
 */
export default async function tablePage({ id, query }) {
  takeSeatFromLink(id);
  await recoverSeat(id);
  if (query.has("n") || query.has("play")) {
    const { replayPage } = await import("./replay.js");
    return replayPage(id, Number(query.get("n") ?? 1), query.has("play"));
  }
  const rejected = await connected(id);
  const here = session;
  const state = here?.state;
  if (!here || !state)
    return (await import("./error.js")).tableErrorPage(id, rejected ?? "offline");
  saveState(state, here.mine);
  const view = tableView(here, (code) => {
    if (code === NO_SEAT) loseSeat(id);
    redraw();
  });
  here.users += 1;
  here.showMissed();
  return {
    title: tableTitle(state),
    element: pageFrame(
      "table",
      [h("h1", { class: "sr-only", tabindex: -1 }, t("Table")), view.element],
      [view.tool, ...tools(here)],
    ),
    leave() {
      view.leave();
      here.users -= 1;
      if (here.users === 0) here.close(); // else the same table is drawn anew
    },
  };
}

/**
 * A link with a seat's secret moves the seat to this device, with the salt that it still has to
 * reveal; the address bar must not keep either.
 * @param {string} id
 */
function takeSeatFromLink(id) {
  const link = new URLSearchParams(location.hash.slice(1));
  const secret = link.get("seat");
  const salt = link.get("salt");
  if (secret === null) return;
  history.replaceState(null, "", location.pathname + location.search);
  saveGame(id, { secret, mine: null, ...(salt && { salt }) });
}

/**
 * A seat was asked for, and the answer never came: it may be ours all the same.
 * @param {string} id
 */
async function recoverSeat(id) {
  const { asked, secret } = myGame(id) ?? {};
  if (!asked || secret) return;
  const mine = await seatsOf(id, asked);
  if (mine.length) saveGame(id, { secret: asked, mine, asked: null });
}

/** @param {string} id */
function loseSeat(id) {
  saveGame(id, { secret: null, mine: null });
  toast(t("This link does not hold a seat any more. You can watch."), "bad");
}

/**
 * Connect unless that has been done. Returns why it failed, if it did for good.
 * @param {string} id
 * @returns {Promise<number | import("../net/api.js").ApiError | null>}
 */
async function connected(id) {
  if (!myGame(id)) saveGame(id, {});
  const { secret: own = null, salt = "", mine = null } = myGame(id) ?? {};
  const isShown = session?.id === id && session.status !== "closed";
  if (isShown && (own === null || own === session?.secret)) return null;
  let known = null;
  try {
    known = await stateNow(id, own === null ? [] : mine);
  } catch (error) {
    session = null;
    return /** @type {import("../net/api.js").ApiError} */ (error);
  }
  const secret = own ?? (await keyOfSeat(id, known));
  const missed = known && (await missedAt(known));
  const open = await connectionOf(id);
  session = new Session(id, secret, salt, missed?.before ?? known, open, missed?.events);
  const code = await session.ready;
  if (code !== NO_SEAT || secret === null) return code;
  loseSeat(id);
  return connected(id);
}

/**
 * The key of this device's player, where they sit at a table by another of their devices; the state
 * is made that of their seat.
 * @param {string} id
 * @param {import("../net/state.js").State | null} known
 */
async function keyOfSeat(id, known) {
  const key = knownPlayer()?.key;
  if (!known || !key || isOnDevice(id)) return null;
  const seats = await seatsOf(id, key);
  if (!seats.length) return null;
  known.you = seats;
  return key;
}

/**
 * What connects to a table: on a server, or on this device.
 * @param {string} id
 */
async function connectionOf(id) {
  return isOnDevice(id)
    ? (await import("../local/connection.js")).openLocalConnection
    : openConnection;
}

/**
 * The table's state by HTTP, sooner than by the socket; null where only the socket can tell which
 * seats are this device's.
 * @param {string} id
 * @param {number[] | null} mine
 */
async function stateNow(id, mine) {
  if (!mine) return null;
  const state = await fetchState(id);
  const here = state.seats.map((seat, at) => ({
    ...seat,
    present: seat.present || mine.includes(at),
  }));
  return { ...state, seats: here, you: mine };
}

/**
 * At a slow table that waits for this player, what the others have done meanwhile is shown first.
 * @param {import("../net/state.js").State} state
 */
async function missedAt(state) {
  const waits = state.days && state.stage === "playing" && state.you.includes(state.view.seat);
  if (!waits) return null;
  try {
    return await (await import("../table/catch-up.js")).missedTurns(state);
  } catch {
    return null; // the table itself is there
  }
}

/** @param {Session} open */
function tools(open) {
  return [
    iconButton("smile", t("React"), async (event) =>
      (await import("../table/panels/menu.js")).showReactions(open, event),
    ),
    soundButton(),
    iconButton("menu", t("Menu"), async () =>
      (await import("../table/panels/menu.js")).showMenu(open),
    ),
  ];
}
