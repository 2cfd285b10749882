/** Drills on this device. A player's progress comes from a file or from storage, and may be anything. */

import { isPossible } from "../engine/glicko.js";
import { toldDrill } from "../words/drill-text.js";
import { t } from "../words/i18n.js";
import { askDevice, DeviceError } from "./device.js";

/** @typedef {import("../net/protocol.js").DrillProgress} Progress */
/** @typedef {import("./answers.js").Asked} Asked */

const FORMAT = "cantstop drill progress";
const VERSION = 1;
const MOST_SEEN = 100_000;
const MOST_ANSWERED = 10 ** 9;
const ID = /^[0-9a-f]{10}$/;

/** @param {Asked} asked */
export async function next({ body }) {
  const { progress, topic = null, players = null } = parsed(body);
  return askDevice("drills", "next", progressOf(progress, "progress"), topic, players);
}

/** @param {Asked} asked */
export async function answer({ body }) {
  const { drill, answer: given, progress } = parsed(body);
  const known = progressOf(progress, "progress");
  return toldDrill(await askDevice("drills", "answer", drill, given, known));
}

/**
 * Whether a file is a progress of drills, before it takes the place of another one.
 * @param {Asked} asked
 */
export async function check({ url, body }) {
  return progressOf(parsed(body), url.searchParams.get("name") ?? "progress");
}

/** @param {string} [text] */
function parsed(text = "") {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/** @returns {Progress} before the first drill */
function begin() {
  return {
    ...{ format: FORMAT, version: VERSION, rating: 1500, deviation: 350, volatility: 0.06 },
    ...{ answered: 0, right: 0, streak: 0, best_streak: 0, seen: [] },
  };
}

/**
 * The progress in some data, if it is one; a new one for null.
 * @param {any} given
 * @param {string} name  of the file, for the sentence
 * @returns {Progress}
 */
function progressOf(given, name) {
  if (given === null || given === undefined) return begin();
  if (given?.format !== FORMAT)
    throw refusal(t("{name} is not a file of drill progress.", { name }));
  if (given.version !== VERSION)
    throw refusal(
      t("{name} has version {version} of its format; this program reads version {known}.", {
        ...{ name, version: String(given.version), known: VERSION },
      }),
    );
  if (!isSound(given)) throw refusal(t("{name} is a damaged file of drill progress.", { name }));
  const { format, version, rating, deviation, volatility } = given;
  const { answered, right, streak, best_streak, seen } = given;
  return {
    ...{ format, version, rating, deviation, volatility },
    ...{ answered, right, streak, best_streak, seen },
  };
}

/**
 * Whether everything in it is possible.
 * @param {any} given
 */
function isSound(given) {
  const { rating, deviation, volatility, answered, right, streak, best_streak: best, seen } = given;
  return (
    [rating, deviation, volatility].every(Number.isFinite) &&
    isPossible(given) &&
    [answered, right, streak, best].every(
      (count) => Number.isInteger(count) && count >= 0 && count <= MOST_ANSWERED,
    ) &&
    Array.isArray(seen) &&
    seen.length <= Math.min(MOST_SEEN, answered) &&
    seen.every((id) => typeof id === "string" && ID.test(id)) &&
    new Set(seen).size === seen.length &&
    right <= answered &&
    streak <= best &&
    best <= right
  );
}

/** @param {string} message */
function refusal(message) {
  return Object.assign(new DeviceError({ code: "malformed", sentence: "" }), { message });
}
