/** The worker that reviews games: a hint never waits for it. */

import { useFiles } from "./files.js";
import { reviewRecord } from "./review.js";
import { serveTasks } from "./tasks.js";

useFiles(String(new URL("./files.json", import.meta.url)));
serveTasks({}, { review: reviewRecord });
