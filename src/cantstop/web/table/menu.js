// @ts-check
/** The table's menu: links, the log, the seal, keys, language and looks; and the reactions. */

import { languageChoice, themeButton } from "../chrome.js";
import { closeDialog, openDialog } from "../dialog.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import { link } from "../router.js";
import { eventText } from "../say.js";
import { offer } from "../settings.js";
import { shareField } from "../share.js";
import { showKeys } from "./keys.js";
import { reactionBar } from "./reactions.js";
import { rulesInForce } from "./inforce.js";
import { sealNote } from "./trust.js";

/** @typedef {import("../session.js").Session} Session */
/** @typedef {import("../types.js").State} State */

/** @param {Session} session */
export function showMenu(session) {
  const state = /** @type {State} */ (session.state);
  const address = `${location.origin}/t/${session.id}`;
  openDialog(t("Table"), [
    rulesInForce(state),
    state.mode === "online" &&
      part(t("Link to watch or join"), shareField(t("Link to watch or join"), address)),
    session.secret !== null && deviceLink(session, address),
    sealNote(state.commitment),
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
      item(
        h(
          "a",
          { href: `/api/tables/${session.id}/record`, download: true },
          icon("save"),
          t("Download the record"),
        ),
      ),
      item(h("button", { type: "button", on: { click: showKeys } }, icon("keys"), t("Keys"))),
      item(link("/", {}, icon("home"), t("Leave the table"))),
    ),
    h("div", { class: "menu-tools" }, languageChoice(), themeButton()),
  ]);
}

/** @param {HTMLElement} element */
function item(element) {
  element.classList.add("menu-item");
  if (element instanceof HTMLAnchorElement) element.addEventListener("click", closeDialog);
  return element;
}

/**
 * @param {string} title
 * @param {...(import("../dom.js").Child)} content
 */
function part(title, ...content) {
  return h("section", { class: "menu-part" }, h("h3", {}, title), content);
}

/**
 * @param {Session} session
 * @param {string} address
 */
function deviceLink(session, address) {
  const url = `${address}#seat=${session.secret}`;
  return h(
    "details",
    { class: "device-link" },
    h("summary", {}, icon("device"), h("span", {}, t("Go on with another device"))),
    h("p", {}, t("Open this link there, and only there: whoever has it plays in your place.")),
    shareField(t("Secret link to your seat"), url),
  );
}

/** @param {State} state */
function logList(state) {
  const lines = state.log.map((event) => eventText(event, state)).filter(Boolean);
  return h(
    "ol",
    { class: "log-lines", reversed: true },
    lines.reverse().map((line) => h("li", {}, line)),
  );
}

/**
 * @param {Session} session
 * @param {Event} event
 */
export async function showReactions(session, event) {
  const open = document.querySelector(".reaction-popup");
  if (open) return open.remove();
  const { reactions } = await offer();
  const popup = h("div", { class: "reaction-popup" });
  const { voice } = session;
  popup.append(
    voice === null
      ? h("p", {}, t("Take a seat to react."))
      : reactionBar(reactions, (reaction) => {
          session.act({ kind: "react", seat: voice, reaction });
          popup.remove();
        }),
  );
  popup.addEventListener("keydown", ({ key }) => key === "Escape" && popup.remove());
  /** @type {HTMLElement | null} */ (event.target)?.closest(".tools")?.append(popup);
  popup.querySelector("button")?.focus();
  return undefined;
}
