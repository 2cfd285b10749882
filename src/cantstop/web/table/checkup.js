// @ts-check
/** The check of this table's dice, asked for by a button and done by the browser itself. */

import { getText } from "../api.js";
import { openDialog } from "../dialog.js";
import { h, fill } from "../dom.js";
import { t } from "../i18n.js";
import { myGame } from "../mygames.js";
import { checkRecord } from "../verify/check.js";
import { verdictOf } from "../verify/verdict.js";

/** @param {import("../session.js").Session} session */
export async function showCheck(session) {
  const result = h(
    "div",
    { class: "verdict-box", "aria-live": "polite" },
    h("p", {}, t("Checking…")),
  );
  openDialog(t("Check the dice"), [
    h(
      "p",
      {},
      t(
        "Your browser throws every roll of this game again from the revealed secret, and replays every move.",
      ),
    ),
    result,
  ]);
  const game = myGame(session.id);
  const known = { commitment: game?.commitment, salt: session.mine.length ? game?.salt : null };
  fill(
    result,
    await verdictOf(async () =>
      checkRecord(await getText(`/api/tables/${session.id}/record`), known),
    ),
  );
}
