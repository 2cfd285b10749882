/**
 * Drills on the device, as `cantstop.drills` has them: which comes next, what an answer is worth, what
 * speaks for it, and the player's progress. What is said in words is for the page.
 */

import { sha256 } from "../core/sha256.js";
import { botRecords, drillLines, engineModule } from "./files.js";
import { Game } from "./game.js";
import { rated } from "./glicko.js";
import { readPosition } from "./notation.js";
import { Refusal } from "./refusal.js";

/** @typedef {import("./game.js").Position} Position */
/** @typedef {import("../net/protocol.js").DrillProgress} Progress */
/** @typedef {import("../net/protocol.js").Topic} Topic */
/** @typedef {import("../net/protocol.js").OptionView} Option */

/**
 * A drill as its file has it.
 * @typedef {object} Drill
 * @property {string} id
 * @property {Topic} topic
 * @property {number} difficulty
 * @property {number[]} worths  of the legal moves, or of stop and roll
 * @property {("stop" | "roll" | null)[]} thens  what to do after each move
 * @property {string} text  of the position
 * @property {string} players  the number of them, as the text has it
 */

/**
 * What there is to say about an answer.
 * @typedef {object} Facts
 * @property {number[]} runners
 * @property {number | null} nextBust  where rolling is a choice
 * @property {[string, number][]} bustsAfter  the chance of a bust after each move
 * @property {[number, number][]} stake  columns, and the spaces that a bust would take there
 * @property {boolean} winsNow  whether stopping wins
 * @property {number} points  what the turn has brought, as Rule of 28 counts
 * @property {number} threshold
 * @property {boolean} inHand  whether a runner is left
 * @property {string} ruleOf28  what it would do
 * @property {{about: "top" | "middle", answer: string} | null} advice  of the rulebooks
 */

const ID_LENGTH = 10;
const TURN_UNITS = 1_000;
const WIN_UNITS = 10_000;
const NEAREST = 20;
const MOST_SEEN = 100_000;
const DRILL_DEVIATION = 60;
const MIDDLE = 7;
const RULE_OF_28 = "rule-of-28";

/** @type {Promise<Drill[]> | null} the easiest first */
let drills = null;

/** @returns {Promise<Drill[]>} */
function allDrills() {
  drills ??= drillLines().then((lines) => lines.map(drillOf));
  drills.catch(() => (drills = null));
  return drills;
}

/** @param {string} line such as `stop 1612 4710,5080 v1,players=2 -/6:5 1 6:6 -` */
function drillOf(line) {
  const [topic, difficulty, listed, ...position] = line.split(" ");
  const text = position.join(" ");
  const players = /players=(\d)/.exec(position[0])?.[1] ?? "";
  const units = players === "1" ? TURN_UNITS : WIN_UNITS;
  const worths = listed.split(",");
  return /** @type {Drill} */ ({
    ...{ topic, text, players, difficulty: Number(difficulty) },
    id: sha256(text).slice(0, ID_LENGTH),
    worths: worths.map((worth) => parseInt(worth, 10) / units),
    thens: worths.map((worth) => ({ r: "roll", s: "stop" })[worth.at(-1) ?? ""] ?? null),
  });
}

/**
 * A drill near the rating that was not seen yet, or the one seen longest ago.
 * @param {Progress} progress
 * @param {Topic | null} topic
 * @param {number | null} players
 * @returns {Promise<import("../net/protocol.js").NextDrillAnswer>}
 */
export async function nextDrill(progress, topic, players) {
  const wanted = (await allDrills()).filter(
    (drill) =>
      drill.topic === (topic ?? (drill.topic === "variant" ? null : drill.topic)) &&
      (players === null || drill.players === `${players}`),
  );
  const seen = new Set(progress.seen);
  const fresh = wanted.filter(({ id }) => !seen.has(id));
  const known = new Map(wanted.map((drill) => [drill.id, drill]));
  const drill = fresh.length
    ? anyOf(nearest(fresh, progress.rating))
    : known.get(progress.seen.find((id) => known.has(id)) ?? "");
  if (!drill) throw new Refusal("not-found", "no-drill");
  const { options } = await opened(drill);
  return {
    ...{ id: drill.id, topic: drill.topic, difficulty: drill.difficulty, position: drill.text },
    solo: drill.players === "1",
    answers: options.map(({ move }) => move),
  };
}

/**
 * @template T
 * @param {T[]} items
 */
function anyOf(items) {
  return items[Math.floor(Math.random() * items.length)];
}

/**
 * The drills whose difficulty is nearest to a rating.
 * @param {Drill[]} all
 * @param {number} rating
 */
export function nearest(all, rating) {
  const above = all.findIndex(({ difficulty }) => difficulty >= rating);
  let high = above < 0 ? all.length : above;
  let low = high;
  while (high - low < Math.min(NEAREST, all.length)) {
    const up = high < all.length ? all[high].difficulty - rating : Infinity;
    const down = low ? rating - all[low - 1].difficulty : Infinity;
    if (up < down) high += 1;
    else low -= 1;
  }
  return all.slice(low, high);
}

