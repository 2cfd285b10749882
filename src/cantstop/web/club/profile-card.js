/** My profile on a server: begun, changed, taken to other devices, brought back, and erased. */

import { fill, h, write } from "../core/dom.js";
import { forgetPlayer, knownPlayer } from "../core/player-key.js";
import { dailyNotes } from "../core/played-days.js";
import { prefs } from "../core/prefs.js";
import { link } from "../core/router.js";
import { useStyle } from "../core/styles.js";
import { endPush } from "../device/push.js";
import { saveFile } from "../device/save-file.js";
import {
  addThisDevice,
  askForCode,
  askForWords,
  beginPlayer,
  changeMe,
  claimDays,
  deviceName,
  eraseMe,
  exportMe,
  fetchClub,
  fetchMe,
  removeDevice,
  restorePlayer,
} from "../net/club.js";
import { closeDialog, openDialog, toast } from "../ui/dialog.js";
import { icon } from "../ui/icons.js";
import { LONGEST_NAME } from "../ui/player-fields.js";
import { qrPicture } from "../ui/qr-code.js";
import { dayText, t } from "../words/i18n.js";
import { attempt, problemLine } from "./attempt.js";
import { MARKS, markName, playerMark } from "./marks.js";
import { passkeyPart, passkeyWay } from "./passkeys.js";
import { playerPath } from "./player-link.js";
import { publicLine } from "./public-line.js";

useStyle("forms");
useStyle("club");

/** @typedef {import("../net/protocol.js").Me} Me */

const FILE = "cantstop-profile.json";
/** Seconds that a code is valid. */
const VALID = 60;

/**
 * The card; null where the server has no profiles, or there is none.
 * @param {() => void} changed  the device has another player now, or none
 */
export async function profileCard(changed) {
  if (!(await fetchClub())) return null;
  const card = h("section", { class: "card profile", "aria-labelledby": "profile-title" });
  const code = new URLSearchParams(location.hash.slice(1)).get("link");
  if (code) history.replaceState(null, "", location.pathname);
  try {
    if (knownPlayer() && !code) showMine(card, await fetchMe(), changed);
    else showNone(card, changed, code ?? "");
  } catch (error) {
    if (knownPlayer()) return null; // the server is away: the page says what the device knows
    showNone(card, changed, "", /** @type {Error} */ (error).message);
  }
  return card;
}

// Without a profile

/**
 * @param {HTMLElement} card
 * @param {() => void} changed
 * @param {string} code  of another device, from its QR code
 * @param {string} [said]  what the server said
 */
function showNone(card, changed, code, said = "") {
  const problem = problemLine();
  write(problem, said);
  const name = h("input", {
    name: "profile-name",
    value: prefs().name,
    maxlength: LONGEST_NAME,
    required: true,
    autocomplete: "nickname",
    "aria-label": t("Your name"),
    placeholder: t("Your name"),
  });
  const begin = attempt(problem, async () => {
    await beginPlayer({ name: name.value, mark: prefs().colour, device: deviceName() });
    await takeDays();
    changed();
  });
  fill(
    card,
    h("h2", { id: "profile-title" }, t("A profile on this server")),
    h(
      "p",
      { class: "muted" },
      t(
        "Your games, ratings and name on all your devices, without a password. You can play without one.",
      ),
    ),
    !code &&
      h(
        "form",
        { class: "profile-row", on: { submit: begin } },
        name,
        h("button", { class: "primary" }, t("Begin a profile")),
      ),
    !code && h("p", { class: "hint" }, publicLine()),
    problem,
    otherWays(changed, code),
  );
}

/** Days that were played before there was a profile; without them it is one all the same. */
async function takeDays() {
  const { device } = dailyNotes();
  if (device) await claimDays(device).catch(() => {});
}

/**
 * For those who have a profile: by a code, or by words.
 * @param {() => void} changed
 * @param {string} given
 */
function otherWays(changed, given) {
  const code = h("input", {
    name: "code",
    value: given,
    required: true,
    maxlength: 32,
    autocomplete: "one-time-code",
    autocapitalize: "characters",
    spellcheck: "false",
    "aria-label": t("Code from another device"),
    placeholder: "ABCD-2345",
  });
  const words = h("input", {
    name: "words",
    required: true,
    maxlength: 200,
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    "aria-label": t("Recovery words"),
    placeholder: t("Recovery words"),
  });
  const way = (
    /** @type {HTMLElement} */ field,
    /** @type {string} */ text,
    /** @type {() => Promise<unknown>} */ become,
  ) => {
    const problem = problemLine();
    const act = attempt(problem, async () => {
      await become();
      await takeDays();
      changed();
    });
    const button = h("button", { class: given && field === code ? "primary" : "" }, text);
    return h(
      "form",
      { on: { submit: act } },
      h("div", { class: "profile-row" }, field, button),
      problem,
    );
  };
  return h(
    "details",
    { class: "profile-ways", open: given !== "" },
    h("summary", {}, h("span", {}, t("I have a profile already"))),
    way(code, t("Add this device"), () => addThisDevice(code.value)),
    h("p", { class: "hint" }, t("The other device shows a code on its page “My page”.")),
    way(words, t("Bring it back"), () => restorePlayer(words.value)),
    passkeyWay(async () => {
      await takeDays();
      changed();
    }),
  );
}

