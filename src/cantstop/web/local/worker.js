/** The worker that has the tables of this device. */

import { useFiles } from "../engine/files.js";
import { serveTasks } from "../engine/tasks.js";
import { botAction } from "./bots.js";
import {
  act,
  follow,
  forget,
  leave,
  localEvents,
  localHint,
  localRecord,
  localState,
  onEvent,
  openLocal,
  setPace,
} from "./tables.js";

useFiles(String(new URL("../engine/files.json", import.meta.url)));
onEvent((told) => postMessage(told));
serveTasks({
  ...{ open: openLocal, state: localState, events: localEvents, record: localRecord },
  ...{ tableHint: localHint, follow, leave, setPace, act, forget, decide: botAction },
});
