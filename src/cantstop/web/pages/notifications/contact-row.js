/** A contact: where calls go, whether they arrive, a test message. */

import { h, write } from "../../core/dom.js";
import { testContact } from "../../net/calls.js";
import { attempt, problemLine } from "../../club/attempt.js";
import { date, t } from "../../words/i18n.js";

/** @typedef {import("../../net/protocol.js").ContactView} ContactView */

/**
 * Whether messages arrive, in a few words.
 * @param {ContactView} contact
 */
export function stateLine({ channel, state, sent_at: sent }) {
  const texts = {
    unconfirmed: t("Waiting for your yes: open the link in the mail that was sent there."),
    new:
      channel === "mail"
        ? t("Confirmed: messages are sent there from now on.")
        : t("Nothing was sent there yet."),
    works: sent ? t("The last message arrived on {time}.", { time: date(sent) }) : "",
    fails: sent
      ? t("The last message, on {time}, did not arrive.", { time: date(sent) })
      : t("The last message did not arrive."),
  };
  return h(
    "p",
    { class: state === "fails" ? "contact-state fails" : "contact-state muted" },
    texts[state],
  );
}

/**
 * Sends a test message, and says what came of it.
 * @param {ContactView} contact
 * @param {() => unknown} gone  the contact is removed
 */
export function testButton(contact, gone) {
  const problem = problemLine();
  const said = h("p", { class: "muted test-result", role: "status" });
  const test = attempt(problem, async () => {
    write(said, "");
    const { result } = await testContact(contact.id);
    if (result === "sent") write(said, t("Sent. It should be there in a moment."));
    if (result === "later")
      write(problem, t("Its service does not answer now. Messages are tried again."));
    if (result === "failed") write(problem, t("Its service has refused the message."));
    if (result === "gone") await gone();
  });
  return h(
    "span",
    { class: "contact-test" },
    h(
      "button",
      { type: "button", class: "small test-contact", on: { click: test } },
      t("Send a test message"),
    ),
    said,
    problem,
  );
}
