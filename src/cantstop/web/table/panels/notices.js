/** Notices at the table: connection lost, and at tables with others what these make one wait for. */

import { h, fill } from "../../core/dom.js";
import { neededPart } from "../../core/parts.js";
import { t } from "../../words/i18n.js";

/** @typedef {import("../../net/session.js").Session} Session */
/** @typedef {import("../../net/state.js").State} State */

/** @param {Session} session */
export function createNotice(session) {
  const element = h("div", { class: "notices", "aria-live": "polite" });
  let drawn = "";
  /** @type {typeof import("./online-notices.js") | null} */
  let online = null;
  let countdown = 0;
  let left = false;
  if (session.state?.mode === "online")
    neededPart(() => import("./online-notices.js")).then((part) => {
      if (left) return;
      online = part;
      countdown = setInterval(() => part.countDown(session, element), 500);
      if (session.state) update(session.state);
    });

  /** @param {State} state */
  function update(state) {
    const { status, late } = session;
    const key = JSON.stringify([status, late, t("away"), online?.noticeFacts(session, state)]);
    if (key === drawn) return;
    drawn = key;
    fill(element, connection(session), online?.onlineNotices(session, state) ?? []);
  }

  function leave() {
    left = true;
    clearInterval(countdown);
  }
  return { element, update, leave };
}

/** @param {Session} session */
function connection({ status, late }) {
  if (status === "open" && !late) return null;
  const text = late
    ? t("No answer yet. Resending as soon as the server can be reached.")
    : t("Connection lost. Reconnecting…");
  return h("p", { class: late ? "notice lost late" : "notice lost", role: "status" }, text);
}
