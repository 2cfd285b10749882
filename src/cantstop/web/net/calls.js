/** Requests about how a player is called when a game waits, and when they have time for it. */

import { ask } from "./club.js";

/** @import * as Protocol from "./protocol.js" */

const CALLS = "/api/me/calls";

/** @returns {Promise<Protocol.Calls>} */
export function fetchCalls() {
  return ask("GET", CALLS);
}

/**
 * @param {Protocol.AddPush} subscription
 * @returns {Promise<Protocol.ContactView>}
 */
export function addPush(subscription) {
  return ask("POST", `${CALLS}/push`, subscription);
}

/**
 * @param {string} address
 * @returns {Promise<Protocol.ContactView>}
 */
export function addMail(address) {
  return ask("POST", `${CALLS}/mail`, { address });
}

/**
 * @param {string} url  of a topic
 * @returns {Promise<Protocol.ContactView>}
 */
export function addNtfy(url) {
  return ask("POST", `${CALLS}/ntfy`, { url });
}

/**
 * @param {string} url
 * @returns {Promise<Protocol.NewWebhook>}
 */
export function addWebhook(url) {
  return ask("POST", `${CALLS}/webhook`, { url });
}

/**
 * @param {string} contact
 * @param {Protocol.ChangeContact} changes
 * @returns {Promise<Protocol.ContactView>}
 */
export function changeContact(contact, changes) {
  return ask("PATCH", `${CALLS}/${contact}`, changes);
}

/** @param {string} contact */
export function removeContact(contact) {
  return ask("DELETE", `${CALLS}/${contact}`);
}

/**
 * Have a test message sent there.
 * @param {string} contact
 * @returns {Promise<Protocol.TestedCall>}
 */
export function testContact(contact) {
  return ask("POST", `${CALLS}/${contact}/test`);
}

/**
 * @param {Protocol.SetReminders["hours"]} hours
 * @returns {Promise<Protocol.Calls>}
 */
export function setReminders(hours) {
  return ask("PUT", `${CALLS}/reminders`, { hours });
}

/**
 * A secret address, in the place of the one before.
 * @param {Protocol.FeedName} kind
 * @returns {Promise<Protocol.FeedAddress>}
 */
export function makeFeed(kind) {
  return ask("POST", `${CALLS}/feeds/${kind}`);
}

/** @param {Protocol.FeedName} kind */
export function endFeed(kind) {
  return ask("DELETE", `${CALLS}/feeds/${kind}`);
}

/** @returns {Promise<Protocol.PlayerHours>} */
export function fetchHours() {
  return ask("GET", "/api/me/hours");
}

/**
 * @param {Protocol.SetHours} hours
 * @returns {Promise<Protocol.PlayerHours>}
 */
export function setHours(hours) {
  return ask("PUT", "/api/me/hours", hours);
}

/**
 * @param {Protocol.AnnounceAway} away
 * @returns {Promise<Protocol.PlayerHours>}
 */
export function announceAway(away) {
  return ask("POST", "/api/me/away", away);
}

/**
 * Be back, or do not go.
 * @param {string} from  when the time away begins
 * @returns {Promise<Protocol.PlayerHours>}
 */
export function endAway(from) {
  return ask("DELETE", `/api/me/away/${encodeURIComponent(from)}`);
}
