/** Notifications of one's turn in games over days, and when one has time for these. */

import { h } from "../../core/dom.js";
import { knownPlayer } from "../../core/player-key.js";
import { link } from "../../core/router.js";
import { isSite } from "../../core/site.js";
import { useStyle } from "../../core/styles.js";
import { fetchCalls, fetchHours } from "../../net/calls.js";
import { icon } from "../../ui/icons.js";
import { pageFrame } from "../../ui/layout.js";
import { t } from "../../words/i18n.js";
import { awayCard } from "./away.js";
import { contactsCard } from "./contacts.js";
import { feedsCard } from "./feeds.js";
import { hoursCard } from "./hours.js";
import { pushCard } from "./push-card.js";
import { remindersCard } from "./reminders.js";

useStyle("forms");
useStyle("notifications");

/** @returns {Promise<import("../../core/router.js").Page>} */
export default async function notificationsPage() {
  if (isSite) return (await import("../error.js")).notFoundPage();
  const title = t("Notifications");
  const { shown, look } = await parts();
  const visible = () => document.hidden || look?.();
  document.addEventListener("visibilitychange", visible);
  const element = pageFrame("notifications", [
    h("h1", { tabindex: -1 }, title),
    h(
      "p",
      { class: "lead" },
      t(
        "For games over days: you are told when it is your turn, and not while you look at the table.",
      ),
    ),
    shown,
    h("p", {}, link("/turns", { class: "button" }, icon("clock"), t("My turn"))),
  ]);
  return {
    title,
    element,
    leave: () => document.removeEventListener("visibilitychange", visible),
  };
}

/**
 * What is on the page, and how to have it look for what was decided elsewhere.
 * @returns {Promise<{shown: HTMLElement, look?: () => void}>}
 */
async function parts() {
  if (!knownPlayer()) return { shown: noProfile() };
  try {
    const [calls, hours] = await Promise.all([fetchCalls(), fetchHours()]);
    const contacts = contactsCard(calls);
    const shown = h(
      "div",
      { class: "notification-parts" },
      h("div", {}, pushCard(calls), contacts?.element, feedsCard(calls)), // where
      h("div", {}, remindersCard(calls), hoursCard(hours), awayCard(hours)), // when
    );
    return { shown, look: contacts?.look };
  } catch (error) {
    if (!knownPlayer()) return { shown: noProfile() }; // the key is nobody's any more
    const { message } = /** @type {Error} */ (error);
    return { shown: h("p", { class: "problem", role: "alert" }, message) };
  }
}

function noProfile() {
  return h(
    "div",
    { class: "empty card" },
    icon("bell"),
    h(
      "p",
      {},
      t("A profile on this server can be told when it is your turn. It takes a name and one tap."),
    ),
    link("/me", { class: "button primary" }, t("Begin a profile")),
  );
}
