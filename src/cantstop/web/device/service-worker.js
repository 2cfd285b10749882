/** The service worker: the app without a connection, and notifications on phones. */

import { language } from "../words/i18n.js";

/** Have it, and let it keep the whole app in the language that is spoken now. */
export async function registerWorker() {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/static/sw.js", { scope: "/" });
    const { active } = await navigator.serviceWorker.ready;
    active?.postMessage({ keep: language() });
  } catch {
    // a browser that keeps nothing, or a page that is not safe: the app works online
  }
}
