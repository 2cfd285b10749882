/** Entry point: theme and language first, then the page at this address. */

import { redraw, startRouter } from "./core/router.js";
import { currentPath } from "./core/site.js";
import { registerWorker } from "./device/service-worker.js";
import { applyTheme } from "./device/theme.js";
import { answerOnDevice } from "./net/api.js";
import { routes } from "./routes.js";
import { firstLanguage, onLanguage } from "./words/i18n.js";

applyTheme();
answerOnDevice(() => import("./local/answers.js"));
await firstLanguage();
onLanguage(() => {
  redraw();
  if (navigator.serviceWorker?.controller) registerWorker();
});
document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const record = target.closest?.("a[href^='/api/tables/0']")?.getAttribute("href");
  if (!record) return;
  event.preventDefault();
  import("./local/record-file.js").then(({ saveRecord }) => saveRecord(record.split("/")[3]));
});
await startRouter(routes());
document.documentElement.classList.add("ready");

// on the way to a first roll nothing is loaded that it does without: there the table does this after it
if (!/^\/(t\/[^/?]+)?$/.test(currentPath())) registerWorker();
