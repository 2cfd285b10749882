/** After a turn at a slow table: the next game that waits for the player, and how many still do. */

import { h, write } from "../../core/dom.js";
import { link } from "../../core/router.js";
import { useStyle } from "../../core/styles.js";
import { onPush } from "../../device/calls.js";
import { fetchTurns } from "../../net/turns.js";
import { icon } from "../../ui/icons.js";
import { plural, t } from "../../words/i18n.js";

useStyle("next-game");

/**
 * A link to the table that has waited longest, this one left out; to the list where none waits.
 * @param {string} id
 */
export function createNextGame(id) {
  const label = h("span", { class: "label" }, t("My turn"));
  const note = h("span", { class: "note", role: "status" });
  const element = link(
    "/turns",
    { class: "button next-game", hidden: true },
    h("span", { class: "words" }, label, note),
    icon("forward"),
  );

  async function look() {
    try {
      const { tables } = await fetchTurns();
      show(tables.filter((table) => table.mine && table.id !== id));
    } catch {
      show([]); // the list says what is wrong
      write(note, "");
    }
  }

  /** @param {import("../../net/protocol.js").TurnTable[]} waiting */
  function show(waiting) {
    const [next] = waiting;
    element.href = next ? `/t/${next.id}` : "/turns";
    element.classList.toggle("primary", Boolean(next));
    write(label, next ? t("Next game") : t("My games"));
    write(note, next ? moreText(waiting.length) : t("No other game waits for you."));
  }

  return { element, look, leave: onPush(look) };
}

/** @param {number} count */
function moreText(count) {
  const fields = { count };
  return plural(
    count,
    t("{count} game still waits for you.", fields),
    t("{count} games still wait for you.", fields),
  );
}
