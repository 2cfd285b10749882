/** Keyboard shortcuts: listening to them, and those of the table. */

/**
 * Handle these keys wherever nobody is typing. Returns how to stop.
 * @param {Record<string, () => unknown>} keys
 *   by `KeyboardEvent.key`, letters in lower case; one that returns false has done nothing
 * @param {boolean} [first]  before all others, who then do not see the key
 */
export function listenToKeys(keys, first = false) {
  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const target = /** @type {Element} */ (event.target);
    const typing = target.closest?.("input:not([type=range]), select, textarea");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (document.querySelector("dialog[open]")) return;
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || action() === false) return;
    event.preventDefault();
    if (first) event.stopPropagation();
  }
  document.addEventListener("keydown", onKey, first);
  return () => document.removeEventListener("keydown", onKey, first);
}

/**
 * The shortcuts of the table. Returns how to stop listening.
 * @param {import("../table/turn/input.js").Parts} parts
 * @param {HTMLElement} [bulb]
 * @param {HTMLElement} [takeBack]
 * @param {() => HTMLElement | undefined} [order]
 */
export function tableKeys({ moves, buttons, skip }, bulb, takeBack, order) {
  const numbers = Array.from({ length: 9 }, (_, at) => [
    String(at + 1),
    () => /** @type {HTMLElement | undefined} */ (moves.element.children[at])?.click(),
  ]);
  return listenToKeys({
    ...Object.fromEntries(numbers),
    r: () => buttons.roll.click(),
    s: () => buttons.stop.click(),
    f: () => skip?.click(),
    h: () => bulb?.hidden === false && bulb.click(),
    u: () => takeBack?.hidden === false && takeBack.click(),
    g: () => order?.()?.hidden === false && order()?.click(),
    m: () => /** @type {HTMLElement | null} */ (document.querySelector(".sound-button"))?.click(),
    "?": async () => (await import("./keys-help.js")).showKeys(),
  });
}
