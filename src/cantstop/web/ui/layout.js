/** The layout of every page: header with logo, language, theme and sound. */

import { h, s, fill } from "../core/dom.js";
import { link } from "../core/router.js";
import { setSoundOn, soundOn } from "../device/sound.js";
import { switchTheme, theme } from "../device/theme.js";
import { icon } from "./icons.js";
import { chooseLanguage, language, LANGUAGES, t } from "../words/i18n.js";

/** The sign: an octagon with five pips. */
export function logo() {
  const pips = [
    [32, 32],
    [68, 32],
    [50, 50],
    [32, 68],
    [68, 68],
  ];
  return s(
    "svg",
    { class: "logo", viewBox: "0 0 100 100", "aria-hidden": "true" },
    s("polygon", { class: "logo-rim", points: "29,0 71,0 100,29 100,71 71,100 29,100 0,71 0,29" }),
    s("polygon", { class: "logo-line", points: "31,5 69,5 95,31 95,69 69,95 31,95 5,69 5,31" }),
    pips.map(([cx, cy]) => s("circle", { class: "logo-pip", cx, cy, r: 9 })),
  );
}

/**
 * A whole page: header, and the main part with its content.
 * @param {string} name
 * @param {import("../core/dom.js").Child[]} content
 * @param {import("../core/dom.js").Child[]} [tools]  in place of the usual ones at the right of the header
 */
export function pageFrame(name, content, tools = usualTools()) {
  return h(
    "div",
    { class: `page page-${name}` },
    h(
      "header",
      { class: "top-bar" },
      link(
        "/",
        { class: "brand", "aria-label": t("Can’t Stop, start page") },
        logo(),
        h("span", { class: "brand-name" }, "Can’t Stop"),
      ),
      h("div", { class: "tools" }, tools),
    ),
    h("main", { class: "content" }, content),
  );
}

function usualTools() {
  return [languageChoice(), boardButton(), themeButton(), soundButton()];
}

export function boardButton() {
  return iconButton("board", t("Board"), async () =>
    (await import("./board-choice.js")).showBoardChoice(),
  );
}

/**
 * A button that is only a picture; its name is read out and shown as a tip.
 * @param {string} picture
 * @param {string} name
 * @param {(event: Event) => void} onClick
 * @param {Record<string, unknown>} [props]
 */
export function iconButton(picture, name, onClick, props = {}) {
  return h(
    "button",
    {
      type: "button",
      class: "icon-button",
      "aria-label": name,
      title: name,
      on: { click: onClick },
      ...props,
    },
    icon(picture),
  );
}

export function languageChoice() {
  const select = h(
    "select",
    {
      class: "language",
      "aria-label": t("Language"),
      on: { change: () => chooseLanguage(select.value) },
    },
    Object.entries(LANGUAGES).map(([code, name]) =>
      h("option", { value: code, selected: code === language(), lang: code }, name),
    ),
  );
  return select;
}

export function themeButton() {
  const button = iconButton("dark", "", () => {
    switchTheme();
    update();
  });
  function update() {
    const name = theme() === "dark" ? t("Light colours") : t("Dark colours");
    button.setAttribute("aria-label", name);
    button.title = name;
    fill(button, icon(theme() === "dark" ? "light" : "dark"));
  }
  update();
  return button;
}

export function soundButton() {
  const button = iconButton(
    "sound",
    "",
    () => {
      setSoundOn(!soundOn());
      update();
    },
    { class: "icon-button sound-button" },
  );
  function update() {
    const name = soundOn() ? t("Switch sound off") : t("Switch sound on");
    button.setAttribute("aria-label", name);
    button.title = name;
    fill(button, icon(soundOn() ? "sound" : "mute"));
  }
  update();
  return button;
}
