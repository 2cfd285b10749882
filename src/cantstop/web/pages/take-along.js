/** Everything of this device as one file or code, and the way in for those of another device. */

import { backupCode, backupText, readBackup, restoreBackup } from "../core/backup.js";
import { h, write } from "../core/dom.js";
import { redraw } from "../core/router.js";
import { saveFile } from "../device/save-file.js";
import { askDevice } from "../local/device.js";
import { toast } from "../ui/dialog.js";
import { icon } from "../ui/icons.js";
import { t } from "../words/i18n.js";

const FILE = "cantstop-device.json";

export function takeAlong() {
  const problem = h("p", { class: "problem", role: "alert" });
  const code = h("textarea", {
    class: "backup-code",
    rows: 3,
    spellcheck: "false",
    autocomplete: "off",
    "aria-label": t("Code from another device"),
    placeholder: t("Paste a code from another device"),
  });
  const file = h("input", {
    type: "file",
    class: "sr-only",
    accept: ".json,application/json",
    on: { change: async () => take((await file.files?.[0]?.text()) ?? "") },
  });

  /** @param {string} given */
  async function take(given) {
    const found = await readBackup(given);
    if (!found) return write(problem, t("This is neither a file nor a code of this page."));
    try {
      restoreBackup(found, await takeTables(found.tables ?? {}));
    } catch (error) {
      return write(problem, /** @type {Error} */ (error).message);
    }
    toast(t("Everything has been taken over."));
    return redraw();
  }

  async function copyCode() {
    code.value = await backupCode(await myTables());
    try {
      await navigator.clipboard.writeText(code.value);
      toast(t("Copied."));
    } catch {
      code.select();
      toast(t("Copy the marked text by hand."));
    }
  }

  return section({ code, file, problem }, copyCode, take);
}

/**
 * The games of this device; none where it keeps none.
 * @returns {Promise<Record<string, any[]>>}
 */
async function myTables() {
  try {
    return await askDevice("play", "exportTables");
  } catch {
    return {};
  }
}

/**
 * @param {Record<string, any[]>} tables
 * @returns {Promise<Record<string, string>>}
 */
async function takeTables(tables) {
  return Object.keys(tables).length ? askDevice("play", "importTables", tables) : {};
}

/**
 * @param {{code: HTMLTextAreaElement, file: HTMLInputElement, problem: HTMLElement}} fields
 * @param {() => void} copyCode
 * @param {(given: string) => void} take
 */
function section({ code, file, problem }, copyCode, take) {
  return h(
    "section",
    { class: "card take-all", "aria-labelledby": "take-all-title" },
    h("h2", { id: "take-all-title" }, t("Take it all to another device")),
    h(
      "p",
      { class: "muted" },
      t(
        "All of this is kept on this device only. The file and the code hold your seats, too: give them to nobody else.",
      ),
    ),
    h(
      "div",
      { class: "actions" },
      button("save", t("Save as a file"), async () => {
        const text = backupText(await myTables());
        saveFile(new Blob([text], { type: "application/json" }), FILE);
      }),
      button("copy", t("Copy as a code"), copyCode),
      h("label", { class: "button" }, icon("device"), t("Open a file"), file),
    ),
    code,
    h(
      "div",
      { class: "actions" },
      button("check", t("Take the code over"), () => take(code.value)),
    ),
    problem,
  );
}

/**
 * @param {string} picture
 * @param {string} text
 * @param {() => void} onClick
 */
function button(picture, text, onClick) {
  return h("button", { type: "button", on: { click: onClick } }, icon(picture), text);
}
