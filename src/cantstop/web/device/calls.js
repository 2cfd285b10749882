/** Calls, as far as open pages have a part in them: how many games wait, and word of a new one. */

/**
 * The badge on the icon of the installed app.
 * @param {number} waiting
 */
export function showBadge(waiting) {
  const shown = waiting ? navigator.setAppBadge?.(waiting) : navigator.clearAppBadge?.();
  shown?.catch(() => {}); // a browser without an icon for the app
}

/**
 * Hear of calls from the service worker. Returns how to hear of them no more.
 * @param {(waiting: number) => void} onCall  with how many games wait
 */
export function onPush(onCall) {
  /** @param {MessageEvent} event */
  const listener = ({ data }) => typeof data?.waiting === "number" && onCall(data.waiting);
  navigator.serviceWorker?.addEventListener("message", listener);
  return () => navigator.serviceWorker?.removeEventListener("message", listener);
}
