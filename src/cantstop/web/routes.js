/** Which page is at which address, and the two that are shown where none of them can be. */

import { h } from "./core/dom.js";
import { t } from "./words/i18n.js";

/** @typedef {import("./core/router.js").Page} Page */

/**
 * Every page with its address. The server reads this table too: it answers at these addresses, and
 * tells the browser to load what a page consists of along with it.
 * @type {import("./core/router.js").Routes["pages"]}
 */
const PAGES = [
  ["/", () => import("./pages/start.js")],
  ["/new", () => import("./pages/new-game/page.js")],
  ["/t/{table_id}", () => import("./pages/table.js")],
  ["/t/{table_id}/review", () => import("./pages/review.js")],
  ["/review", () => import("./pages/review.js")],
  ["/rules", () => import("./pages/rules.js")],
  ["/learn", () => import("./pages/learn.js")],
  ["/ladder", () => import("./pages/ladder.js")],
  ["/me", () => import("./pages/me.js")],
  ["/notifications", () => import("./pages/notifications/page.js")],
  ["/turns", () => import("./pages/turns.js")],
  ["/players", () => import("./pages/players.js")],
  ["/players/{name}", () => import("./pages/player.js")],
  ["/games", () => import("./pages/games.js")],
  ["/daily", () => import("./pages/daily.js")],
  ["/verify", () => import("./pages/verify.js")],
  ["/analysis", () => import("./insight/analysis.js")],
  ["/odds", () => import("./insight/odds.js")],
  ["/guide", () => import("./insight/guide.js")],
  ["/guide/card", () => import("./insight/guide-card.js")],
  ["/drill", () => import("./insight/drills/page.js")],
];

/**
 * The page for when not even the app's own files can be loaded.
 * @returns {Page}
 */
function brokenPage() {
  const title = t("The server does not answer");
  const again = h(
    "button",
    { type: "button", class: "primary", on: { click: () => location.reload() } },
    t("Try again"),
  );
  return {
    title,
    element: h("main", { class: "content" }, h("h1", { tabindex: -1 }, title), h("p", {}, again)),
  };
}

/** @returns {import("./core/router.js").Routes} */
export function routes() {
  return {
    pages: PAGES,
    notFound: async () => (await import("./pages/error.js")).notFoundPage(),
    broken: brokenPage,
  };
}
