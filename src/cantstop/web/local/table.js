/**
 * A local table: what follows from its events, and the view that a page draws. It repeats Python's
 * `table/table.py` as far as a table on one device needs it; the rules are the module's.
 */

/** @typedef {import("../engine/game.js").Game} Game */
/** @typedef {import("../engine/game.js").Position} Position */
/** @typedef {import("../net/protocol.js").TableEvent} TableEvent */
/** @typedef {import("../net/protocol.js").View} View */
/** @typedef {Extract<TableEvent, {kind: "opened"}>["data"]} Opened */

/**
 * The game right before a decision that can be taken back.
 * @typedef {object} UndoPoint
 * @property {number} event  the number of the decision's event
 * @property {Position} position
 * @property {number} turn
 * @property {number} rolls
 * @property {number} rollsInTurn
 * @property {number[] | null} thrown
 * @property {UndoPoint | null} before
 */

/**
 * @typedef {object} Seat
 * @property {string | null} name
 * @property {number | null} colour
 * @property {string | null} bot
 * @property {string | null} substitute
 * @property {boolean} hinted
 * @property {boolean} resigned
 * @property {number} reactions
 */

/**
 * @typedef {object} Table
 * @property {string} id
 * @property {Game} game
 * @property {Opened} opened
 * @property {Seat[]} seats
 * @property {Position} position
 * @property {TableEvent[]} log  without views
 * @property {"open" | "playing" | "over"} stage
 * @property {number} turn
 * @property {number} rolls
 * @property {number} rollsInTurn
 * @property {number[] | null} thrown  the dice on the table, as they fell
 * @property {number} lastPlay  the number of the last event that changed the position
 * @property {UndoPoint | null} undo
 * @property {string | null} ended
 * @property {string | null} next
 */

const PLAYED = ["rolled", "moved", "stopped", "busted"];

/**
 * The table after its first event.
 * @param {string} id
 * @param {Game} game
 * @param {TableEvent} event
 * @returns {Table}
 */
export function opening(id, game, event) {
  const opened = /** @type {Opened} */ (event.data);
  return {
    ...{ id, game, opened, log: [event], stage: "open", position: game.initial(opened.youngest) },
    seats: opened.reserved.map(() => ({
      ...{ name: null, colour: null, bot: null, substitute: null },
      ...{ hinted: false, resigned: false, reactions: 0 },
    })),
    ...{ turn: 1, rolls: 0, rollsInTurn: 0, thrown: null, lastPlay: 0 },
    ...{ undo: null, ended: null, next: null },
  };
}

/**
 * The table that a list of events makes.
 * @param {string} id
 * @param {Game} game
 * @param {TableEvent[]} log
 */
export function tableOf(id, game, [first, ...others]) {
  return others.reduce(after, opening(id, game, first));
}

/**
 * The table after an event.
 * @param {Table} table
 * @param {TableEvent} event
 * @returns {Table}
 */
export function after(table, event) {
  const log = [...table.log, event];
  if (PLAYED.includes(event.kind)) return { ...played(table, event), log };
  return { ...table, ...changeBy(table, event), log };
}

/**
 * @param {Table} table
 * @param {TableEvent} event
 * @returns {Position}
 */
function positionAfter({ game, position }, event) {
  switch (event.kind) {
    case "rolled":
      return game.roll(position, event.data.dice);
    case "moved":
      return game.move(position, event.data.move.split("+").map(Number));
    case "stopped":
      return game.stop(position);
    default:
      return game.bust(position);
  }
}

/**
 * @param {Table} table
 * @param {TableEvent} event
 * @returns {Table}
 */
function played(table, event) {
  const position = positionAfter(table, event);
  const rolled = event.kind === "rolled";
  const turnOver = event.kind === "stopped" || event.kind === "busted";
  const inTurn = !table.position.rollOff && !turnOver;
  const undoable = table.opened.entered || !(rolled || event.kind === "busted");
  return {
    ...table,
    position,
    turn: table.turn + Number(turnOver && !position.winners),
    rolls: table.rolls + Number(rolled),
    rollsInTurn: inTurn ? table.rollsInTurn + Number(rolled) : 0,
    thrown: rolled && position.dice ? event.data.dice : null,
    lastPlay: event.n,
    undo: undoable ? undoPoint(table) : null,
  };
}

/**
 * @param {Table} table
 * @returns {UndoPoint}
 */
function undoPoint({ log, position, turn, rolls, rollsInTurn, thrown, undo }) {
  return { event: log.length + 1, position, turn, rolls, rollsInTurn, thrown, before: undo };
}

/**
 * What an event around the game changes.
 * @param {Table} table
 * @param {TableEvent} event
 * @returns {Partial<Table>}
 */
