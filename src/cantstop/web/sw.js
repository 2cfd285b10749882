// @ts-check
/** Shows a friendly page when the network is away. Nothing else is kept: the app is always fresh. */

const CACHE = "cantstop-offline-1";
const OFFLINE = "/static/offline.html";
const KEPT = [OFFLINE, "/static/offline.js", "/static/style/base.css", "/static/icons/icon.svg"];

const worker = /** @type {any} */ (self);

worker.addEventListener("install", (/** @type {any} */ event) => {
  worker.skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(KEPT)));
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))),
      ),
  );
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.mode === "navigate")
    event.respondWith(fetch(request).catch(() => caches.match(OFFLINE)));
  else if (KEPT.includes(new URL(request.url).pathname)) {
    event.respondWith(fetch(request).catch(() => caches.match(request)));
  }
});