/**
 * A drill's position, with every answer as a player finds them.
 * @param {Drill} drill
 */
async function opened({ text, worths, thens }) {
  const placed = readPosition(text);
  const game = placed && new Game(await engineModule(), placed.rules);
  const position = placed && game?.place(placed);
  if (!game || !position) throw new Refusal("not-found", "no-drill");
  const moves = position.moves.map((move) => move.join("+"));
  const answers = moves.length ? moves : ["stop", "roll"];
  /** @type {Option[]} */
  const options = answers.map((move, at) => ({ move, win: worths[at], then: thens[at] }));
  return { game, position, options };
}

/**
 * What an answer is worth, and what it makes of a progress.
 * @param {string} id
 * @param {string} answer
 * @param {Progress} progress
 */
export async function answerDrill(id, answer, progress) {
  const drill = (await allDrills()).find((each) => each.id === id);
  if (!drill) throw new Refusal("not-found", "no-drill");
  const { game, position, options } = await opened(drill);
  const given = options.find(({ move }) => move === answer);
  if (!given) throw new Refusal("not-found", "no-drill");
  const ranked = options.toSorted((one, other) => other.win - one.win);
  const right = given.move === ranked[0].move;
  return {
    right,
    solo: drill.players === "1",
    lost: ranked[0].win - given.win,
    options: ranked,
    facts: await factsOf(game, position),
    progress: after(progress, drill, right),
  };
}

/**
 * The progress with one more answer; a drill that was seen before changes the rating no more.
 * @param {Progress} progress
 * @param {Drill} drill
 * @param {boolean} right
 * @returns {Progress}
 */
function after(progress, { id, difficulty }, right) {
  const streak = right ? progress.streak + 1 : 0;
  const opponent = { rating: difficulty, deviation: DRILL_DEVIATION };
  return {
    ...progress,
    ...(progress.seen.includes(id) ? {} : rated(progress, opponent, Number(right))),
    answered: progress.answered + 1,
    right: progress.right + Number(right),
    streak,
    best_streak: Math.max(streak, progress.best_streak),
    seen: [...progress.seen.filter((one) => one !== id), id].slice(-MOST_SEEN),
  };
}

/**
 * Everything about a drill's position that makes an answer right or wrong.
 * @param {Game} game
 * @param {Position} position
 * @returns {Promise<Facts>}
 */
async function factsOf(game, position) {
  const { runners, rules, seat, tokens, moves, won } = position;
  const chance = (/** @type {Position} */ at) => game.busts(at) / game.falls;
  const tops = runners.filter((space, at) => space === rules.lengths[at]).length;
  const out = runners.flatMap((space, at) => (space ? [at + 2] : []));
  const bot = (await botRecords())[RULE_OF_28];
  return {
    runners,
    nextBust: moves.length ? null : chance(position),
    bustsAfter: moves.map((move) => [move.join("+"), chance(game.move(position, move))]),
    stake: out.map((column) => [column, runners[column - 2] - tokens[seat][column - 2]]),
    winsNow: !moves.length && won[seat] + tops >= rules.win,
    points: turnScore(bot, position, out),
    threshold: bot.threshold[0],
    inHand: out.length < rules.runners,
    ruleOf28: decisionOf(game, position, bot),
    advice: moves.length ? middleAdvice(moves) : tops ? { about: "top", answer: "stop" } : null,
  };
}

/**
 * What a bot does.
 * @param {Game} game
 * @param {Position} position
 * @param {Record<string, number[]>} bot
 */
function decisionOf(game, position, bot) {
  game.engine.clear("bot");
  game.put(position);
  const found = game.engine.decide(bot);
  if (position.moves.length) return position.moves[found].join("+");
  return found ? "stop" : "roll";
}

/**
 * What the turn has brought so far, in a bot's points.
 * @param {Record<string, number[]>} bot
 * @param {Position} position
 * @param {number[]} out  the columns with a runner
 */
function turnScore(bot, { runners, tokens, seat, rules }, out) {
  let score = 0;
  for (const column of out)
    score += bot.progress[column] * (runners[column - 2] - tokens[seat][column - 2] + 1);
  if (out.length < rules.runners) return score;
  if (out.every((column) => column % 2 === 0)) score += bot.even[0];
  else if (out.every((column) => column % 2)) score += bot.odd[0];
  if (out.every((column) => column <= MIDDLE)) score += bot.low[0];
  else if (out.every((column) => column >= MIDDLE)) score += bot.high[0];
  return score;
}

/**
 * The move in the likeliest columns, where one is likelier than all others.
 * @param {number[][]} moves
 * @returns {Facts["advice"]}
 */
function middleAdvice(moves) {
  const ways = (/** @type {number[]} */ move) =>
    move.reduce((sum, column) => sum + MIDDLE - 1 - Math.abs(MIDDLE - column), 0);
  const [one, other] = moves.toSorted((a, b) => ways(b) - ways(a));
  return ways(one) > ways(other) ? { about: "middle", answer: one.join("+") } : null;
}
