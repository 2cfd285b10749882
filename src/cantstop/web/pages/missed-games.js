/** Games that were finished on this device while no page noted it: the tab was closed, or they came in a file. */

import { playedGames } from "../core/history.js";
import { allGames } from "../local/kept-games.js";
import { fetchState, isOnDevice } from "../net/api.js";
import { noteFinished } from "../table/finished.js";

/** Enter them into the history, each once. */
export async function noteMissed() {
  const noted = new Set(playedGames().map(({ id }) => id));
  for (const { id, stage, lesson, mine, seats } of await allGames()) {
    const counts = stage === "over" && !lesson && mine?.length === 1 && seats.length > 1;
    if (!counts || noted.has(id) || !isOnDevice(id)) continue;
    try {
      noteFinished(await fetchState(id), mine);
    } catch {
      // it is not on this device any more, or the rules cannot be loaded now
    }
  }
}
