/** The table's menu: rules in force, links, the log, keys, language and theme; and the reactions. */

import { h } from "../../core/dom.js";
import { prefs, remember } from "../../core/prefs.js";
import { parseRules } from "../../core/rules.js";
import { link } from "../../core/router.js";
import { myGame } from "../../core/saved-games.js";
import { fetchOffers, isOnDevice } from "../../net/api.js";
import { takeBackSeat } from "../../net/state.js";
import { mayHaveTutor } from "../turn/advice.js";
import { logList } from "./event-log.js";
import { reactionBar } from "./reactions.js";
import { resignButton } from "./resign.js";
import { scoreLine } from "./score.js";
import { deviceDiceText, ownDiceText } from "./own-dice.js";
import { boundSeats, isGradual, isOurs } from "../../net/salts.js";
import { saltList, sealNote } from "./sealed-dice.js";
import { showKeys } from "../../board/keys-help.js";
import { analysisPath } from "../../core/paths.js";
import { useStyle } from "../../core/styles.js";
import { closeDialog, openDialog, toast } from "../../ui/dialog.js";
import { icon } from "../../ui/icons.js";
import { boardButton, languageChoice, themeButton } from "../../ui/layout.js";
import { paceChoice, tutorChoice } from "../../ui/preference-choices.js";
import { shareField } from "../../ui/share-link.js";
import { t } from "../../words/i18n.js";
import { editionTitle, rulesText } from "../../words/rules-text.js";
import { parText } from "../../words/sentences.js";
import { paceText } from "../../words/time-left.js";

useStyle("forms");
useStyle("menu");

/** @typedef {import("../../net/session.js").Session} Session */
/** @typedef {import("../../net/state.js").State} State */

/** @param {Session} session */
export function showMenu(session) {
  const state = /** @type {State} */ (session.state);
  const address = `${location.origin}/t/${session.id}`;
  openDialog(t("Table"), [
    rulesInForce(state),
    scoreLine(state),
    state.mode === "online" &&
      part(t("Link to watch or join"), shareField(t("Link to watch or join"), address)),
    deviceLink(session, address),
    session.mine.length > 0 && state.mode !== "solo" && callSettings(),
    sealNote(state.commitment, false, state.daily, saltList(state)),
    state.dice === "entered" && h("p", { class: "own-dice" }, ownDiceText()),
    state.dice === "device" && h("p", { class: "own-dice" }, deviceDiceText()),
    state.seats.some(({ bot }) => bot) &&
      session.mine.length > 0 &&
      paceChoice(() => session.updatePace()),
    state.stage === "playing" && session.mine.length > 0 && mayHaveTutor(state) && tutorChoice(),
    h(
      "details",
      { class: "log" },
      h("summary", {}, icon("list"), h("span", {}, t("What happened"))),
      logList(state),
    ),
    h(
      "div",
      { class: "menu-links" },
      item(link("/rules", {}, icon("book"), t("Rules"))),
      state.n > 0 &&
        item(link(`/t/${session.id}?n=${state.n}`, {}, icon("play"), t("Step through the game"))),
      (state.stage === "over" || state.hints) &&
        item(
          link(analysisPath(state.view.position), {}, icon("search"), t("Analyse the position")),
        ),
      item(
        h(
          "a",
          { href: `/api/tables/${session.id}/record`, download: true },
          icon("save"),
          t("Download the record"),
        ),
      ),
      item(h("button", { type: "button", on: { click: showKeys } }, icon("keys"), t("Keys"))),
      takeBackItem(session, state),
      resignButton(session, state),
      item(link("/", {}, icon("home"), t("Leave the table"))),
    ),
    h("div", { class: "menu-tools" }, languageChoice(), boardButton(), themeButton()),
  ]);
}

/**
 * @param {Session} session
 * @param {State} state
 */
function takeBackItem(session, state) {
  const seat = takeBackSeat(state, session.mine);
  if (seat === null) return null;
  const takeBack = () => {
    closeDialog();
    session.act({ kind: "takeback", seat });
  };
  return item(
    h("button", { type: "button", on: { click: takeBack } }, icon("undo"), t("Take back")),
  );
}

