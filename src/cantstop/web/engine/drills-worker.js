/** The worker that has the drills. */

import { answerDrill, nextDrill } from "./drills.js";
import { useFiles } from "./files.js";
import { serveTasks } from "./tasks.js";

useFiles(String(new URL("./files.json", import.meta.url)));
serveTasks({ next: nextDrill, answer: answerDrill });
