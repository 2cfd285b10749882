/** Service worker: an offline page when the network is down. Nothing else is cached. */

const CACHE = "cantstop-offline-2";
const OFFLINE = "/static/offline.html";
const KEPT = [
  OFFLINE,
  "/static/device/offline.js",
  "/static/style/base.css",
  "/static/icons/icon.svg",
];

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener("install", (event) => {
  worker.skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(KEPT)));
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))),
      ),
  );
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => kept(OFFLINE)));
  else if (KEPT.includes(new URL(request.url).pathname)) {
    event.respondWith(fetch(request).catch(() => kept(request)));
  }
});

/**
 * What the cache has; a network error where it has nothing.
 * @param {RequestInfo} request
 */
async function kept(request) {
  return (await caches.match(request)) ?? Response.error();
}
