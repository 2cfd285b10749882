/** The new-game page: seats, edition and variants, each explained where it is chosen. */

import { h, fill } from "../../core/dom.js";
import { useStyle } from "../../core/styles.js";
import { fetchOffers } from "../../net/api.js";
import { distinctEditions, fitToEdition, openTable, settingsFor } from "../../net/new-table.js";
import { DAYS, nameYoungest, rulesFields } from "./rules-fields.js";
import { seatFields } from "./seat-fields.js";
import { icon } from "../../ui/icons.js";
import { pageFrame } from "../../ui/layout.js";
import { personFields } from "../../ui/player-fields.js";
import { t } from "../../words/i18n.js";

useStyle("forms");
useStyle("new-game");

/** @typedef {import("../../net/new-table.js").Way} Way */
/** @typedef {import("../../net/new-table.js").Settings} Settings */
/** @typedef {import("../../net/protocol.js").Offers} Offers */

/** @type {Way[]} */
const WAYS = ["bot", "hotseat", "online", "solo", "companion"];

/** @type {Partial<Record<Way, Settings>>} what was chosen and not yet played */
const drafts = {};

/**
 * @param {import("../../core/router.js").Place} place
 * @returns {Promise<import("../../core/router.js").Page>}
 */
export default async function newPage({ query }) {
  const way = WAYS.find((known) => known === query.get("way")) ?? "bot";
  const offered = await fetchOffers();
  const fields = h("div", { class: "fields" });
  const problem = h("p", { class: "problem", role: "alert" });
  const form = h(
    "form",
    { class: "new-game" },
    h("h1", { tabindex: -1 }, titles()[way]),
    leadFor(way),
    fields,
    problem,
    h(
      "div",
      { class: "submit-bar" },
      h("button", { class: "primary wide start-game" }, icon("play"), startText(way)),
    ),
  );

  /** @param {Settings} settings */
  function draw(settings) {
    const editions = distinctEditions(offered.editions, settings.seats.length);
    const edition = editions.find(({ name }) => name === settings.edition) ?? editions[0];
    const fit = fitToEdition(settings, edition);
    drafts[way] = fit;
    const focused = focusedField(form);
    fill(
      fields,
      h(
        "fieldset",
        {},
        h("legend", {}, t("You")),
        personFields([], () => draw(fit)),
      ),
      way !== "solo" && seatFields(way, fit, offered, draw),
      rulesFields(way, fit, edition, editions, draw),
    );
    refocus(form, focused);
  }

  form.addEventListener("input", () => nameYoungest(form, drafts[way]?.seats ?? []));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit(way, drafts[way] ?? settingsFor(way), form, problem);
  });
  const settings = drafts[way] ?? settingsFor(way);
  const days = DAYS.find((known) => String(known) === query.get("days"));
  draw(days ? { ...settings, days, clock: 0 } : settings);
  return { title: titles()[way], element: pageFrame("new", [form]) };
}

/** @param {Way} way */
function leadFor(way) {
  const leads = /** @type {Partial<Record<Way, string>>} */ ({
    solo: t("Finish in as few turns as you can; your best games are kept on this device."),
    companion: t(
      "Throw your own dice and tap what they show: the board, the rules and the score are kept here.",
    ),
  });
  return leads[way] && h("p", { class: "lead" }, leads[way]);
}

/** @returns {Record<Way, string>} */
function titles() {
  return {
    bot: t("Play a bot"),
    hotseat: t("Pass and play"),
    online: t("Play online"),
    solo: t("Solo"),
    companion: t("Play with your own dice"),
  };
}

/** @param {Way} way */
function startText(way) {
  return way === "online" ? t("Open the table") : t("Start the game");
}

/**
 * @param {Way} way
 * @param {Settings} settings
 * @param {HTMLFormElement} form
 * @param {HTMLElement} problem
 */
async function submit(way, settings, form, problem) {
  const button = /** @type {HTMLButtonElement} */ (form.querySelector(".start-game"));
  problem.textContent = "";
  button.classList.add("pressed");
  try {
    await openTable(way, settings);
    delete drafts[way];
  } catch (error) {
    problem.textContent = /** @type {Error} */ (error).message;
    button.classList.remove("pressed");
  }
}

/**
 * The fields are drawn again after each choice; the focus stays where it was.
 * @param {HTMLFormElement} form
 */
function focusedField(form) {
  const active = document.activeElement;
  return active instanceof HTMLElement && form.contains(active) ? active.dataset.field : undefined;
}

/**
 * @param {HTMLFormElement} form
 * @param {string | undefined} field
 */
function refocus(form, field) {
  if (field)
    /** @type {HTMLElement | null} */ (form.querySelector(`[data-field="${field}"]`))?.focus();
}
