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

/**
 * The card, and how to have it look whether the owner of a mail address has said yes meanwhile.
 * @param {Calls} calls
 */
export function contactsCard(calls) {
  const { mail, ntfy, webhook } = calls.offers;
  if (!mail && !ntfy && !webhook && !elsewhere(calls).length) return null;
  const list = h("ul", { class: "contact-list" });
  const title = h("h2", { id: "contacts-title", tabindex: -1 }, icon("share"), t("Other ways"));
  let shown = elsewhere(calls);

  async function again() {
    shown = elsewhere(await fetchCalls());
    show();
  }

  /** @param {string} text  what has become of the contact that is gone */
  async function removed(text) {
    toast(text);
    title.focus(); // what was pressed is gone, too
    await again();
  }

  const show = () =>
    fill(
      list,
      shown.map((contact) => contactItem(contact, removed)),
    );
  show();
  const element = h(
    "section",
    { class: "card contacts-card", "aria-labelledby": "contacts-title" },
    title,
    list,
    mail && mailForm(again),
    ntfy && ntfyForm(again),
    webhook && webhookForm(again),
  );
  return {
    element,
    look() {
      if (shown.some(({ state }) => state === "unconfirmed")) again().catch(() => {}); // next time
    },
  };
}

/**
 * All but what this browser itself is sent.
 * @param {Calls} calls
 */
function elsewhere({ contacts }) {
  return contacts.filter(({ channel, this: here }) => channel !== "push" || !here);
}

/** @returns {Record<ContactView["channel"], string>} */
function channelNames() {
  return { push: t("Notification"), mail: t("Mail"), ntfy: "ntfy", webhook: t("Webhook") };
}

/**
 * @param {ContactView} contact
 * @param {(text: string) => Promise<void>} removed
 */
function contactItem(contact, removed) {
  const { id, channel, address, name } = contact;
  const problem = problemLine();
  const title = channel === "push" ? name || t("A device") : address;
  const remove = attempt(problem, async () => {
    await removeContact(id);
    await removed(t("Removed."));
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
    contact.state !== "unconfirmed" &&
      testButton(contact, () => removed(t("Nobody is at this address any more: it was removed."))),
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
 * @param {() => Promise<() => void>} add  returns what is shown then
 */
function addForm(name, title, field, hint, add) {
  const problem = problemLine();
  const submit = attempt(problem, async () => {
    const then = await add();
    field.value = "";
    form.open = false;
    form.querySelector("summary")?.focus();
    then();
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
    return () => toast(t("A question was sent to your address: open the link in it."));
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
    return () => toast(t("Added."));
  });
}

/** @param {() => Promise<void>} again */
function webhookForm(again) {
  const field = urlField("webhook", t("Address of the webhook"), "https://example.org/my-turns");
  const hint = t("A program of your own is sent a signed request for each turn.");
  return addForm("webhook", t("By webhook"), field, hint, async () => {
    const { secret } = await addWebhook(field.value);
    await again();
    return () => showSecret(secret);
  });
}

/** @param {string} secret */
function showSecret(secret) {
  openDialog(t("The secret of the webhook"), [
    h(
      "p",
      {},
      t("Every request is signed with it, in the form of Standard Webhooks. It is shown only now."),
    ),
    shareField(t("The secret of the webhook"), secret),
    h(
      "button",
      { type: "button", class: "primary", on: { click: closeDialog } },
      t("I have kept it"),
    ),
  ]);
}
