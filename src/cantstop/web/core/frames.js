/** Waits that make several short tasks of a long one, so that a slow page stays quick to answer. */

/** Until the browser has done what else is due. */
export function nextTask() {
  return new Promise((done) => setTimeout(done));
}

/** Until the next frame is on screen; in a hidden tab until it is seen again. */
export async function frameDrawn() {
  await new Promise((done) => requestAnimationFrame(done));
  await nextTask();
}
