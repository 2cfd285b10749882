/** What bots do at a local table: the levels of the ladder by their judgement, the others by theirs. */

import { filesIndex, botRecords, namedEvaluator, engineModule } from "../engine/files.js";
import { positionAt, solvedGame } from "../engine/games.js";
import { SolvedGame } from "../engine/solver.js";

/** @typedef {import("../engine/game.js").Position} Position */

/** The bot that plays by the evaluator for any game. */
const EXPERT = "expert";
const NO_JUDGEMENT = 0;

/**
 * What a bot does: the number of a move, or "stop" or "roll".
 * @param {string} name
 * @param {Position} position
 * @returns {Promise<number | "stop" | "roll">}
 */
export async function botDecision(name, position) {
  if (position.moves.length === 1) return 0;
  if (!position.moves.length && !position.mayStop) return "roll";
  const { judgements } = await filesIndex();
  const judgement = judgements[name];
  const found = judgement
    ? await byJudgement(judgement, position)
    : await bySimpleBot(name, position);
  if (position.moves.length) return found;
  return found ? "stop" : "roll";
}

/**
 * What a bot does in any position, as text.
 * @param {string} name
 * @param {string} text
 */
export async function botAction(name, text) {
  const { position } = await positionAt(text);
  const found = await botDecision(name, position);
  return typeof found === "number" ? position.moves[found].join("+") : found;
}

/**
 * @param {Record<string, number>} judgement
 * @param {Position} position
 */
async function byJudgement(judgement, position) {
  return judged(await solvedGame(position.rules), judgement, position);
}

/**
 * @param {SolvedGame} game
 * @param {Record<string, number>} judgement
 * @param {Position} position
 */
function judged(game, judgement, position) {
  if (judgement.person !== NO_JUDGEMENT) {
    game.solve(position);
    game.put(position);
    return game.engine.judge(judgement);
  }
  const { moves, stops_here } = game.look(position);
  if (!position.moves.length) return stops_here;
  const worths = moves.slice(0, position.moves.length);
  return worths.indexOf(Math.max(...worths));
}

/**
 * @param {string} name
 * @param {Position} position
 */
async function bySimpleBot(name, position) {
  if (name === EXPERT) {
    const { best, otherwise } = await filesIndex();
    const alone = position.rules.players === 1 ? best[position.rules.text] : undefined;
    const evaluator = await namedEvaluator(alone ?? otherwise);
    const game = new SolvedGame(await engineModule(), position.rules, evaluator);
    return judged(game, { person: NO_JUDGEMENT }, position);
  }
  const record = (await botRecords())[name];
  const game = await solvedGame(position.rules);
  game.engine.clear("bot");
  const [key, number] = crypto.getRandomValues(new BigUint64Array(2));
  game.engine.exports.open_draws(key, number, 0, 0);
  game.put(position);
  return game.engine.decide(record);
}
