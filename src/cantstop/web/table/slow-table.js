/** What a slow table has besides: the next game, what was seen here, and no call for what is on screen. */

import { saveGame } from "../core/saved-games.js";
import { dismiss } from "../device/notifications.js";
import { createNextGame } from "./panels/next-game.js";

/** @typedef {import("../net/session.js").Session} Session */
/** @typedef {import("../net/state.js").State} State */

/**
 * @param {Session} session
 * @param {HTMLElement} controls  Roll and Stop: between one's turns the next game is in their place
 */
export function createSlowTable(session, controls) {
  const next = createNextGame(session.id);
  controls.append(next.element);
  /** the last event after which the next game was looked for */
  let asked = 0;

  /** A call about this table has been answered by looking at it. */
  function onVisible() {
    if (document.hidden) note();
    else dismiss(session.id);
  }

  /** What has been shown here is not shown again. */
  function note() {
    const { state, mine, catchingUp } = session;
    if (state && mine.length && !catchingUp) saveGame(session.id, { seen: state.n });
  }

  document.addEventListener("visibilitychange", onVisible);
  addEventListener("pagehide", note);
  onVisible();
  return {
    /** @param {State} state */
    update(state) {
      const { mine, showing } = session;
      const waits = mine.length > 0 && state.stage === "playing" && !showing;
      const between = waits && !mine.includes(state.view.seat);
      next.element.hidden = !between;
      if (!between || asked === state.view.turn) return;
      asked = state.view.turn;
      next.look();
    },
    leave() {
      note();
      next.leave();
      document.removeEventListener("visibilitychange", onVisible);
      removeEventListener("pagehide", note);
    },
  };
}
