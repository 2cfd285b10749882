/** Push: this browser shows notifications while no page of the app is open, by its service worker. */

import { fileAddress, isSite } from "../core/site.js";
import { showBadge } from "./calls.js";
import { registerWorker } from "./service-worker.js";
import { language } from "../words/i18n.js";

/** What the service worker renews a subscription with; `sw.js` has the same names. */
const CACHE = "cantstop / push";
const PLACE = "push-subscription";

/**
 * What this browser can do: `install` where it takes the app on the home screen for it, as on
 * iPhones; `denied` where its user, or an administrator, does not allow it.
 * @returns {"ready" | "install" | "denied" | "none"}
 */
export function pushSupport() {
  if (isSite) return "none";
  if (!("PushManager" in window) || !("Notification" in window))
    return isApplePhone() ? "install" : "none";
  return Notification.permission === "denied" ? "denied" : "ready";
}

/** An iPhone or iPad, in whose browser pages get no push; on the home screen they do. */
function isApplePhone() {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}

/** Whether the player has allowed notifications here. */
export function mayPush() {
  return pushSupport() === "ready" && Notification.permission === "granted";
}

/**
 * Subscribe this browser; it asks for permission, so this follows a tap. Null where that is refused.
 * @param {string} serverKey
 * @param {string} playerKey  by which the service worker tells the server of a new subscription
 * @returns {Promise<import("../net/protocol.js").AddPush | null>}
 */
export async function beginPush(serverKey, playerKey) {
  if ((await Notification.requestPermission()) !== "granted") return null;
  await registerWorker();
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  if (before && keyOf(before) !== serverKey) await before.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: serverKey };
  const { endpoint, keys } = (await pushManager.subscribe(options)).toJSON();
  const kept = JSON.stringify({
    key: playerKey,
    applicationServerKey: serverKey,
    language: language(),
  });
  await (await caches.open(CACHE)).put(fileAddress(PLACE), new Response(kept));
  return { endpoint: endpoint ?? "", p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" };
}

/**
 * The key of the server that a subscription is for, as the server writes it.
 * @param {PushSubscription} subscription
 */
function keyOf({ options }) {
  const bytes = new Uint8Array(options?.applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** This browser's subscription, if there is one. */
async function subscription() {
  const registration = await navigator.serviceWorker?.getRegistration();
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

/** Whether the browser has given its subscription up: then calls do not reach it any more. */
export async function isPushLost() {
  return mayPush() && (await subscription()) === null;
}

/** No push any more: what was shown goes, and the badge with it. */
export async function endPush() {
  showBadge(0);
  if ("caches" in window) await caches.delete(CACHE);
  await (await subscription())?.unsubscribe();
}
