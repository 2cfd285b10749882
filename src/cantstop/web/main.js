// @ts-check
/** Starts the app: language and look first, then the page at this address. */

import { firstLanguage } from "./i18n.js";
import { startRouter } from "./router.js";
import { applyTheme } from "./theme.js";

applyTheme();
await firstLanguage();
await startRouter();
document.documentElement.classList.add("ready");

if ("serviceWorker" in navigator)
  navigator.serviceWorker.register("/static/sw.js", { scope: "/" }).catch(() => {});
