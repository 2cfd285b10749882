/** Entry point: theme and language first, then the page at this address. */

import { startRouter } from "./core/router.js";
import { registerWorker } from "./device/service-worker.js";
import { applyTheme } from "./device/theme.js";
import { firstLanguage } from "./words/i18n.js";

applyTheme();
await firstLanguage();
await startRouter();
document.documentElement.classList.add("ready");

// on the way to a first roll nothing is loaded that it does without: there the table does this after it
if (!/^\/(t\/[^/]+)?$/.test(location.pathname)) registerWorker();