// With a profile

/**
 * @param {HTMLElement} card
 * @param {Me} me
 * @param {() => void} changed
 */
function showMine(card, me, changed) {
  const again = (/** @type {Me} */ now) => showMine(card, now, changed);
  const open = [...card.querySelectorAll("details")].map((part) => part.open);
  fill(
    card,
    h(
      "div",
      { class: "profile-head" },
      playerMark(me.mark, "large-mark"),
      h(
        "div",
        {},
        h("h2", { id: "profile-title" }, me.name),
        h("p", { class: "muted" }, t("On this server since {day}", { day: dayText(me.since) })),
        h(
          "p",
          { class: "profile-links" },
          link(playerPath(me.name), {}, t("Games and ratings")),
          link("/players", {}, t("Leaderboard")),
        ),
      ),
    ),
    me.excluded &&
      h("p", { class: "problem" }, t("The operator has excluded you from lobby and ratings.")),
    nameAndMark(me, again),
    publicChoice(me, again),
    devices(me, again, changed),
    recovery(me, again),
    passkeyPart(me, again),
    ownData(changed),
  );
  // what was unfolded stays so when something in it has changed
  const parts = card.querySelectorAll("details");
  if (parts.length === open.length) parts.forEach((part, at) => (part.open = open[at]));
}

/**
 * @param {Me} me
 * @param {(now: Me) => void} again
 */
function nameAndMark(me, again) {
  const problem = problemLine();
  const name = h("input", {
    name: "profile-name",
    value: me.name,
    maxlength: LONGEST_NAME,
    required: true,
    autocomplete: "nickname",
    "aria-label": t("Your name"),
  });
  let { mark } = me;
  const marks = Array.from({ length: MARKS }, (_, at) =>
    h(
      "label",
      { class: "mark-choice", title: markName(at) },
      h("input", {
        type: "radio",
        name: "mark",
        value: at,
        checked: at === mark,
        "aria-label": markName(at),
        on: { change: () => (mark = at) },
      }),
      playerMark(at),
    ),
  );
  const keep = attempt(problem, async () => {
    again(await changeMe({ name: name.value, mark }));
    toast(t("Saved."));
  });
  return h(
    "details",
    { class: "profile-part" },
    h("summary", {}, icon("person"), h("span", {}, t("Name and mark"))),
    h(
      "form",
      { on: { submit: keep } },
      h("div", { class: "profile-row" }, name, h("button", {}, t("Save"))),
      h("div", { class: "marks", role: "radiogroup", "aria-label": t("Your mark") }, marks),
    ),
    problem,
  );
}

/**
 * @param {Me} me
 * @param {(now: Me) => void} again
 */
function publicChoice(me, again) {
  const problem = problemLine();
  const box = h("input", {
    type: "checkbox",
    "data-field": "public",
    checked: me.public,
    on: {
      change: async () => {
        box.disabled = true; // until the server knows
        try {
          again(await changeMe({ public: box.checked }));
        } catch (error) {
          box.checked = me.public;
          box.disabled = false;
          write(problem, /** @type {Error} */ (error).message);
        }
      },
    },
  });
  return h(
    "div",
    {},
    h(
      "label",
      { class: "check" },
      box,
      h(
        "span",
        { class: "check-words" },
        h("strong", {}, t("Everybody may see my games and ratings")),
        h("span", { class: "muted" }, publicLine()),
      ),
    ),
    problem,
  );
}

// Devices

/**
 * @param {Me} me
 * @param {(now: Me) => void} again
 * @param {() => void} changed
 */
function devices(me, again, changed) {
  const problem = problemLine();
  const remove = (/** @type {Me["devices"][number]} */ device) =>
    attempt(problem, async () => {
      await removeDevice(device.id);
      if (device.this) {
        forgetPlayer();
        changed();
      } else again(await fetchMe());
    });
  return h(
    "details",
    { class: "profile-part" },
    h(
      "summary",
      {},
      icon("device"),
      h("span", {}, t("Devices")),
      h("span", { class: "muted" }, me.devices.length),
    ),
    h(
      "ul",
      { class: "device-list" },
      me.devices.map((device) => deviceLine(device, remove(device))),
    ),
    problem,
    h(
      "button",
      {
        type: "button",
        class: "add-device",
        on: { click: attempt(problem, () => showCode(async () => again(await fetchMe()))) },
      },
      icon("device"),
      t("Add a device"),
    ),
  );
}

