/** Entry point: theme and language first, then the page at this address. */

import { PartMissing, withPart } from "./core/parts.js";
import { redraw, startRouter } from "./core/router.js";
import { currentPath } from "./core/site.js";
import { applyTheme } from "./device/theme.js";
import { answerOnDevice } from "./net/api.js";
import { routes } from "./routes.js";
import { toast } from "./ui/dialog.js";
import { firstLanguage, onLanguage, t } from "./words/i18n.js";

applyTheme();
answerOnDevice(() => import("./local/answers.js"));
addEventListener("unhandledrejection", (event) => {
  if (!(event.reason instanceof PartMissing)) return;
  event.preventDefault(); // somebody pressed a button, and what it opens is not there
  toast(t("The server cannot be reached. Check the connection and try again."), "bad");
});
await firstLanguage();
onLanguage(() => {
  redraw();
  if (navigator.serviceWorker?.controller) keepApp();
});
await startRouter(routes());
document.documentElement.classList.add("ready");

// on the way to a first roll nothing is loaded that it does without: there the table does this after it
if (!/^\/(t\/[^/?]+)?$/.test(currentPath())) keepApp();

function keepApp() {
  withPart(import("./device/service-worker.js"), ({ registerWorker }) => registerWorker());
}
