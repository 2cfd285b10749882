/** The card of the strategy guide on a page of its own, to be printed. */

import { h } from "../core/dom.js";
import { link } from "../core/router.js";
import { pageFrame } from "../ui/layout.js";
import { t } from "../words/i18n.js";
import { cardElement, fetchGuide } from "./guide.js";

/** @returns {Promise<import("../core/router.js").Page>} */
export default async function guideCardPage() {
  const { card } = await fetchGuide();
  const element = pageFrame("guide-card", [
    cardElement(card, "h1"),
    h(
      "p",
      { class: "actions" },
      h(
        "button",
        { type: "button", class: "primary", on: { click: () => window.print() } },
        t("Print"),
      ),
      link("/guide", { class: "button" }, t("Strategy guide")),
    ),
  ]);
  return { title: card.title, element };
}