/**
 * @param {Me["devices"][number]} device
 * @param {(event: Event) => void} remove
 */
function deviceLine(device, remove) {
  const name = device.name || t("A device");
  const used = device.this
    ? t("this device")
    : t("last used {day}", { day: dayText(device.seen_at) });
  return h(
    "li",
    { "data-device": device.id },
    h("span", {}, h("strong", {}, name), h("span", { class: "muted" }, used)),
    h(
      "button",
      {
        type: "button",
        class: "small",
        "aria-label": t("Remove {name}", { name }),
        on: { click: remove },
      },
      t("Remove"),
    ),
  );
}

/**
 * A code for the other device, as long as it is valid.
 * @param {() => void} closed
 */
async function showCode(closed) {
  const { code } = await askForCode();
  const ends = performance.now() + 1000 * VALID;
  const address = `${location.origin}/me#link=${code}`;
  const left = h("p", { class: "code-left", role: "timer", "aria-live": "off" });
  const body = h(
    "div",
    { class: "link-code" },
    h("p", {}, t("Scan this with the other device, or open “My page” there and type the code.")),
    qrPicture(address, t("QR code of the link")),
    h("p", { class: "code-text" }, code),
    left,
  );
  const dialog = openDialog(t("Add a device"), [body]);
  const tick = () => {
    const seconds = Math.ceil((ends - performance.now()) / 1000);
    if (seconds > 0) return write(left, t("Valid for {seconds} s", { seconds }));
    clearInterval(timer);
    fill(
      body,
      h("p", {}, t("The code is not valid any more.")),
      h(
        "button",
        { type: "button", class: "primary", on: { click: () => showCode(closed) } },
        t("A new code"),
      ),
    );
  };
  const timer = setInterval(tick, 250);
  tick();
  dialog.addEventListener("close", () => {
    clearInterval(timer);
    closed();
  });
}

// Words

/**
 * @param {Me} me
 * @param {(now: Me) => void} again
 */
function recovery(me, again) {
  const problem = problemLine();
  const show = attempt(problem, async () => {
    const { words } = await askForWords();
    const dialog = openDialog(t("Recovery words"), [
      h(
        "p",
        {},
        t("Write these words down. They bring your profile back when all devices are lost."),
      ),
      h("p", { class: "recovery-words", translate: "no" }, words),
      h(
        "p",
        { class: "muted" },
        t("Nobody can show them again, and words from before are not valid any more."),
      ),
      h(
        "button",
        { type: "button", class: "primary", on: { click: closeDialog } },
        t("I have written them down"),
      ),
    ]);
    dialog.addEventListener("close", async () => again(await fetchMe()));
  });
  return h(
    "details",
    { class: "profile-part" },
    h("summary", {}, icon("seal"), h("span", {}, t("Recovery words"))),
    h(
      "p",
      {},
      me.words
        ? t("You have recovery words. New ones take their place.")
        : t(
            "If this browser’s data are lost, only another device or recovery words bring you back.",
          ),
    ),
    problem,
    h(
      "button",
      { type: "button", class: "show-words", on: { click: show } },
      me.words ? t("New words") : t("Show my words"),
    ),
  );
}

// What the server keeps

/** @param {() => void} changed */
function ownData(changed) {
  const problem = problemLine();
  const take = attempt(problem, async () =>
    saveFile(new Blob([await exportMe()], { type: "application/json" }), FILE),
  );
  const erase = () => {
    const trouble = problemLine();
    const really = attempt(trouble, async () => {
      await eraseMe();
      await endPush().catch(() => {}); // the server sends nothing any more
      closeDialog();
      toast(t("Your profile is erased."));
      changed();
    });
    openDialog(t("Erase my profile?"), [
      h(
        "p",
        {},
        t(
          "Name, devices, history and ratings are erased for good. Games that others played with you stay, of “a player”.",
        ),
      ),
      trouble,
      h(
        "div",
        { class: "actions" },
        h(
          "button",
          { type: "button", class: "really-erase", on: { click: really } },
          t("Erase it"),
        ),
        h("button", { type: "button", class: "primary", on: { click: closeDialog } }, t("Keep it")),
      ),
    ]);
  };
  return h(
    "details",
    { class: "profile-part" },
    h("summary", {}, icon("save"), h("span", {}, t("Export and erase"))),
    h("p", { class: "muted" }, t("Everything that the server keeps about you, as a file.")),
    problem,
    h(
      "div",
      { class: "actions" },
      h("button", { type: "button", on: { click: take } }, icon("save"), t("Export")),
      h(
        "button",
        { type: "button", class: "erase", on: { click: erase } },
        t("Erase my profile …"),
      ),
    ),
  );
}
