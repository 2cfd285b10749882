/** A feed and a calendar at secret addresses, which are shown once and can be revoked. */

import { fill, h } from "../../core/dom.js";
import { endFeed, makeFeed } from "../../net/calls.js";
import { attempt, problemLine } from "../../club/attempt.js";
import { closeDialog, openDialog } from "../../ui/dialog.js";
import { icon } from "../../ui/icons.js";
import { shareField } from "../../ui/share-link.js";
import { dayText, t } from "../../words/i18n.js";

/** @typedef {import("../../net/protocol.js").FeedName} FeedName */

/** @param {import("../../net/protocol.js").Calls} calls */
export function feedsCard({ feeds }) {
  const made = (/** @type {FeedName} */ kind) =>
    feeds.find((feed) => feed.kind === kind)?.created_at ?? null;
  return h(
    "section",
    { class: "card feeds-card", "aria-labelledby": "feeds-title" },
    h("h2", { id: "feeds-title" }, icon("list"), t("Feed and calendar")),
    h("p", {}, t("For programs that look themselves, at an address that only you know.")),
    feedPart("feed", t("Feed of my turns"), t("Atom, for a feed reader."), made("feed")),
    feedPart(
      "calendar",
      t("Calendar of my turns"),
      t("Each game is in it when its time is over."),
      made("calendar"),
    ),
  );
}

/**
 * @param {FeedName} kind
 * @param {string} title
 * @param {string} about
 * @param {string | null} created
 */
function feedPart(kind, title, about, created) {
  const part = h("div", { class: "feed", "data-feed": kind });
  draw(created);

  /** @param {string | null} since */
  function draw(since) {
    const problem = problemLine();
    const make = attempt(problem, async () => {
      const { url } = await makeFeed(kind);
      draw(new Date().toISOString());
      showAddress(title, url);
    });
    const revoke = attempt(problem, async () => {
      await endFeed(kind);
      draw(null);
      /** @type {HTMLElement | null} */ (part.querySelector("button"))?.focus();
    });
    fill(
      part,
      h(
        "p",
        { class: "contact-words" },
        h("strong", {}, title),
        h(
          "span",
          { class: "muted" },
          since ? t("There is an address since {day}.", { day: dayText(since) }) : about,
        ),
      ),
      h(
        "div",
        { class: "actions" },
        h(
          "button",
          { type: "button", class: "small make-feed", on: { click: make } },
          since ? t("New address") : t("Make an address"),
        ),
        since &&
          h(
            "button",
            { type: "button", class: "small end-feed", on: { click: revoke } },
            t("Revoke"),
          ),
      ),
      problem,
    );
  }
  return part;
}

/**
 * @param {string} title
 * @param {string} url
 */
function showAddress(title, url) {
  openDialog(title, [
    h(
      "p",
      {},
      t(
        "Whoever has this address sees your games. It is shown only now, and one from before ends.",
      ),
    ),
    shareField(title, url),
    h(
      "button",
      { type: "button", class: "primary", on: { click: closeDialog } },
      t("I have kept it"),
    ),
  ]);
}