/** @param {HTMLElement} element */
function item(element) {
  element.classList.add("menu-item");
  if (element instanceof HTMLAnchorElement) element.addEventListener("click", closeDialog);
  return element;
}

/**
 * @param {string} title
 * @param {...(import("../../core/dom.js").Child)} content
 */
function part(title, ...content) {
  return h("section", { class: "menu-part" }, h("h3", {}, title), content);
}

/** How to be called back from another tab. The browser is asked only by whoever wants it. */
function callSettings() {
  const sound = h("input", {
    type: "checkbox",
    "data-field": "turn-sound",
    checked: prefs().turnSound,
    on: { change: () => remember({ turnSound: sound.checked }) },
  });
  const notice = h("input", {
    type: "checkbox",
    "data-field": "turn-notice",
    checked: prefs().turnNotice,
    on: {
      change: async () => {
        const allowed =
          notice.checked && (await (await import("../../device/notifications.js")).mayNotify());
        if (notice.checked && !allowed)
          toast(t("The browser does not allow notifications from this page."), "bad");
        notice.checked = allowed;
        remember({ turnNotice: allowed });
      },
    },
  });
  return part(
    t("When it is your turn and you are in another tab"),
    h("label", { class: "check" }, sound, h("span", {}, t("Play a sound"))),
    "Notification" in window &&
      h("label", { class: "check" }, notice, h("span", {}, t("Show a notification"))),
  );
}

/**
 * A seat that the player's key holds needs no link: another device has a key of its own.
 * @param {Session} session
 * @param {string} address
 */
function deviceLink(session, address) {
  const secret = myGame(session.id)?.secret;
  if (!secret || isOnDevice(session.id)) return null;
  const state = /** @type {State} */ (session.state);
  const bound = boundSeats(state);
  const owed = isGradual(state) && session.mine.some((seat) => isOurs(bound[seat], session.salt));
  const url = `${address}#seat=${secret}${owed ? `&salt=${session.salt}` : ""}`;
  return h(
    "details",
    { class: "device-link" },
    h("summary", {}, icon("device"), h("span", {}, t("Continue on another device"))),
    h("p", {}, t("Open this link there, and only there: whoever has it plays in your place.")),
    shareField(t("Secret link to your seat"), url),
  );
}

/**
 * The faces to choose from, over the top bar; a choice, Escape or a click elsewhere closes them.
 * @param {Session} session
 * @param {Event} event
 */
export async function showReactions(session, event) {
  const button = /** @type {HTMLElement | null} */ (
    /** @type {Element} */ (event.target).closest("button")
  );
  const { reactions } = await fetchOffers();
  const { ownSeat } = session;
  const popup = h(
    "div",
    { class: "reaction-popup" },
    ownSeat === null
      ? h("p", { tabindex: -1 }, t("Take a seat to react."))
      : reactionBar(reactions, (reaction) => {
          session.act({ kind: "react", seat: ownSeat, reaction });
          close();
        }),
  );
  const listening = new AbortController();
  function close() {
    listening.abort();
    popup.remove();
    button?.focus();
  }
  /** @param {Event} event */
  const outside = ({ target }) => {
    if (!popup.contains(/** @type {Node | null} */ (target))) {
      listening.abort();
      popup.remove();
    }
  };
  document.querySelector(".reaction-popup")?.remove();
  button?.closest(".tools")?.append(popup);
  for (const kind of ["pointerdown", "focusin"])
    document.addEventListener(kind, outside, { signal: listening.signal });
  popup.addEventListener("keydown", ({ key }) => key === "Escape" && close());
  /** @type {HTMLElement | null} */ (popup.querySelector("button, p"))?.focus();
}

/** @param {import("../../net/state.js").State} state */
function rulesInForce(state) {
  const parts = [rulesText(parseRules(state.rules))];
  if (state.par !== null) parts.push(parText(state));
  if (state.days) parts.push(paceText(state.days));
  return h(
    "p",
    { class: "in-force" },
    h("strong", {}, rulesTitle(state)),
    " · ",
    parts.join(" · "),
  );
}

/** @param {import("../../net/state.js").State} state */
function rulesTitle({ edition, lesson, mode }) {
  if (lesson) return t("Tutorial");
  return mode === "solo" ? t("Solo") : editionTitle(edition);
}
