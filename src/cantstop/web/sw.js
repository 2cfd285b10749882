/**
 * Service worker: the whole app without a connection, after one visit. It keeps everything of a
 * release together; the page asks for it once there is time. Pages come from the network where it
 * answers soon, else from what is kept; files whose name has a hash never change. A release that a
 * page may still be of stays until no such page is open.
 */

/** Whether these are static files in any folder of a host, where the page is in the hash. */
const IS_SITE = !location.pathname.endsWith("/static/sw.js");
/** The app's files; the list of those that a release consists of is made by `server/static/kept.py`. */
const FILES = new URL(IS_SITE ? "static/" : ".", location.href).href;
const LIST = new URL("kept.json", FILES).href;
/** The page that all addresses have in common. */
const SHELL = new URL("..", FILES).href;
const OFFLINE = new URL("offline.html", FILES).href;
/** Other apps of the host have caches too, and so may this one in another folder. */
const CACHE = `cantstop ${new URL(SHELL).pathname} `;
const SHARED_CACHE = `${CACHE}shared`;
const PUSH_CACHE = `${CACHE}push`;
const HASHED = /\.[0-9a-f]{8}\.\w+$/;
/** Where a record that another app shares waits for the page that reviews it. */
const SHARED = new URL("shared-record", FILES).href;
/**
 * Milliseconds after which something is taken from what is kept, whatever the network says later: on
 * a slow phone in a tunnel the app still starts within a second.
 */
const PATIENCE = 200;
/** Files that are loaded at once. */
const AT_ONCE = 4;

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("message", (event) => {
  const { keep, script } = event.data ?? {};
  if (keep) event.waitUntil(keepRelease(keep, script).catch(() => {}));
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method === "POST" && request.mode === "navigate")
    event.respondWith(takeShared(request));
  else if (request.method !== "GET") return;
  else if (request.mode === "navigate") event.respondWith(navigated(request));
  else if (request.url === SHARED) event.respondWith(handOver());
  else if (request.url.startsWith(FILES) && !pathname.endsWith("/kept.json"))
    event.respondWith(HASHED.test(pathname) ? hashed(request) : named(request));
});

/**
 * What is kept of an address, of the newest release that has it.
 * @param {string} address
 */
async function kept(address) {
  const names = (await caches.keys()).filter((name) => name.startsWith(CACHE));
  for (const name of names.reverse()) {
    const found = await (await caches.open(name)).match(address);
    if (found) return found;
  }
  return undefined;
}

/**
 * What the network has at an address, or what is kept in its place where it does not answer soon: a
 * network that is there and silent keeps nobody waiting.
 * @param {Request} request
 * @param {string} address  of what is kept
 */
async function answeredSoon(request, address) {
  const fresh = fetch(request).then((answer) => {
    if (answer.status >= 500) throw new Error(answer.statusText);
    return answer;
  });
  fresh.catch(() => {}); // it may fail before anybody waits for it
  const known = await kept(address);
  if (!known) return fresh;
  const late = new Promise((_, reject) => setTimeout(reject, PATIENCE));
  return Promise.race([fresh, late]).catch(() => known);
}

/**
 * A page: they all have one file.
 * @param {Request} request
 */
async function navigated(request) {
  try {
    return await answeredSoon(request, SHELL);
  } catch {
    return (await kept(OFFLINE)) ?? Response.error();
  }
}

/**
 * A file that never changes.
 * @param {Request} request
 */
async function hashed(request) {
  return (await kept(request.url)) ?? fetch(request);
}

/**
 * A file that may have changed.
 * @param {Request} request
 */
function named(request) {
  return answeredSoon(request, request.url).catch(() => Response.error());
}

/** @type {Promise<unknown>} one thing after the other: a page may ask twice */
let keeping = Promise.resolve();

/**
 * Keep all of the current release, with the messages of a language.
 * @param {string} language
 * @param {string} script  the first one of the page that asks
 */
function keepRelease(language, script) {
  keeping = keeping.catch(() => {}).then(() => keepAll(language, script));
  return keeping;
}

/**
 * @param {string} language
 * @param {string} script
 */
async function keepAll(language, script) {
  const list = await (await fetch(LIST, { cache: "no-store" })).json();
  const name = `${CACHE}${list.release}`;
  const cache = await caches.open(name);
  const wanted = [...list.all, ...(list.words[language] ?? [])].map(
    (address) => new URL(address, LIST).href,
  );
  const known = new Set((await cache.keys()).map(({ url }) => url));
  const missing = wanted.filter((address) => !known.has(address));
  const load = async () => {
    for (let address = missing.pop(); address; address = missing.pop()) {
      const before = HASHED.test(address) ? await kept(address) : undefined;
      if (before) await cache.put(address, before);
      else await cache.add(address);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, load));
  // the page comes last: who has it has everything
  if (!known.has(SHELL)) await cache.put(SHELL, await shellOf(list.all));
  await dropOld(name, wanted.includes(script));
}

