/** A field with a link to share: copy to the clipboard, or the device's share sheet. */

import { h } from "../core/dom.js";
import { toast } from "./dialog.js";
import { icon } from "./icons.js";
import { t } from "../words/i18n.js";

/**
 * @param {string} label
 * @param {string} url
 */
export function shareField(label, url) {
  const field = h("input", {
    class: "link-field",
    readonly: true,
    value: url,
    "aria-label": label,
    on: { focus: () => field.select() },
  });
  const share = () => navigator.share({ title: "Can’t Stop", url }).catch(() => {});
  return h(
    "div",
    { class: "share" },
    field,
    h(
      "button",
      { type: "button", class: "primary copy", on: { click: () => copy(field) } },
      icon("copy"),
      t("Copy"),
    ),
    "share" in navigator &&
      h("button", { type: "button", on: { click: share } }, icon("share"), t("Share")),
  );
}

/** @param {HTMLInputElement} field */
async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    toast(t("Copied."));
  } catch {
    field.select();
    toast(t("Copy the marked link by hand."));
  }
}
