/** What the start page says of the server: who runs it; or, of static files, where online tables are. */

import { h } from "../core/dom.js";
import { isSite } from "../core/site.js";
import { t } from "../words/i18n.js";

/**
 * @param {HTMLElement} line
 * @param {string | null | undefined} notice  the address of the operator's own page
 */
export function fillImprint(line, notice) {
  line.append(...(isSite ? serverOfSite() : []));
  if (!notice) return;
  const text = t("Who runs this server, and what it keeps about you");
  line.append(h("a", { href: notice, "data-imprint": "" }, text));
}

/** @returns {(Node | string)[]} */
function serverOfSite() {
  const server = document.head.querySelector('meta[name="server"]')?.getAttribute("content");
  if (!server)
    return [
      t("No server belongs to this page: all games are played on this device, and stay there."),
    ];
  const name = new URL(server).host;
  return [t("Online tables are on another server:"), " ", h("a", { href: server }, name)];
}
