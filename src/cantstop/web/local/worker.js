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
  onNews,
  openLocal,
  setPace,
} from "./tables.js";
import { exportTables, importTables } from "./transfer.js";

useFiles(String(new URL("../engine/files.json", import.meta.url)));
onNews((table, news) => postMessage({ table, ...news }));
serveTasks({
  ...{ open: openLocal, state: localState, events: localEvents, record: localRecord },
  ...{ tableHint: localHint, follow, leave, setPace, act, forget, decide: botAction },
  ...{ exportTables, importTables },
});
