/** The parts of the client that are loaded when they are needed, and what happens where they are not there. */

/** A part that cannot be loaded: the server is away, or the page is being left. The bundle throws it. */
export class PartMissing extends Error {}

/** How long to wait before a part is asked for again, in milliseconds. */
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;

/**
 * Use a part that the page can do without.
 * @template T
 * @param {Promise<T>} part
 * @param {(part: T) => void} use
 */
export function withPart(part, use) {
  part.then(use, (error) => {
    if (!(error instanceof PartMissing)) throw error;
  });
}

/**
 * A part that the page cannot do without: it is asked for until it is there.
 * @template T
 * @param {() => Promise<T>} load
 * @returns {Promise<T>}
 */
export async function neededPart(load) {
  for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT))
    try {
      return await load();
    } catch (error) {
      if (!(error instanceof PartMissing)) throw error;
      await new Promise((done) => setTimeout(done, wait));
    }
}