function changeBy(table, event) {
  switch (event.kind) {
    case "seated": {
      const { name, colour, bot } = event.data;
      return withSeat(table, event.seat, { name, colour, bot });
    }
    case "started":
      return { stage: "playing" };
    case "reacted":
      return withSeat(table, event.seat, { reactions: table.seats[event.seat].reactions + 1 });
    case "hinted":
      return withSeat(table, event.seat, { hinted: true });
    case "resigned":
      return withSeat(table, event.seat, { resigned: true });
    case "substituted":
      return withSeat(table, event.seat, { substitute: event.data.bot });
    case "takenback":
      return undone(table, event);
    case "finished":
      return { stage: "over", ended: event.data.reason ?? null };
    case "rematched":
      return { next: event.data.table };
    default:
      return {};
  }
}

/**
 * @param {Table} table
 * @param {TableEvent} event
 * @returns {Partial<Table>}
 */
function undone({ undo }, event) {
  if (!undo) throw new Error("there is nothing to take back");
  const { position, turn, rolls, rollsInTurn, thrown, before } = undo;
  const game = { position, turn, rolls, rollsInTurn, thrown, undo: before };
  return { ...game, stage: "playing", lastPlay: event.n };
}

/**
 * @param {Table} table
 * @param {number} which
 * @param {Partial<Seat>} change
 */
function withSeat({ seats }, which, change) {
  return { seats: seats.map((seat, at) => (at === which ? { ...seat, ...change } : seat)) };
}

/**
 * The bot whose turn it is, or null where a person's is, or nobody's.
 * @param {Table} table
 */
export function botToAct({ stage, seats, position }) {
  if (stage !== "playing") return null;
  const { bot, substitute } = seats[position.seat];
  return bot ?? substitute;
}

/**
 * The seat that may take back its last decision.
 * @param {Table} table
 */
export function takeBackSeat({ undo, stage, seats, opened, ended, next }) {
  if (!undo) return null;
  const goesOn = opened.entered && ended === null && next === null;
  const { seat } = undo.position;
  const byBot = seats[seat].bot ?? seats[seat].substitute;
  return (stage === "over" && !goesOn) || byBot !== null ? null : seat;
}

/**
 * The events of the game, without those that were taken back.
 * @param {Table} table
 */
export function playedEvents({ log }) {
  const undoneNumbers = new Set(
    log.flatMap((event) => (event.kind === "takenback" ? [event.data.event] : [])),
  );
  return log.filter(({ kind, n }) => PLAYED.includes(kind) && !undoneNumbers.has(n));
}

/**
 * What a page draws: the table's position with its dice as they fell.
 * @param {Table} table
 * @returns {View}
 */
export function viewOf(table) {
  const { game, position, thrown, opened } = table;
  const { lengths } = game.rules;
  const { tokens, runners, phase, dice, winners } = position;
  const shared = phase === "choice" && !position.mayStop ? sharedColumns(position) : [];
  const counted = opened.help && (phase === "roll" || phase === "choice");
  return {
    position: game.text(position),
    seat: position.seat,
    phase,
    lengths,
    tokens,
    runners,
    owners: lengths.map((length, at) => {
      const owner = tokens.findIndex((spaces) => spaces[at] === length);
      return owner < 0 ? null : owner;
    }),
    won: position.won,
    dice: thrown,
    splits: dice ? splitsOf(dice) : [],
    moves: position.moves.map((move) => ({
      move: move.join("+"),
      runners: game.move(position, move).runners,
    })),
    may_stop: position.mayStop,
    stop_reason: stopReason(position),
    shared,
    bust_chance: counted ? [game.busts(position), game.falls] : null,
    roll_off: position.rollOff,
    outcome: winners && {
      winners,
      ending: Math.max(...position.won) >= game.rules.win ? "columns" : "none-open",
    },
    turn: table.turn,
    rolls: table.rolls,
    take_back: takeBackSeat(table),
  };
}

/**
 * @param {Position} position
 * @returns {View["stop_reason"]}
 */
function stopReason({ phase, mayStop }) {
  if (phase === "choice") return mayStop ? null : "shared";
  if (phase === "start" || phase === "roll") return "first-move";
  return phase === "over" ? null : "dice";
}

/**
 * The columns whose runner stands with an opponent's token.
 * @param {Position} position
 */
function sharedColumns({ runners, tokens, seat }) {
  return runners.flatMap((space, at) =>
    space && tokens.some((spaces, other) => other !== seat && spaces[at] === space) ? [at + 2] : [],
  );
}

/**
 * The three ways to pair four dice, without repetitions.
 * @param {number[]} dice  the lowest first
 * @returns {[number, number][]}
 */
function splitsOf([a, b, c, d]) {
  /** @type {[number, number][]} */
  const all = [pair(a + b, c + d), pair(a + c, b + d), pair(a + d, b + c)];
  return all.filter(([low], at) => all.findIndex((other) => other[0] === low) === at);
}

/**
 * @param {number} one
 * @param {number} other
 * @returns {[number, number]}
 */
function pair(one, other) {
  return [Math.min(one, other), Math.max(one, other)];
}
