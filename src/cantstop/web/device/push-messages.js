/** What the service worker sends to the pages that are open: a call has come. */

/**
 * Subscribe to calls. Returns how to unsubscribe.
 * @param {(waiting: number) => void} onCall  with how many games wait
 */
export function onPush(onCall) {
  /** @param {MessageEvent} event */
  const listener = ({ data }) => typeof data?.waiting === "number" && onCall(data.waiting);
  navigator.serviceWorker?.addEventListener("message", listener);
  return () => navigator.serviceWorker?.removeEventListener("message", listener);
}
