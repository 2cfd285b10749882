/** Why a bot takes long on a server that was just installed: what it thinks with is compiled first. */

import { h, setAttribute, write } from "../../core/dom.js";
import { fetchCompiling } from "../../net/api.js";
import { t } from "../../words/i18n.js";

/** @typedef {import("../../net/session.js").Session} Session */
/** @typedef {import("../../net/state.js").State} State */

/** A bot that has done nothing for so many milliseconds makes people wonder. */
const PATIENCE = 3000;
const AGAIN = 2000;

/** @param {Session} session */
export function createPreparing(session) {
  const element = h("p", { class: "notice preparing", role: "status", hidden: true });
  let waiting = -1;
  let timer = 0;

  /** @param {number} n  the event after which the bot should act */
  async function ask(n) {
    const share = await fetchCompiling().catch(() => null);
    if (n !== waiting) return;
    setAttribute(element, "hidden", share === null);
    if (share === null) return;
    const percent = Math.round(100 * share);
    const text = t(
      "This server is getting its strong bots ready, once after each installation: {percent}%",
      { percent },
    );
    write(element, text);
    timer = window.setTimeout(ask, AGAIN, n);
  }

  return {
    element,
    /** @param {State} state */
    update(state) {
      const seat = state.stage === "playing" ? state.seats[state.view.seat] : null;
      const now = seat?.bot && session.status === "open" ? state.n : -1;
      if (now === waiting) return;
      waiting = now;
      window.clearTimeout(timer);
      setAttribute(element, "hidden", true);
      if (now >= 0) timer = window.setTimeout(ask, PATIENCE, now);
    },
    leave() {
      waiting = -1;
      window.clearTimeout(timer);
    },
  };
}
