/**
 * Service worker: when the server cannot be reached, an offline page, and the pages that need no
 * server. Everything is asked for by the network first; what is kept is for when that fails.
 */

const CACHE = "cantstop-offline-4";
const OFFLINE = "/static/offline.html";
const KEPT = [
  OFFLINE,
  "/static/device/offline.js",
  "/static/style/base.css",
  "/static/icons/icon.svg",
];
/** The page that all addresses have in common. */
const SHELL = "/";
const WITHOUT_SERVER = ["/rules", "/verify", "/games"];
/** The chunks of the client that these pages may need. */
const CHUNKS = [
  "pages-rules",
  "pages-verify",
  "pages-games",
  "pages-error",
  "ui-board-choice",
  "ui-give-up",
];
/** An address in the page that holds a hash of its content. */
const HASHED = /"(\/static\/[\w.-]+\?v=[0-9a-f]+)"/g;
/** The table of all chunks in the first script: their addresses by their names. */
const CHUNK_TABLE = /^const \$chunks = (\{.*\});$/m;
/** Messages; those of the first script are in every language asked for first. */
const WORDS = "/static/words/";
const FIRST_WORDS = "/app.json";

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener("install", (event) => {
  worker.skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(KEPT)));
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(dropOldCaches());
});

async function dropOldCaches() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, search } = new URL(request.url);
  if (request.mode === "navigate") event.respondWith(navigated(event));
  else if (pathname.startsWith(WORDS)) {
    event.respondWith(lastAnswer(request));
    if (pathname.endsWith(FIRST_WORDS)) event.waitUntil(keepWords(request.url).catch(() => {}));
  } else if (KEPT.includes(pathname) || (pathname.startsWith("/static/") && search))
    event.respondWith(fetch(request).catch(() => kept(request)));
});

/** @param {FetchEvent} event */
async function navigated(event) {
  const { pathname } = new URL(event.request.url);
  try {
    const page = await fetch(event.request);
    // who comes a second time: the first visit loads nothing that is not needed at once
    if (pathname === SHELL || !(await caches.match(SHELL)))
      event.waitUntil(keepShell().catch(() => {}));
    return page;
  } catch {
    const alone = WITHOUT_SERVER.includes(pathname);
    return (alone && (await caches.match(SHELL))) || kept(OFFLINE);
  }
}

/**
 * The page, what it names and the chunks for those pages. The browser has them in its own cache, for
 * as long as it likes; here they stay together.
 */
async function keepShell() {
  const cache = await caches.open(CACHE);
  const page = await fetch(SHELL);
  const text = await page.clone().text();
  if (text === (await (await cache.match(SHELL))?.text())) return;
  const first = [...text.matchAll(HASHED)].map(([, address]) => address);
  const script = await fetch(first.find((address) => address.includes(".js")) ?? "");
  const chunks = JSON.parse((await script.text()).match(CHUNK_TABLE)?.[1] ?? "{}");
  const wanted = [...new Set([...first, ...CHUNKS.flatMap((name) => chunks[name] ?? [])])];
  await cache.addAll(wanted);
  await cache.put(SHELL, page);
  await forget(cache, (url) => !url.includes(WORDS) && !wanted.some((one) => url.endsWith(one)));
}

/**
 * What those chunks say in the language whose first messages are at an address.
 * @param {string} address
 */
async function keepWords(address) {
  const cache = await caches.open(CACHE);
  const [folder, query] = address.split(FIRST_WORDS);
  await cache.addAll(CHUNKS.map((name) => `${folder}/${name}.json${query}`));
  await forget(cache, (url) => url.startsWith(folder) && !url.endsWith(query));
}

/**
 * Drop older versions of what is kept.
 * @param {Cache} cache
 * @param {(url: string) => boolean} old
 */
async function forget(cache, old) {
  for (const { url } of await cache.keys())
    if (url.includes("?v=") && old(url)) await cache.delete(url);
}

/**
 * The answer of the server, or else its last one.
 * @param {Request} request
 */
async function lastAnswer(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) await (await caches.open(CACHE)).put(request, answer.clone());
    return answer;
  } catch {
    return kept(request);
  }
}

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data.path));
});

/**
 * Bring the page at a path to the front; open it where it is gone.
 * @param {string} path
 */
async function openPage(path) {
  const pages = await worker.clients.matchAll({ type: "window" });
  const open = pages.find((page) => new URL(page.url).pathname === path);
  await (open ? open.focus() : worker.clients.openWindow(path));
}

/**
 * What the cache has; a network error where it has nothing.
 * @param {RequestInfo} request
 */
async function kept(request) {
  return (await caches.match(request)) ?? Response.error();
}
