/** The worker that looks at positions: hints and analyses, while nobody waits for it. */

import { engineModule, useFiles } from "./files.js";
import { analysisOf, hintAt } from "./games.js";
import { serveTasks } from "./tasks.js";

useFiles(String(new URL("./files.json", import.meta.url)));
serveTasks({
  load: async () => void (await engineModule()),
  analyse: analysisOf,
  hint: hintAt,
});
