/** The router: shows the page at the current address, and navigates without a reload. */

import { fill, h } from "./dom.js";
import { currentPath, pageAddress, pathOf } from "./site.js";

/**
 * @typedef {object} Page
 * @property {string} title
 * @property {HTMLElement} element
 * @property {() => void} [leave]
 */

/** @typedef {{id: string, query: URLSearchParams}} Place */
/** @typedef {(place: Place) => Promise<Page> | Page} MakePage */

/**
 * What there is to show.
 * @typedef {object} Routes
 * @property {[string, () => Promise<{default: MakePage}>][]} pages  every page with its address
 * @property {() => Promise<Page>} notFound  for any other address
 * @property {() => Page} broken  for when not even the app's own files can be loaded
 */

/** @type {Routes} */
let routes;

const root = /** @type {HTMLElement} */ (document.querySelector("#app"));
/** @type {Page | null} */
let current = null;
let latest = 0;

/** @param {boolean} [again] */
async function show(again = false) {
  const turn = ++latest;
  const page = await makePage();
  if (turn !== latest) {
    page.leave?.();
    return;
  }
  const first = !current;
  current?.leave?.();
  current = page;
  setTitle(page.title);
  fill(root, page.element);
  if (!again && !first) focusHeading();
}

/** @param {string} title */
export function setTitle(title) {
  const whole = title ? `${title} · Can’t Stop` : "Can’t Stop";
  if (document.title !== whole) document.title = whole;
}

async function makePage() {
  try {
    const [make, place] = await pageFor(new URL(currentPath(), location.origin));
    return await make(place);
  } catch (error) {
    console.warn(error);
    return routes.broken();
  }
}

/**
 * @param {URL} address
 * @returns {Promise<[MakePage, Place]>}
 */
async function pageFor({ pathname, search }) {
  const query = new URLSearchParams(search);
  const found = pageAt(pathname);
  if (!found) return [routes.notFound, { id: "", query }];
  return [(await found.load()).default, { id: decodeURIComponent(found.id), query }];
}

/** @param {string} pathname */
function pageAt(pathname) {
  for (const [page, load] of routes.pages) {
    const found = new RegExp(`^${page.replace(/\{\w+\}/, "([^/]+)")}$`).exec(pathname);
    if (found) return { load, id: found[1] ?? "" };
  }
  return null;
}

/** Screen readers and keyboard focus start at the top of the new page. */
function focusHeading() {
  scrollTo(0, 0);
  /** @type {HTMLElement | null} */ (root.querySelector("h1"))?.focus({ preventScroll: true });
}

/**
 * Go to an address of ours.
 * @param {string} path
 * @param {{replace?: boolean}} [how]
 */
export function go(path, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", pageAddress(path));
  return show();
}

/**
 * A link that needs no reload.
 * @param {string} path
 * @param {Record<string, unknown>} props
 * @param {...(import("./dom.js").Child | import("./dom.js").Child[])} children
 */
export function link(path, props, ...children) {
  return h("a", { href: pageAddress(path), ...props }, ...children);
}

/**
 * Whoever presses on a link mostly follows it: its page is loaded while the finger is down.
 * @param {Event} event
 */
function preload({ target }) {
  const anchor = /** @type {Element} */ (target).closest?.("a[href^='/']");
  const path = anchor instanceof HTMLAnchorElement && pathOf(anchor);
  if (path)
    pageAt(new URL(path, location.origin).pathname)
      ?.load()
      .catch(() => {}); // who follows it is told
}

/** @param {MouseEvent} event */
function follow(event) {
  const anchor = /** @type {Element} */ (event.target).closest?.("a[href^='/']");
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
  if (
    !(anchor instanceof HTMLAnchorElement) ||
    !plain ||
    anchor.target ||
    anchor.hasAttribute("download")
  )
    return;
  const path = pathOf(anchor);
  if (path === null || anchor.pathname.startsWith("/api/")) return;
  event.preventDefault();
  go(path);
}

/**
 * Show the page at the current address, and follow every navigation.
 * @param {Routes} given
 */
export function startRouter(given) {
  routes = given;
  document.addEventListener("click", follow);
  document.addEventListener("pointerdown", preload);
  addEventListener("popstate", () => show());
  return show();
}

/** Draw the current page again. */
export function redraw() {
  return show(true);
}
