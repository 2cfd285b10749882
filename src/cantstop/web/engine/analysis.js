/** Hints and analyses as the server writes them (wire/insight.py), worked out here: the same numbers. */

/** @typedef {import("./game.js").Position} Position */
/** @typedef {import("./solver.js").SolvedGame} SolvedGame */
/** @typedef {Omit<import("../net/protocol.js").HintAnswer, "n">} HintView */
/** @typedef {import("../net/protocol.js").AnalysisAnswer} AnalysisAnswer */

/**
 * What to do in a position of a turn.
 * @param {SolvedGame} game
 * @param {Position} position
 * @returns {HintView}
 */
export function hint(game, position) {
  const mayRoll = ["roll", "choice"].includes(position.phase);
  return {
    ...heading(game, position),
    win: game.worths(position),
    bust: game.ahead(position, "best").bust,
    next_bust: mayRoll ? game.busts(position) / game.falls : null,
    error: errorOf(game, position),
    options: optionsOf(game, position),
  };
}

/**
 * Everything about a position; one without a turn is no error here.
 * @param {SolvedGame} game
 * @param {Position} position
 * @returns {AnalysisAnswer}
 */
export function analyse(game, position) {
  if (position.phase === "over") {
    const known = { win: finalWorths(position), bust: 0, error: { rms: 0, p99: 0 }, options: [] };
    return { ...heading(game, position), ...known, next_bust: null, rolls: null };
  }
  if (position.phase === "start") {
    const win = worthsBeforeStart(game, position);
    const options = [{ move: "roll", win: win[position.seat], then: null }];
    const known = { win, bust: 0, error: errorOf(game, position), options };
    return { ...heading(game, position), ...known, next_bust: null, rolls: null };
  }
  const found = hint(game, position);
  return { ...found, rolls: found.next_bust === null ? null : rollsOf(game, position) };
}

/**
 * @param {SolvedGame} game
 * @param {Position} position
 */
function heading(game, position) {
  const { seat, phase, tokens, runners } = position;
  const gained = runners.flatMap((space, at) =>
    space ? [[`${at + 2}`, space - tokens[seat][at]]] : [],
  );
  return {
    position: game.text(position),
    rules: game.rules.text,
    solo: game.rules.players === 1,
    seat,
    phase,
    at_stake: Object.fromEntries(gained),
  };
}

/**
 * Everything that can be done in a position, the best first.
 * @param {SolvedGame} game
 * @param {Position} position
 * @returns {HintView["options"]}
 */
export function optionsOf(game, position) {
  /** @type {HintView["options"]} */
  const found = [];
  if (position.phase === "move") {
    const { moves, stops } = game.look(position);
    position.moves.forEach((move, at) =>
      found.push({ move: move.join("+"), win: moves[at], then: stops[at] ? "stop" : "roll" }),
    );
  } else if (position.phase !== "bust") {
    const { stop, again } = game.look(position);
    if (position.mayStop) found.push({ move: "stop", win: stop, then: null });
    found.push({ move: "roll", win: again, then: null });
  }
  return found.sort((one, other) => other.win - one.win);
}

/**
 * What a game that is over is worth: winners share 1; alone no turn follows.
 * @param {Position} position
 */
export function finalWorths({ rules, winners }) {
  if (rules.players === 1 || !winners) return [0];
  return Array.from({ length: rules.players }, (_, seat) =>
    winners.includes(seat) ? 1 / winners.length : 0,
  );
}

/**
 * What a game is worth while it is settled who starts (M4): the mean over who may.
 * @param {SolvedGame} game
 * @param {Position} position
 */
export function worthsBeforeStart(game, position) {
  const { players } = game.rules;
  const total = Array(players).fill(0);
  if (!position.rollOff) return total;
  startingChances(position.rollOff, players, game.rules.sides).forEach((chance, seat) => {
    const opening = chance ? game.place({ ...position, seat, rollOff: null }) : null;
    if (!opening) return;
    game.solve(opening, true);
    game.worths(opening).forEach((worth, at) => (total[at] += chance * worth));
  });
  return total;
}

/**
 * The chance of each seat to start. Everything is counted in whole ways for the dice to fall, twelve
 * times, so that those who tie can share them: whole numbers are exact.
 * @param {{contenders: number[], sums: number[]}} rollOff
 * @param {number} players
 * @param {number} sides
 */
function startingChances({ contenders, sums }, players, sides) {
  const shares = 12;
  const falls = sides * sides;
  const missing = contenders.slice(sums.length);
  const ways = (/** @type {number} */ total) =>
    Math.max(0, Math.min(total - 1, 2 * sides + 1 - total));
  const found = Array(players).fill(0);
  for (let highest = 2; highest <= 2 * sides; highest += 1) {
    if (sums.some((total) => total > highest)) continue;
    const ahead = contenders.filter((_, at) => sums[at] === highest);
    let below = 0;
    for (let total = 2; total < highest; total += 1) below += ways(total);
    for (let tied = ahead.length ? 0 : 1; tied <= missing.length; tied += 1) {
      const rest = missing.length - tied;
      const times = choose(missing.length, tied) * ways(highest) ** tied * below ** rest;
      const each = (shares * times) / (ahead.length + tied);
      for (const seat of ahead) found[seat] += each;
      for (const seat of missing) found[seat] += (each * tied) / missing.length;
    }
  }
  return found.map((count) => count / (shares * falls ** missing.length));
}

/**
 * @param {number} all
 * @param {number} some
 */
function choose(all, some) {
  let ways = 1;
  for (let at = 0; at < some; at += 1) ways = (ways * (all - at)) / (at + 1);
  return ways;
}

/**
 * How far such worths are from the truth; null where nobody has measured it.
 * @param {SolvedGame} game
 * @param {Position} position
 */
export function errorOf(game, position) {
  const { rules, evaluator } = game;
  const stages = evaluator.errors[rules.text.replace(/,start=[\w-]+/, "")] ?? evaluator.errors.any;
  const found = stages?.[stageOf(position)] ?? stages?.all;
  return found ? { rms: found.rms, p99: found.within_99 } : null;
}

/**
 * How far the game has come, as of the start of the turn.
 * @param {Position} position
 */
function stageOf({ rules, won }) {
  if (won.includes(rules.win - 1)) return "end";
  return won.some(Boolean) ? "middle" : "opening";
}

/**
 * The roll map: every distinct roll that may come next.
 * @param {SolvedGame} game
 * @param {Position} position
 * @returns {NonNullable<AnalysisAnswer["rolls"]>}
 */
function rollsOf(game, position) {
  const dice = distinctRolls(game.rules.sides);
  return game.rolls(position).map(({ ways, worth, columns, stops }, at) => ({
    dice: dice[at],
    ways,
    bust: !columns.length,
    win: worth,
    best: columns.length ? columns.join("+") : null,
    then: columns.length ? (stops ? "stop" : "roll") : null,
  }));
}

/**
 * @param {number} sides
 * @returns {number[][]} the lowest dice first
 */
function distinctRolls(sides) {
  /** @type {number[][]} */
  let found = [[]];
  for (let die = 0; die < 4; die += 1)
    found = found.flatMap((dice) => {
      const least = dice.at(-1) ?? 1;
      return Array.from({ length: sides - least + 1 }, (_, at) => [...dice, least + at]);
    });
  return found;
}
