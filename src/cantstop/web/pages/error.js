/** Error pages: not found, table gone, server unreachable. */

import { h } from "../core/dom.js";
import { link } from "../core/router.js";
import { die } from "../board/dice.js";
import { isOnDevice } from "../net/api.js";
import { pageFrame } from "../ui/layout.js";
import { t } from "../words/i18n.js";

/**
 * @param {string} title
 * @param {string} text
 * @param {HTMLElement} [more]
 * @returns {import("../core/router.js").Page}
 */
function errorPage(title, text, more) {
  const element = pageFrame("problem", [
    h("div", { class: "problem-dice" }, die(1), die(1)),
    h("h1", { tabindex: -1 }, title),
    h("p", { class: "lead" }, text),
    h(
      "p",
      { class: "actions" },
      more,
      link("/", { class: "button primary" }, t("Go to the start page")),
    ),
  ]);
  return { title, element };
}

/** There is nothing at this address. */
export function notFoundPage() {
  return errorPage(
    t("There is nothing here"),
    t("The address may be mistyped, or the page is gone."),
  );
}

/**
 * Why a table does not open: an error of the server or of the device, or the code of a connection.
 * @param {string} id
 * @param {Error & {code: string} | string | number} reason
 */
export function tableErrorPage(id, reason) {
  const code = typeof reason === "object" ? reason.code : reason;
  if (isOnDevice(id) && typeof reason === "object")
    return errorPage(
      t("This game cannot be shown"),
      reason.message,
      link("/games", { class: "button" }, t("My games")),
    );
  if (code === 4410 || code === "table-expired") {
    return errorPage(
      t("This table is gone"),
      t("Tables that nobody has played at for a long time are cleared away."),
    );
  }
  if (code === "offline") {
    return errorPage(
      t("The server does not answer"),
      t("Check the connection; the page will work again once the server does."),
    );
  }
  return errorPage(
    t("There is no such table"),
    t("Look at the link again: maybe a letter got lost on the way."),
  );
}
