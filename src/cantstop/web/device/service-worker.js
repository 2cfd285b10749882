/** The service worker: the app without a connection, and notifications on phones. */

import { language } from "../words/i18n.js";
import { fileAddress, isSite, pageAddress } from "../core/site.js";

/** A static host cannot let a script rule over the folder above it: there it is in that folder. */
const workerAddress = isSite ? fileAddress("../sw.js") : fileAddress("sw.js");

/** The language in which this page has had the app kept. */
let keptIn = "";

/** Have it, and let it keep the whole app in the language that is spoken now: once, if it succeeds. */
export async function registerWorker() {
  if (!("serviceWorker" in navigator)) return;
  const scope = pageAddress("/").split("#")[0];
  try {
    if (keptIn === language() && (await caches.match(scope))) return;
    keptIn = language();
    await navigator.serviceWorker.register(workerAddress, { scope });
    const { active } = await navigator.serviceWorker.ready;
    const script = document.querySelector("script")?.src;
    active?.postMessage({ keep: language(), script });
  } catch {
    // a browser that keeps nothing, or a page that is not safe: the app works online
  }
}
