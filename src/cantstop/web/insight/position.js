/** Positions drawn and changed; `web/core/position.js` reads and writes their text. */

import { splitsOf } from "../core/odds.js";
import { noSpaces, readPosition } from "../core/position.js";
import { gameOf } from "../verify/game.js";

/** @typedef {import("../core/position.js").Position} Position */
/** @typedef {import("../net/protocol.js").View} View */

/**
 * With a token of a seat on a space of a column, or on none. Who wins a column has it alone.
 * @param {Position} position
 * @param {number} seat
 * @param {number} index  of the column, from 0
 * @param {number} space  0 for none
 * @returns {Position}
 */
export function withToken(position, seat, index, space) {
  const wins = space === position.lengths[index];
  const tokens = position.tokens.map((spaces, at) => {
    if (at === seat) return spaces.with(index, space);
    return wins || spaces[index] === position.lengths[index] ? spaces.with(index, 0) : spaces;
  });
  const runners = wins ? position.runners.with(index, 0) : position.runners;
  return { ...position, tokens, runners };
}

/**
 * @param {Position} position
 * @param {number} index
 * @param {number} space  0 for none
 * @returns {Position}
 */
export function withRunner(position, index, space) {
  return { ...position, runners: position.runners.with(index, space) };
}

/**
 * @param {Position} position
 * @param {number} players
 * @returns {Position}
 */
export function withPlayers(position, players) {
  const tokens = Array.from(
    { length: players },
    (_, seat) => position.tokens[seat] ?? noSpaces(position.lengths),
  );
  return { ...position, players, tokens, seat: Math.min(position.seat, players - 1) };
}

/**
 * The position after a move or a stop, by the rules.
 * @param {Position} position
 * @param {string} action
 * @returns {Position}
 */
export function afterAction(position, action) {
  const game = gameOf(position);
  if (action === "stop") game.stop();
  else game.move(action.split("+").map(Number));
  return {
    ...position,
    tokens: game.tokens.map((spaces) => spaces.slice(2)),
    runners: game.runners.slice(2),
    seat: game.seat,
    dice: [],
  };
}

/**
 * What a board draws.
 * @param {Position} position
 * @returns {View}
 */
export function viewOf(position) {
  const { lengths, tokens, seat, runners } = position;
  const game = gameOf(position);
  const owners = lengths.map((_, index) => {
    const owner = game.owner(index + 2);
    return owner < 0 ? null : owner;
  });
  return /** @type {View} */ ({ lengths, tokens, seat, runners, owners });
}

/**
 * A position as the board and the buttons of a turn draw it.
 * @param {string} text
 * @param {string[]} [moves]  the moves to choose from
 * @returns {View}
 */
export function viewAt(text, moves = []) {
  const position = readPosition(text);
  const dice = position.dice.length ? position.dice : null;
  const running = position.runners.some(Boolean);
  return {
    ...viewOf(position),
    position: text,
    dice,
    phase: gameOf(position).winners ? "over" : dice ? "move" : running ? "choice" : "roll",
    may_stop: running && !dice,
    stop_reason: null,
    shared: [],
    bust_chance: null,
    splits: dice ? splitsOf(dice) : [],
    moves: moves.map((move) => ({ move, runners: afterAction(position, move).runners })),
  };
}

/**
 * The seats of a position, which have no names.
 * @param {Position} position
 * @returns {import("../net/state.js").Seat[]}
 */
export function seatsOf({ tokens }) {
  return tokens.map((_, colour) => ({
    kind: "human",
    name: null,
    colour,
    bot: null,
    present: true,
    substitute: null,
  }));
}
