/** Notifications of the system, where the player has asked for them and the browser allows it. */

import { registerWorker } from "./service-worker.js";
import { fileAddress } from "../core/site.js";

const ICON = fileAddress("icons/icon-192.png");

/** @returns {Promise<ServiceWorkerRegistration | undefined>} phones show them by the service worker only */
async function worker() {
  const registration = await navigator.serviceWorker?.getRegistration();
  return registration?.active ? registration : undefined;
}

/** Ask the browser for permission. Returns whether it was given. */
export async function mayNotify() {
  if (!("Notification" in window)) return false;
  registerWorker();
  return (await Notification.requestPermission()) === "granted";
}

/**
 * @param {string} text
 * @param {string} page  its title, below the text
 * @param {string} path  of the page that a click leads to; a newer one replaces the one before
 */
export async function notify(text, page, path) {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const options = { body: page, tag: path, icon: ICON, data: { path } };
  const registration = await worker();
  if (registration) await registration.showNotification(text, options);
  else new Notification(text, options).onclick = () => focus();
}

/** @param {string} path */
export async function dismiss(path) {
  const shown = await (await worker())?.getNotifications({ tag: path });
  for (const notification of shown ?? []) notification.close();
}
