/** Keeps the screen awake, where the browser can. */

/** Ask for it now, and again whenever the page is shown; returns how to let the screen sleep. */
export function keepAwake() {
  /** @type {WakeLockSentinel | null} */
  let lock = null;
  let wanted = true;

  async function ask() {
    if (!wanted || document.hidden || (lock && !lock.released)) return;
    try {
      lock = (await navigator.wakeLock?.request("screen")) ?? null;
    } catch {
      lock = null; // a battery that is nearly empty, say: the screen dims as always
    }
    if (!wanted) lock?.release();
  }

  document.addEventListener("visibilitychange", ask);
  ask();
  return () => {
    wanted = false;
    document.removeEventListener("visibilitychange", ask);
    lock?.release();
  };
}
