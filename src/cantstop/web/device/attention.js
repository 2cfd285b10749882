/** Calls a player back whose tab is in the background: by its title, its icon, a sound, a notification. */

import { prefs } from "../core/prefs.js";
import { fileAddress } from "../core/site.js";
import { setTitle } from "../core/router.js";
import { play } from "./sound.js";

const ICON = fileAddress("icons/icon.svg");
const CALLING_ICON = fileAddress("icons/icon-turn.svg");

/**
 * Why a player is called; the same reason rings once.
 * @typedef {{key: string, text: string}} Call
 */

/** @param {string} path  of the page that calls */
export function createAttention(path) {
  let title = "";
  /** @type {Call | null} */
  let call = null;

  function show() {
    const calling = document.hidden ? call : null;
    setTitle(calling ? `● ${calling.text} – ${title}` : title);
    document.querySelector("link[rel=icon]")?.setAttribute("href", calling ? CALLING_ICON : ICON);
  }

  function onVisibility() {
    show();
    if (!document.hidden && prefs().turnNotice) notifications(({ dismiss }) => dismiss(path));
  }
  document.addEventListener("visibilitychange", onVisibility);

  return {
    /**
     * @param {string} now  the page's title
     * @param {Call | null} wanted
     */
    update(now, wanted) {
      const rings = wanted && wanted.key !== call?.key && document.hidden;
      title = now;
      call = wanted;
      show();
      if (!rings) return;
      if (prefs().turnSound) play("turn", true);
      if (prefs().turnNotice) notifications(({ notify }) => notify(wanted.text, title, path));
    },
    leave() {
      document.removeEventListener("visibilitychange", onVisibility);
      document.querySelector("link[rel=icon]")?.setAttribute("href", ICON);
    },
  };
}

/** @param {(loaded: typeof import("./notifications.js")) => unknown} use */
function notifications(use) {
  import("./notifications.js").then(use).catch(() => {}); // without them there is still the title
}