/**
 * The page of a release; there may be another one by now, which is kept when it is next asked for.
 * @param {string[]} files
 */
async function shellOf(files) {
  const shell = await fetch(SHELL, { cache: "no-store" });
  const text = await shell.clone().text();
  const first = files.filter((file) => /^app\.\w+\.\w+$/.test(file));
  if (!shell.ok || !first.every((file) => text.includes(file))) throw new Error("another release");
  return shell;
}

/**
 * The page of an earlier release is not shown again. What it loads stays while another page than
 * the one that asks is open: that may be an old one, in the middle of a game.
 * @param {string} current
 * @param {boolean} isCurrent  whether the page that asks is of this release
 */
async function dropOld(current, isCurrent) {
  const open = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const alone = open.filter(({ url }) => url.startsWith(SHELL)).length <= 1;
  for (const name of await caches.keys()) {
    if (!name.startsWith(CACHE) || [current, SHARED_CACHE, PUSH_CACHE].includes(name)) continue;
    if (alone && isCurrent) await caches.delete(name);
    else await (await caches.open(name)).delete(SHELL);
  }
}

/**
 * Another app shares a record: it waits here for the page that reviews it.
 * @param {Request} request
 */
async function takeShared(request) {
  const form = await request.formData();
  const file = form.get("record");
  const text = file instanceof File ? await file.text() : String(form.get("text") ?? "");
  await (await caches.open(SHARED_CACHE)).put(SHARED, new Response(text));
  return Response.redirect(`${request.url.split("?")[0]}?shared`, 303);
}

/** The shared record, once. */
async function handOver() {
  const cache = await caches.open(SHARED_CACHE);
  const found = await cache.match(SHARED);
  await cache.delete(SHARED);
  return found ?? new Response("", { status: 404 });
}

// Calls: it is the player's turn somewhere, and no page of that table is open

/**
 * What a call says; docs/protocol.md has its fields.
 * @typedef {object} Call
 * @property {string} id  the same for every copy of it
 * @property {string} topic  a newer one about it takes its place
 * @property {string} title
 * @property {string} text
 * @property {string} path
 * @property {number} waiting
 */

worker.addEventListener("push", (event) => event.waitUntil(showCall(readCall(event.data))));

/**
 * A browser that was sent something has to show something, whatever it is.
 * @param {PushMessageData | null} data
 * @returns {Partial<Call>}
 */
function readCall(data) {
  try {
    return data?.json() ?? {};
  } catch {
    return {};
  }
}

/**
 * Show a call, in the place of an earlier one about the same; a copy of that one makes no sound.
 * @param {Partial<Call>} call
 */
async function showCall({ id, topic = "turns", title, text = "", path = "/turns", waiting }) {
  const { registration } = worker;
  const [before] = await registration.getNotifications({ tag: topic });
  const options = {
    body: text,
    tag: topic,
    renotify: before !== undefined && before.data?.id !== id,
    icon: new URL("icons/icon-192.png", FILES).href,
    badge: new URL("icons/badge-96.png", FILES).href,
    data: { id, path },
  };
  await registration.showNotification(title ?? "Can’t Stop", options);
  if (typeof waiting !== "number") return;
  await showBadge(waiting);
  for (const page of await worker.clients.matchAll({ type: "window" }))
    page.postMessage({ waiting });
}

/** @param {number} waiting */
async function showBadge(waiting) {
  const { navigator } = worker;
  await (waiting ? navigator.setAppBadge?.(waiting) : navigator.clearAppBadge?.())?.catch(() => {});
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
  const address = new URL(IS_SITE ? `#${path}` : path, SHELL);
  if (address.origin !== location.origin) return;
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = pages.find((page) => pathOf(new URL(page.url)) === pathOf(address));
  await (open ? open.focus() : worker.clients.openWindow(address.href));
}

/**
 * The page of the app that an address is one of, without its query.
 * @param {URL} address
 */
function pathOf({ pathname, hash }) {
  return IS_SITE ? hash.slice(1).split("?")[0] : pathname;
}

/** What a page leaves here for renewing its subscription when no page is open. */
const PUSH = new URL("push-subscription", FILES).href;

worker.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(renewSubscription().catch(() => {})); // the page tries it when it is next opened
});

/** The browser has given its subscription up: have a new one, and tell the server. */
async function renewSubscription() {
  const left = await (await caches.open(PUSH_CACHE)).match(PUSH);
  if (!left) return;
  const { key, applicationServerKey, language } = await left.json();
  const subscription = await worker.registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey,
  });
  const { endpoint, keys } = subscription.toJSON();
  await fetch("/api/me/calls/push", {
    method: "POST",
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      ...(language && { "Accept-Language": language }), // the browser’s own may be another one
    },
    body: JSON.stringify({ endpoint, p256dh: keys?.p256dh, auth: keys?.auth }),
  });
}
