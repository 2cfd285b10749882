/**
 * The engine's files, loaded when they are first needed: the module, and the evaluator of a game. The
 * index says which evaluator is best for which rules, and has what is known of the bots.
 */

import { BadModule, compileModule } from "./module.js";

/**
 * @typedef {object} Index
 * @property {string} module  addresses are relative to the index's own
 * @property {Record<string, string>} evaluators  their addresses by name
 * @property {Record<string, string>} best  the evaluator of a game by its rules, where they are not
 *   for any game
 * @property {string} otherwise  the evaluator for any game
 * @property {string} bots  the records of simple bots
 * @property {Record<string, Record<string, number>>} judgements  of the levels of the ladder
 * @property {Record<string, {rules: string, turns: string[]}>} lessons
 * @property {{bot: string, style: string}} teacher  of lessons: who sits there, and how it plays
 * @property {string} substitute  the bot that plays on for who resigns
 * @property {Record<string, string>} starts  who starts, by edition
 * @property {number} par  turns that best play of a solo game needs
 * @property {import("./played-like.js").Curve} played_like
 * @property {string} drills  the positions to practise
 */

/** Files that cannot be loaded: there is no connection, or they belong to another release. */
export class FilesMissing extends Error {}

/** @type {string} */
let address = "";
/** @type {Promise<Index> | null} */
let index = null;
/** @type {Promise<WebAssembly.Module> | null} */
let compiled = null;
/** @type {Map<string, Promise<import("./solver.js").Evaluator>>} */
const evaluators = new Map();

/** @param {string} given  where the index is */
export function useFiles(given) {
  address = given;
}

/**
 * @param {string} file
 * @returns {Promise<ArrayBuffer>}
 */
async function load(file) {
  try {
    const answer = await fetch(file);
    if (answer.ok) return await answer.arrayBuffer();
  } catch {
    // said below
  }
  throw new FilesMissing(file);
}

/**
 * What a promise brings, once; if it fails, the next call tries again.
 * @template T
 * @param {Promise<T>} asked
 * @param {() => void} failed
 */
function kept(asked, failed) {
  asked.catch(failed);
  return asked;
}

/** @returns {Promise<Index>} */
export function filesIndex() {
  index ??= kept(
    load(address).then((content) => JSON.parse(new TextDecoder().decode(content))),
    () => (index = null),
  );
  return index;
}

/**
 * The records of the simple bots, by name.
 * @returns {Promise<Record<string, Record<string, number[]>>>}
 */
export async function botRecords() {
  const content = await load(at((await filesIndex()).bots));
  return JSON.parse(new TextDecoder().decode(content));
}

/** The text of the drills, a line each. */
export async function drillLines() {
  const content = await load(at((await filesIndex()).drills));
  return new TextDecoder().decode(content).trimEnd().split("\n");
}

/** @returns {Promise<WebAssembly.Module>} */
export function engineModule() {
  compiled ??= kept(
    filesIndex()
      .then(({ module }) => load(at(module)))
      .then(compileModule)
      .catch((error) => {
        throw error instanceof BadModule ? new FilesMissing(error.message) : error;
      }),
    () => (compiled = null),
  );
  return compiled;
}

/**
 * The evaluator that is best for a game.
 * @param {import("./notation.js").Rules} rules
 * @returns {Promise<import("./solver.js").Evaluator>}
 */
export async function evaluatorFor({ text }) {
  const { best, otherwise } = await filesIndex();
  return namedEvaluator(best[text.replace(/,start=[\w-]+/, "")] ?? otherwise);
}

/**
 * @param {string} name
 * @returns {Promise<import("./solver.js").Evaluator>}
 */
export function namedEvaluator(name) {
  let found = evaluators.get(name);
  if (!found) {
    found = kept(loadEvaluator(name), () => evaluators.delete(name));
    evaluators.set(name, found);
  }
  return found;
}

/**
 * A file has the length of a header in four bytes, the header in JSON, then the numbers.
 * @param {string} name
 */
async function loadEvaluator(name) {
  const content = await load(at((await filesIndex()).evaluators[name]));
  const size = new DataView(content).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(content, 4, size)));
  return { ...header, name, data: new Uint8Array(content, 4 + size) };
}

/** @param {string} file */
function at(file) {
  return new URL(file, new URL(address, location.href)).href;
}
