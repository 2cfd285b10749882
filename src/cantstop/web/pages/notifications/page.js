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
  const element = pageFrame("notifications", [
    h("h1", { tabindex: -1 }, title),
    h(
      "p",
      { class: "lead" },
      t(
        "For games over days: you are told when it is your turn, and not while you look at the table.",
      ),
    ),
    await parts(),
    h("p", {}, link("/turns", { class: "button" }, icon("clock"), t("My turn"))),
  ]);
  return { title, element };
}

async function parts() {
  if (!knownPlayer()) return noProfile();
  try {
    const [calls, hours] = await Promise.all([fetchCalls(), fetchHours()]);
    return h(
      "div",
      { class: "notification-parts" },
      pushCard(calls),
      contactsCard(calls),
      remindersCard(calls),
      hoursCard(hours),
      awayCard(hours),
      feedsCard(calls),
    );
  } catch (error) {
    if (!knownPlayer()) return noProfile(); // the key is nobody's any more
    return h("p", { class: "problem", role: "alert" }, /** @type {Error} */ (error).message);
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
