/** Other devices, mail, ntfy and webhooks: where else calls go. */

import { fill, h } from "../../core/dom.js";
import {
  addMail,
  addNtfy,
  addWebhook,
  changeContact,
  fetchCalls,
  removeContact,
} from "../../net/calls.js";
import { attempt, problemLine } from "../../club/attempt.js";
import { closeDialog, openDialog, toast } from "../../ui/dialog.js";
import { icon } from "../../ui/icons.js";
import { shareField } from "../../ui/share-link.js";
import { t } from "../../words/i18n.js";
import { stateLine, testButton } from "./contact-row.js";

/** @typedef {import("../../net/protocol.js").Calls} Calls */
/** @typedef {import("../../net/protocol.js").ContactView} ContactView */

/** @param {Calls} calls */
export function contactsCard(calls) {
  const { mail, ntfy, webhook } = calls.offers;
  const others = calls.contacts.some(({ channel, this: here }) => channel !== "push" || !here);
  if (!mail && !ntfy && !webhook && !others) return null;
  const list = h("ul", { class: "contact-list" });
  const title = h("h2", { id: "contacts-title" }, icon("share"), t("Other ways"));
  const again = async () => show(list, await fetchCalls(), again);
  show(list, calls, again);
  return h(
    "section",
    { class: "card contacts-card", "aria-labelledby": "contacts-title" },
    title,
    list,
    mail && mailForm(again),
    ntfy && ntfyForm(again),
    webhook && webhookForm(again),
  );
}

/**
 * @param {HTMLElement} list
 * @param {Calls} calls
 * @param {() => Promise<void>} again
 */
function show(list, { contacts }, again) {
  const others = contacts.filter(({ channel, this: here }) => channel !== "push" || !here);
  fill(
    list,
    others.map((contact) => contactItem(contact, again)),
  );
}

/** @returns {Record<ContactView["channel"], string>} */
function channelNames() {
  return { push: t("Notification"), mail: t("Mail"), ntfy: "ntfy", webhook: t("Webhook") };
}

/**
 * @param {ContactView} contact
 * @param {() => Promise<void>} again
 */
function contactItem(contact, again) {
  const { id, channel, address, name } = contact;
  const problem = problemLine();
  const title = channel === "push" ? name || t("A device") : address;
  const remove = attempt(problem, async () => {
    await removeContact(id);
    toast(t("Removed."));
    await again();
  });
  return h(
    "li",
    { class: "contact", "data-contact": id, "data-channel": channel },
    h(
      "div",
      { class: "contact-head" },
      h(
        "span",
        { class: "contact-words" },
        h("strong", {}, title),
        h("span", { class: "muted" }, channelNames()[channel]),
      ),
      h(
        "button",
        {
          type: "button",
          class: "small remove-contact",
          "aria-label": t("Remove {name}", { name: title }),
          on: { click: remove },
        },
        t("Remove"),
      ),
    ),
    stateLine(contact),
    contact.state !== "unconfirmed" && digestChoice(contact, problem),
    contact.state !== "unconfirmed" && testButton(contact, () => void again()),
    problem,
  );
}

/**
 * @param {ContactView} contact
 * @param {HTMLElement} problem
 */
function digestChoice({ id, digest }, problem) {
  const change = async () => {
    box.disabled = true; // until the server knows
    try {
      await changeContact(id, { digest: box.checked });
    } catch (error) {
      box.checked = !box.checked;
      fill(problem, /** @type {Error} */ (error).message);
    }
    box.disabled = false;
  };
  const box = h("input", {
    type: "checkbox",
    "data-field": "digest",
    checked: digest,
    on: { change },
  });
  return h(
    "label",
    { class: "check" },
    box,
    h(
      "span",
      { class: "check-words" },
      h("strong", {}, t("All turns in one message a day")),
      h("span", { class: "hint" }, t("Reminders still come at once.")),
    ),
  );
}

// Adding one

/**
 * @param {string} name
 * @param {string} title
 * @param {HTMLInputElement} field
 * @param {string} hint
 * @param {() => Promise<unknown>} add
 */
function addForm(name, title, field, hint, add) {
  const problem = problemLine();
  const submit = attempt(problem, async () => {
    await add();
    field.value = "";
    form.open = false;
  });
  const form = h(
    "details",
    { class: `add-contact add-${name}` },
    h("summary", {}, h("span", {}, title)),
    h(
      "form",
      { on: { submit } },
      h("div", { class: "contact-row" }, field, h("button", {}, t("Add"))),
      h("p", { class: "hint" }, hint),
      problem,
    ),
  );
  return form;
}

/** @param {() => Promise<void>} again */
function mailForm(again) {
  const field = h("input", {
    type: "email",
    name: "mail",
    required: true,
    maxlength: 254,
    autocomplete: "email",
    "aria-label": t("Mail address"),
    placeholder: "anne@example.org",
  });
  const hint = t("One question is sent there first. Every mail has a link that ends them.");
  return addForm("mail", t("By mail"), field, hint, async () => {
    await addMail(field.value);
    await again();
    toast(t("A question was sent to your address: open the link in it."));
  });
}

/**
 * @param {string} name
 * @param {string} label
 * @param {string} example
 */
function urlField(name, label, example) {
  return h("input", {
    type: "url",
    name,
    required: true,
    maxlength: 1000,
    autocapitalize: "none",
    spellcheck: "false",
    "aria-label": label,
    placeholder: example,
  });
}

/** @param {() => Promise<void>} again */
function ntfyForm(again) {
  const field = urlField("ntfy", t("Address of the topic"), "https://ntfy.sh/my-turns");
  const hint = t(
    "A topic that the app ntfy listens to. Whoever knows its name can read it: choose one that nobody guesses.",
  );
  return addForm("ntfy", t("By ntfy"), field, hint, async () => {
    await addNtfy(field.value);
    await again();
  });
}

/** @param {() => Promise<void>} again */
function webhookForm(again) {
  const field = urlField("webhook", t("Address of the webhook"), "https://example.org/my-turns");
  const hint = t("A program of your own is sent a signed request for each turn.");
  return addForm("webhook", t("By webhook"), field, hint, async () => {
    const { secret } = await addWebhook(field.value);
    await again();
    openDialog(t("The secret of the webhook"), [
      h(
        "p",
        {},
        t(
          "Every request is signed with it, in the form of Standard Webhooks. It is shown only now.",
        ),
      ),
      shareField(t("The secret of the webhook"), secret),
      h(
        "button",
        { type: "button", class: "primary", on: { click: closeDialog } },
        t("I have kept it"),
      ),
    ]);
  });
}
