/** Hints and the tutor at the table: the bulb. What they say is loaded when a player asks for it. */

import { withPart } from "../../core/parts.js";
import { prefs } from "../../core/prefs.js";
import { iconButton } from "../../ui/layout.js";
import { t } from "../../words/i18n.js";

/** @typedef {import("../../net/session.js").Session} Session */
/** @typedef {import("../../net/state.js").State} State */
/** @typedef {{kind: "roll"} | {kind: "stop"} | {kind: "move", move: string}} Decision */

/** The phases in which there is something to advise on. */
const ADVISED = ["roll", "move", "choice"];

/**
 * Whether a tutor can look on: one person, alone or against bots, with hints.
 * @param {State} state
 */
export function mayHaveTutor({ hints, lesson, seats }) {
  return hints && !lesson && seats.filter((seat) => seat.kind !== "bot").length === 1;
}

/**
 * @param {Session} session
 * @param {() => import("../../insight/hints.js").Places} places  where hints are shown
 */
export function createAdvice(session, places) {
  /** @type {import("../../insight/hints.js").Hints | null} */
  let hints = null;
  /** @type {Promise<import("../../insight/hints.js").Hints> | null} */
  let loading = null;
  const load = () => {
    loading ??= import("../../insight/hints.js").then(
      ({ Hints }) => (hints = new Hints(session, bulb, places())),
      (error) => {
        loading = null; // whoever asks next tries again
        throw error;
      },
    );
    return loading;
  };
  const bulb = iconButton("bulb", t("Hint"), async () => (await load()).next(), {
    class: "icon-button bulb",
    "aria-keyshortcuts": "h",
    hidden: true,
  });

  return {
    bulb,
    /** @param {State} state */
    update(state) {
      const { phase, seat } = state.view;
      const deciding = state.stage === "playing" && session.mine.includes(seat);
      bulb.hidden = !(state.hints && !state.lesson && deciding && ADVISED.includes(phase));
      hints?.update();
      if (!bulb.hidden && session.myTurn && tutored(state))
        withPart(load(), (loaded) => loaded.prefetch());
    },
    /**
     * Let the tutor object to a decision; otherwise, or if that is overruled, it is taken.
     * @param {Decision} decision
     * @param {() => void} take
     */
    consider(decision, take) {
      if (hints && session.state && tutored(session.state)) hints.consider(decision, take);
      else take();
    },
  };
}

/** @param {State} state */
function tutored(state) {
  return prefs().tutor !== "off" && mayHaveTutor(state);
}
