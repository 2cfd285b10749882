/** Entry point: theme and language first, then the page at this address. */

import { startRouter } from "./core/router.js";
import { applyTheme } from "./device/theme.js";
import { firstLanguage } from "./words/i18n.js";

applyTheme();
await firstLanguage();
await startRouter();
document.documentElement.classList.add("ready");

if ("serviceWorker" in navigator)
  navigator.serviceWorker.register("/static/sw.js", { scope: "/" }).catch(() => {});
