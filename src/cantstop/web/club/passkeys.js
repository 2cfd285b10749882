/** Passkeys of a profile: one way in among others, where the server has a name and HTTPS. */

import { h } from "../core/dom.js";
import { keyToSend } from "../core/player-key.js";
import { makePasskey, passkeysWork, signByPasskey } from "../device/passkeys.js";
import { ask, becomePlayer, deviceName, fetchMe } from "../net/club.js";
import { toast } from "../ui/dialog.js";
import { icon } from "../ui/icons.js";
import { dayText, t } from "../words/i18n.js";
import { attempt, problemLine } from "./attempt.js";

/** @typedef {import("../net/protocol.js").Me} Me */
/** @typedef {import("../net/protocol.js").PasskeyView} PasskeyView */
/** @typedef {import("../net/protocol.js").PasskeyChallenge} PasskeyChallenge */

const PATH = "/api/me/passkeys";

/** @param {Me} me */
async function addPasskey(me) {
  /** @type {PasskeyChallenge} */
  const { challenge, known } = await ask("POST", `${PATH}/challenge`);
  const made = await makePasskey(challenge, known, me);
  return ask("POST", PATH, { ...made, device: deviceName() });
}

/** This device becomes one of the player whose passkey is used. */
async function joinByPasskey() {
  const headers = { Authorization: `Bearer ${keyToSend()}` };
  /** @type {PasskeyChallenge} */
  const { challenge } = await ask("POST", `${PATH}/challenge`, undefined, headers);
  const signed = await signByPasskey(challenge);
  return becomePlayer(`${PATH}/use`, { ...signed, device: deviceName() });
}

/**
 * For those who have a profile with a passkey; null where there can be none.
 * @param {() => Promise<void>} joined
 */
export function passkeyWay(joined) {
  if (!passkeysWork()) return null;
  const problem = problemLine();
  const use = attempt(problem, async () => {
    await joinByPasskey();
    await joined();
  });
  return h(
    "div",
    {},
    h(
      "button",
      { type: "button", class: "use-passkey", on: { click: use } },
      icon("key"),
      t("Use a passkey"),
    ),
    problem,
  );
}

/**
 * The passkeys that there are, and the way to another one.
 * @param {Me} me
 * @param {(now: Me) => void} again
 */
export function passkeyPart(me, again) {
  const works = passkeysWork();
  const { passkeys = [] } = me;
  if (!works && !passkeys.length) return null;
  const problem = problemLine();
  const add = attempt(problem, async () => {
    again(await addPasskey(me));
    toast(t("Saved."));
  });
  return h(
    "details",
    { class: "profile-part" },
    h(
      "summary",
      {},
      icon("key"),
      h("span", {}, t("Passkeys")),
      h("span", { class: "muted" }, passkeys.length),
    ),
    h(
      "p",
      {},
      t(
        "A passkey lets you in by fingerprint, face or PIN, at this address only. Keep recovery words as well.",
      ),
    ),
    passkeys.length > 0 &&
      h(
        "ul",
        { class: "device-list" },
        passkeys.map((passkey) => passkeyLine(passkey, problem, again)),
      ),
    problem,
    works &&
      h(
        "button",
        { type: "button", class: "add-passkey", on: { click: add } },
        icon("key"),
        t("Add a passkey"),
      ),
  );
}

/**
 * @param {PasskeyView} passkey
 * @param {HTMLElement} problem
 * @param {(now: Me) => void} again
 */
function passkeyLine(passkey, problem, again) {
  const name = passkey.name || t("A passkey");
  const used = t("last used {day}", { day: dayText(passkey.used_at) });
  const remove = attempt(problem, async () => {
    await ask("DELETE", `${PATH}/${passkey.id}`);
    again(await fetchMe());
  });
  return h(
    "li",
    { "data-passkey": passkey.id },
    h("span", {}, h("strong", {}, name), h("span", { class: "muted" }, used)),
    h(
      "button",
      {
        type: "button",
        class: "small",
        "aria-label": t("Remove the passkey {name}", { name }),
        on: { click: remove },
      },
      t("Remove"),
    ),
  );
}
