/** The page that checks any record: pasted, or opened from a file. Nothing leaves the browser. */

import { fill, h } from "../core/dom.js";
import { useStyle } from "../core/styles.js";
import { pageFrame } from "../ui/layout.js";
import { checkRecord } from "../verify/check.js";
import { verdictOf } from "../verify/verdict.js";
import { t } from "../words/i18n.js";

useStyle("verify");

/** @returns {import("../core/router.js").Page} */
export default function verifyPage() {
  const title = t("Check a record");
  const result = h("div", { class: "verdict-box", "aria-live": "polite" });
  const text = h("textarea", {
    class: "record-text",
    rows: 12,
    spellcheck: "false",
    "aria-label": t("Record"),
    placeholder: '[Cantstop "1"]\n[Rules "v1,players=2"]\n…',
  });
  const check = async () => fill(result, await verdictOf(() => checkRecord(text.value)));
  const file = h("input", {
    type: "file",
    accept: ".cantstop,.txt,text/plain",
    on: {
      change: async () => {
        text.value = (await file.files?.[0]?.text()) ?? "";
        await check();
      },
    },
  });
  const element = pageFrame("verify", [
    h("h1", { tabindex: -1 }, title),
    h(
      "p",
      { class: "lead" },
      t(
        "Paste the record of a finished game or open its file. Your browser recomputes every roll from the revealed secret and replays every move; nothing is sent anywhere.",
      ),
    ),
    h("label", { class: "file-field" }, h("span", {}, t("Record file")), file),
    text,
    h(
      "p",
      { class: "actions" },
      h("button", { type: "button", class: "primary", on: { click: check } }, t("Check")),
    ),
    result,
  ]);
  return { title, element };
}
