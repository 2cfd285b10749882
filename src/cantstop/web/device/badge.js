/** The badge on the icon of the installed app: how many games wait for the player. */

/** @param {number} waiting */
export function showBadge(waiting) {
  const shown = waiting ? navigator.setAppBadge?.(waiting) : navigator.clearAppBadge?.();
  shown?.catch(() => {}); // a browser without an icon for the app
}
