/** Before the game: the link to send, who is still missing, and a seat for whoever comes. */

import { h } from "../../core/dom.js";
import { prefs } from "../../core/prefs.js";
import { link, redraw } from "../../core/router.js";
import { myGame, newSecret, saveGame } from "../../core/saved-games.js";
import { useStyle } from "../../core/styles.js";
import { postSeat } from "../../net/table-requests.js";
import { myName } from "../../net/new-table.js";
import { saltCommitment } from "../../net/salts.js";
import { saltList, sealNote } from "./sealed-dice.js";
import { icon } from "../../ui/icons.js";
import { chooseOpponent } from "../../ui/opponents.js";
import { personFields } from "../../ui/player-fields.js";
import { qrPicture } from "../../ui/qr-code.js";
import { shareField } from "../../ui/share-link.js";
import { plural, t } from "../../words/i18n.js";
import { paceText } from "../../words/time-left.js";

useStyle("lobby");

/** @typedef {import("../../net/session.js").Session} Session */

/**
 * @param {Session} session
 * @returns {HTMLElement}
 */
export function lobby(session) {
  const seats = session.state?.seats ?? [];
  const free = seats.filter((seat) => seat.kind === "open").length;
  const seated = session.mine.length > 0;
  return h(
    "section",
    { class: "lobby card" },
    free > 0 && !seated && joinForm(session),
    free > 0 && seated && invitation(session, free),
    free === 0 &&
      h("p", { class: "lead" }, t("Everybody has a seat. The game begins when all are here.")),
    session.state?.days && slowNote(session.state.days),
    session.state && sealNote(session.state.commitment, true, undefined, saltList(session.state)),
  );
}

/**
 * A game over days is played with the tab closed: who wants to be called says so here.
 * @param {number} days
 */
function slowNote(days) {
  return h(
    "div",
    { class: "slow-note" },
    h("p", {}, icon("clock"), h("span", {}, paceText(days))),
    link(
      "/notifications",
      { class: "button small" },
      icon("bell"),
      t("Tell me when it is my turn"),
    ),
  );
}

/**
 * @param {Session} session
 * @param {number} free
 */
function invitation(session, free) {
  const address = `${location.origin}/t/${session.id}`;
  const picture = qrPicture(address, t("QR code of the link"));
  // whoever sits down has all of this drawn again: for the next one the code stays open
  const open = document.querySelector(".qr[open]") !== null;
  const missing = plural(
    free,
    t("{count} seat is still free.", { count: free }),
    t("{count} seats are still free.", { count: free }),
  );
  return h(
    "div",
    { class: "invitation" },
    h("h2", {}, t("Send this link to your friends")),
    shareField(t("Link to this table"), address),
    picture &&
      h(
        "details",
        { class: "qr", open },
        h("summary", {}, h("span", {}, t("QR code for phones at this table"))),
        picture,
      ),
    h("p", { class: "muted" }, `${missing} ${t("The game begins when the last one is taken.")}`),
    h(
      "button",
      { type: "button", class: "fill-seat", on: { click: () => fillSeat(session) } },
      icon("bot"),
      t("Let a bot take a seat"),
    ),
  );
}

/**
 * A bot sits down on the first free seat.
 * @param {Session} session
 */
function fillSeat(session) {
  return chooseOpponent(null, (bot) => {
    const free = (session.state?.seats ?? []).findIndex((seat) => seat.kind === "open");
    const { ownSeat } = session;
    if (free >= 0 && ownSeat !== null) session.act({ kind: "fill", seat: ownSeat, for: free, bot });
  });
}

/**
 * The form of a session and the colours that it leaves out.
 * @type {WeakMap<Session, { taken: string, form: HTMLElement }>}
 */
const forms = new WeakMap();

/**
 * The panel is drawn again with every event; the form stays the same while it may, so that what
 * the server said to it is still there to be read.
 * @param {Session} session
 */
function joinForm(session) {
  const colours = (session.state?.seats ?? []).flatMap((seat) =>
    seat.colour === null ? [] : [seat.colour],
  );
  const taken = colours.join();
  const drawn = forms.get(session);
  if (drawn?.taken === taken) return drawn.form;
  const form = newJoinForm(session, colours);
  forms.set(session, { taken, form });
  return form;
}

/**
 * @param {Session} session
 * @param {number[]} taken
 */
function newJoinForm(session, taken) {
  const problem = h("p", { class: "problem", role: "alert" });
  const form = h(
    "form",
    { class: "join" },
    h("h2", {}, t("Take a seat")),
    personFields(taken),
    problem,
    h("button", { class: "primary wide" }, t("Sit down")),
    h("p", { class: "muted" }, t("Or just stay and watch: that needs no seat.")),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.textContent = "";
    try {
      await sitDown(session, new FormData(form));
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
    }
  });
  return form;
}

/**
 * @param {Session} session
 * @param {FormData} form
 */
async function sitDown(session, form) {
  const typed = String(form.get("name") ?? "").trim();
  const free = (session.state?.seats ?? []).findIndex((seat) => seat.kind === "open");
  const asked = myGame(session.id)?.asked ?? newSecret();
  saveGame(session.id, { asked }); // should the answer be lost, and the page with it
  const { seat, secret } = await postSeat(session.id, {
    secret: asked,
    name: typed || myName(free + 1),
    colour: Number(form.get("colour") ?? prefs().colour),
    salt_commitment: saltCommitment(session.salt),
  });
  saveGame(session.id, { secret, mine: [seat], asked: null });
  session.close();
  await redraw();
}
