/** Notifications on this device: asked for by a tap only, with what it takes on each kind of phone. */

import { fill, h } from "../../core/dom.js";
import { knownPlayer } from "../../core/player-key.js";
import { beginPush, endPush, isPushLost, pushSupport } from "../../device/push.js";
import { addPush, removeContact } from "../../net/calls.js";
import { attempt, problemLine } from "../../club/attempt.js";
import { icon } from "../../ui/icons.js";
import { t } from "../../words/i18n.js";
import { stateLine, testButton } from "./contact-row.js";

/** @typedef {import("../../net/protocol.js").Calls} Calls */
/** @typedef {import("../../net/protocol.js").ContactView} ContactView */

/** @param {Calls} calls */
export function pushCard({ offers, contacts }) {
  const card = h("section", { class: "card push-card", "aria-labelledby": "push-title" });
  const serverKey = offers.push;
  const mine = contacts.find(({ channel, this: here }) => channel === "push" && here) ?? null;
  if (serverKey === null) return null;
  draw(card, serverKey, mine);
  if (mine) renew(serverKey).catch(() => {}); // it is tried again with the next visit
  return card;
}

/**
 * A browser may have dropped its subscription; where notifications are still allowed it has a new one.
 * @param {string} serverKey
 */
async function renew(serverKey) {
  if (await isPushLost()) await begin(serverKey);
}

/**
 * @param {string} serverKey
 * @returns {Promise<ContactView | null>}
 */
async function begin(serverKey) {
  const subscription = await beginPush(serverKey, knownPlayer()?.key ?? "");
  return subscription && addPush(subscription);
}

/**
 * @param {HTMLElement} card
 * @param {string} serverKey
 * @param {ContactView | null} mine
 */
function draw(card, serverKey, mine) {
  const title = h("h2", { id: "push-title" }, icon("bell"), t("On this device"));
  const support = pushSupport();
  if (support === "ready" && mine) fill(card, title, shown(card, serverKey, mine));
  else if (support === "ready") fill(card, title, offer(card, serverKey));
  else fill(card, title, obstacle(support), mine && switchOff(card, serverKey, mine));
}

/**
 * @param {HTMLElement} card
 * @param {string} serverKey
 */
function offer(card, serverKey) {
  const problem = problemLine();
  const start = attempt(problem, async () => {
    let contact;
    try {
      contact = await begin(serverKey);
    } catch (error) {
      if (error instanceof DOMException)
        throw new Error(
          t(
            "The push service of this browser does not answer. Try again later, or choose another way below.",
          ),
          { cause: error },
        );
      throw error;
    }
    draw(card, serverKey, contact);
    if (!contact) fill(problem, t("You have not allowed notifications, so there are none here."));
    /** @type {HTMLElement | null} */ (card.querySelector("button"))?.focus();
  });
  return [
    h(
      "p",
      {},
      t(
        "A notification when it is your turn, also while this page is closed. The browser asks you first.",
      ),
    ),
    h(
      "button",
      { type: "button", class: "primary begin-push", on: { click: start } },
      icon("bell"),
      t("Notify me here"),
    ),
    problem,
  ];
}

/**
 * @param {HTMLElement} card
 * @param {string} serverKey
 * @param {ContactView} mine
 */
function shown(card, serverKey, mine) {
  return [
    h("p", { class: "push-on" }, icon("check"), h("span", {}, t("Notifications are on."))),
    stateLine(mine),
    switchOff(card, serverKey, mine),
  ];
}

/**
 * @param {HTMLElement} card
 * @param {string} serverKey
 * @param {ContactView} mine
 */
function switchOff(card, serverKey, mine) {
  const problem = problemLine();
  const off = attempt(problem, async () => {
    await removeContact(mine.id);
    await endPush();
    draw(card, serverKey, null);
    /** @type {HTMLElement | null} */ (card.querySelector("button"))?.focus();
  });
  return h(
    "div",
    { class: "contact-tools" },
    pushSupport() === "ready" && testButton(mine, () => draw(card, serverKey, null)),
    h("button", { type: "button", class: "small end-push", on: { click: off } }, t("Switch off")),
    problem,
  );
}

/** @param {"install" | "denied" | "none"} why */
function obstacle(why) {
  if (why === "denied")
    return h(
      "p",
      {},
      t(
        "This browser does not allow notifications from this page. You can change that in its settings for this site.",
      ),
    );
  if (why === "none")
    return h(
      "p",
      {},
      t("This browser cannot show notifications of a closed page. There are other ways below."),
    );
  return [
    h("p", {}, t("On iPhone and iPad notifications need the app on the home screen:")),
    h(
      "ol",
      { class: "install-steps" },
      h("li", {}, t("In Safari, tap Share, then “Add to Home Screen”.")),
      h(
        "li",
        {},
        t("Open Can’t Stop from there, and add this device to your profile on “My page”."),
      ),
      h("li", {}, t("Come back to this page in the app, and switch notifications on.")),
    ),
  ];
}
