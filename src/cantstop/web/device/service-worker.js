/** The service worker: what works without the server, and notifications on phones. */

export function registerWorker() {
  if ("serviceWorker" in navigator)
    navigator.serviceWorker.register("/static/sw.js", { scope: "/" }).catch(() => {});
}
