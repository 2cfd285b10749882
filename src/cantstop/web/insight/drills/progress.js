/** How far one has come with drills: kept on this device, and taken along as a file. */

import { h, fill } from "../../core/dom.js";
import { load, save } from "../../core/prefs.js";
import { saveFile } from "../../device/save-file.js";
import { send } from "../../net/api.js";
import { icon } from "../../ui/icons.js";
import { number, t } from "../../words/i18n.js";

/** @typedef {import("../../net/protocol.js").DrillProgress} Progress */

const KEPT = "drills";
/** What a file has taken the place of. */
const BEFORE = "drills-before";
/** The rating after every answer: my page draws it. */
const CURVE = "drill-curve";
const MOST_RATINGS = 500;
const FILE = "cantstop-drills.json";
/** Bytes: what the server takes, three times what a progress with all drills has. */
const LARGEST = 256 * 1024;
/** Characters of a file's name, for the sentence about it. */
const LONGEST_NAME = 100;

/**
 * The progress on this device; null before the first drill.
 * @returns {Progress | null}
 */
export function myProgress() {
  return load(KEPT, null);
}

/** @param {Progress | null} progress */
export function keepProgress(progress) {
  save(KEPT, progress);
  if (progress) save(CURVE, [...load(CURVE, []), Math.round(progress.rating)].slice(-MOST_RATINGS));
}

/**
 * Put what is kept aside, where it can be had back, and another one in its place.
 * @param {Progress | null} progress
 */
export function replaceProgress(progress) {
  save(BEFORE, myProgress());
  keepProgress(progress);
}

/**
 * Rating, streak and right answers.
 * @param {Progress | null} progress
 */
export function progressLine(progress) {
  if (typeof progress?.rating !== "number")
    return h(
      "p",
      { class: "hint" },
      t("You get a rating with your first answer; it stays on this device."),
    );
  const { rating, deviation, streak, best_streak: best, right, answered } = progress;
  return h(
    "dl",
    { class: "drill-figures" },
    figure("rating", t("Rating"), number(rating), `± ${number(deviation)}`),
    figure("streak", t("In a row"), number(streak), t("best: {count}", { count: number(best) })),
    figure("right", t("Right"), number(right), t("of {count}", { count: number(answered) })),
  );
}

/**
 * @param {string} name
 * @param {string} term
 * @param {string} value
 * @param {string} note
 */
function figure(name, term, value, note) {
  return h(
    "div",
    { "data-figure": name },
    h("dt", {}, term),
    h("dd", {}, h("strong", {}, value), " ", h("span", { class: "muted" }, note)),
  );
}

/**
 * The part of the page that writes the progress into a file, and takes one in.
 * @param {() => void} onChange  another progress has taken its place
 */
export function progressFile(onChange) {
  const told = h("p", { class: "told", role: "status" });
  const problem = h("p", { class: "problem", role: "alert" });
  const back = h(
    "button",
    { type: "button", class: "progress-back", hidden: true, on: { click: swapBack } },
    icon("undo"),
    t("Restore the previous progress"),
  );
  const file = h("input", {
    type: "file",
    accept: ".json,application/json",
    on: { change: () => importFile(file.files?.[0]) },
  });

  function exportFile() {
    const progress = myProgress();
    fill(problem);
    fill(told, progress ? "" : t("There is nothing to take along yet: answer a drill first."));
    if (progress)
      saveFile(new Blob([`${JSON.stringify(progress)}\n`], { type: "application/json" }), FILE);
  }

  /** @param {File | undefined} chosen */
  async function importFile(chosen) {
    file.value = "";
    if (!chosen) return;
    fill(told);
    try {
      if (chosen.size > LARGEST)
        throw new Error(
          t("{name} is too large for a file of drill progress.", { name: chosen.name }),
        );
      const name = [...chosen.name].slice(-LONGEST_NAME).join("");
      const address = `/api/drills/progress?name=${encodeURIComponent(name)}`;
      replaceProgress(await (await send("POST", address, await chosen.text())).json());
      fill(problem);
      fill(told, t("You continue with the progress of {name}.", { name: chosen.name }));
      back.hidden = false;
      onChange();
    } catch (error) {
      fill(problem, /** @type {Error} */ (error).message);
    }
  }

  function swapBack() {
    replaceProgress(load(BEFORE, null));
    fill(told, t("The two are swapped."));
    onChange();
  }

  return takeAlong(exportFile, file, [told, problem, back]);
}

/**
 * @param {() => void} exportFile
 * @param {HTMLElement} file  the field that takes one in
 * @param {HTMLElement[]} more
 */
function takeAlong(exportFile, file, more) {
  return h(
    "details",
    { class: "card take-along" },
    h("summary", {}, t("Take your progress along")),
    h(
      "div",
      { class: "take-along-parts" },
      h(
        "p",
        { class: "hint" },
        t(
          "Rating and progress are on this device only. A file takes them to another, or to the terminal: cantstop drill --import.",
        ),
      ),
      h(
        "button",
        { type: "button", class: "progress-save", on: { click: exportFile } },
        icon("save"),
        t("Save as a file"),
      ),
      h("label", { class: "progress-file" }, h("span", {}, t("Load a file")), file),
      more,
    ),
  );
}
