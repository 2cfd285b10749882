/** Entry point: theme and language first, then the page at this address. */

import { redraw, startRouter } from "./core/router.js";
import { currentPath } from "./core/site.js";
import { applyTheme } from "./device/theme.js";
import { answerOnDevice } from "./net/api.js";
import { routes } from "./routes.js";
import { firstLanguage, onLanguage } from "./words/i18n.js";

applyTheme();
answerOnDevice(() => import("./local/answers.js"));
await firstLanguage();
onLanguage(() => {
  redraw();
  if (navigator.serviceWorker?.controller) keepApp();
});
await startRouter(routes());
document.documentElement.classList.add("ready");

// on the way to a first roll nothing is loaded that it does without: there the table does this after it
if (!/^\/(t\/[^/?]+)?$/.test(currentPath())) keepApp();

async function keepApp() {
  (await import("./device/service-worker.js")).registerWorker();
}
