/**
 * What an action at a local table leads to: the events of it, as the server's `server/tables` decides.
 * Pure: dice and time are handed in.
 */

import { Refusal } from "../engine/refusal.js";
import { after, botToAct, takeBackSeat } from "./table.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../net/protocol.js").TableEvent} TableEvent */
/** @typedef {import("../net/socket.js").NewAction & {n?: number | null}} Action */

/** More than the longest game has. */
const MOST_EVENTS = 50_000;
const MOST_REACTIONS = 300;
/** Turns for each seat after which a game is ended, and nobody has won. */
const MOST_TURNS_PER_SEAT = 300;

/**
 * What decisions need from outside.
 * @typedef {object} World
 * @property {string} at  the time, as events have it
 * @property {(sides: number, count: number) => number[]} throwDice
 * @property {string} substitute  the bot that plays on for who resigns
 * @property {string[]} [script]  the dice of a lesson, by turn
 */

/** A table that grows by events. */
class Growing {
  /** @type {TableEvent[]} */
  events = [];

  /**
   * @param {Table} table
   * @param {string} at
   */
  constructor(table, at) {
    this.table = table;
    this.at = at;
  }

  /**
   * @param {string} kind
   * @param {number | null} seat
   * @param {object} data
   */
  add(kind, seat, data) {
    const event = { n: this.table.log.length + 1, at: this.at, kind, seat, data };
    this.table = after(this.table, /** @type {TableEvent} */ (event));
    this.events.push(/** @type {TableEvent} */ (event));
    return this.table;
  }
}

/**
 * The events that an action leads to.
 * @param {Table} table
 * @param {Action} action
 * @param {World} world
 * @param {boolean} [byBot]
 * @returns {TableEvent[]}
 */
export function decide(table, action, world, byBot = false) {
  const growing = new Growing(table, world.at);
  if (table.log.length >= MOST_EVENTS) throw new Refusal("not-now", "too-long");
  switch (action.kind) {
    case "roll":
    case "move":
    case "stop":
      checkTurn(table, action, byBot);
      play(growing, action, world);
      break;
    case "react":
      if (table.seats[action.seat].reactions >= MOST_REACTIONS)
        throw new Refusal("not-now", "reacted-enough");
      growing.add("reacted", action.seat, { reaction: action.reaction });
      break;
    case "takeback":
      takeBack(growing, action);
      break;
    case "resign":
      resign(growing, action.seat, world);
      break;
    default:
      throw new Refusal("not-now", "needs-server");
  }
  return growing.events;
}

/**
 * @param {Table} table
 * @param {Action} action
 * @param {boolean} byBot
 */
function checkTurn(table, action, byBot) {
  if (table.stage === "over") throw new Refusal("not-now", "over");
  if (table.position.seat !== action.seat) throw new Refusal("not-your-turn", "not-your-turn");
  if (byBot !== (botToAct(table) !== null)) throw new Refusal("not-now", "bot-plays");
  if (isStale(table, action)) throw new Refusal("stale", "stale");
}

/**
 * @param {Table} table
 * @param {Action} action
 */
function isStale({ lastPlay }, { n }) {
  return n !== undefined && n !== null && n < lastPlay;
}

/**
 * @param {Growing} growing
 * @param {Action} action
 * @param {World} world
 */
function play(growing, action, world) {
  const { position, opened } = growing.table;
  if (action.kind === "roll") return roll(growing, action.dice ?? null, world);
  if (action.kind === "move") {
    const legal = position.moves.some((move) => move.join("+") === action.move);
    if (!legal) throw new Refusal("illegal", "illegal-move");
    growing.add("moved", position.seat, { move: action.move });
    return undefined;
  }
  if (!position.mayStop) throw new Refusal("illegal", "no-stop");
  const before = position.tokens[position.seat];
  const won = opened && tops(growing, position.runners, before);
  growing.add("stopped", position.seat, { won });
  return endTurn(growing);
}

/**
 * The columns that stopping wins.
 * @param {Growing} growing
 * @param {number[]} runners
 * @param {number[]} before
 */
function tops({ table }, runners, before) {
  const { lengths } = table.game.rules;
  return runners.flatMap((space, at) =>
    space === lengths[at] && before[at] !== space ? [at + 2] : [],
  );
}

/**
 * @param {Growing} growing
 * @param {number[] | null} entered
 * @param {World} world
 */
function roll(growing, entered, world) {
  const { position, opened, rolls, game } = growing.table;
  const { seat, phase, rollOff } = position;
  const count = rollOff ? 2 : 4;
  if (!["start", "roll", "choice"].includes(phase)) throw new Refusal("illegal", "use-dice");
  if (!opened.entered && entered) throw new Refusal("malformed", "dice-here");
  if (opened.entered && !entered) throw new Refusal("not-now", "enter-dice");
  const dice =
    entered ?? prepared(growing.table, world) ?? world.throwDice(game.rules.sides, count);
  const fit = dice.length === count && dice.every((die) => die >= 1 && die <= game.rules.sides);
  if (!fit) throw new Refusal("malformed", "wrong-dice");
  const { position: thrown } = growing.add("rolled", seat, { dice, roll: rolls + 1 });
  if (thrown.phase !== "bust") return;
  growing.add("busted", seat, {});
  endTurn(growing);
}

/**
 * The dice that a lesson has for the next roll, if it has any left for this turn.
 * @param {Table} table
 * @param {World} world
 */
function prepared({ turn, rollsInTurn }, { script }) {
  const dice = script?.[turn - 1]?.split(" ")[rollsInTurn];
  return dice ? [...dice].map(Number) : null;
}

/** @param {Growing} growing */
function endTurn(growing) {
  const { position, turn, seats } = growing.table;
  if (position.winners) growing.add("finished", null, { winners: position.winners, secret: null });
  else if (turn > MOST_TURNS_PER_SEAT * seats.length)
    growing.add("finished", null, { winners: [], secret: null, reason: "turns" });
}

/**
 * Who sits at one screen with all others takes back at once; a bust goes with its roll.
 * @param {Growing} growing
 * @param {Action} action
 */
function takeBack(growing, action) {
  const { table } = growing;
  if (takeBackSeat(table) !== action.seat) throw new Refusal("not-now", "nothing-to-take-back");
  if (isStale(table, action)) throw new Refusal("stale", "stale");
  do growing.add("takenback", action.seat, { event: growing.table.undo?.event });
  while (growing.table.position.phase === "bust");
}

/**
 * @param {Growing} growing
 * @param {number} seat
 * @param {World} world
 */
function resign(growing, seat, { substitute }) {
  const { stage, seats, opened } = growing.table;
  if (stage === "over") throw new Refusal("not-now", "over");
  if (seats[seat].resigned) throw new Refusal("not-now", "resigned-already");
  if (opened.entered && seats.length > 2) throw new Refusal("not-now", "play-to-the-end");
  const { seats: now } = growing.add("resigned", seat, {});
  const left = now.flatMap(({ resigned }, at) => (resigned ? [] : [at]));
  if (left.length === 1 || left.every((at) => now[at].bot !== null)) {
    const winners = left.length === 1 ? left : [];
    growing.add("finished", null, { winners, secret: null, reason: "resigned" });
  } else if (!seats[seat].substitute)
    growing.add("substituted", seat, { bot: substitute, by: seat, reason: "resigned" });
}
