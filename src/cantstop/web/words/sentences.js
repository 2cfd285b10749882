/** Sentences about the game: events, prompts, outcomes, and the names of seats and bots. */

import { playedEvents } from "../core/played-events.js";
import { turnsText } from "./counts.js";
import { joinList, number, percent, plural, t } from "./i18n.js";

/** @typedef {import("../net/state.js").State} State */
/** @typedef {import("../net/protocol.js").TableEvent} TableEvent */
/** @typedef {import("../net/protocol.js").PlayView} PlayView */
/** @typedef {{name: string | null, bot: string | null}} Named */

/**
 * What a seat is called; bots go by their kind.
 * @param {Named | undefined} seat
 * @param {number} index
 */
export function seatName(seat, index) {
  if (seat?.bot) return botName(seat.bot);
  return seat?.name || t("Seat {number}", { number: index + 1 });
}

/**
 * Who sits at a table; a guest who has not come yet is a "…".
 * @param {State} state
 */
export function tableTitle({ seats }) {
  return seats.map((seat, index) => (seat.name ? seatName(seat, index) : "…")).join(" – ");
}

/**
 * What an event says, or "" for one that nobody needs to hear of.
 * @param {TableEvent} event
 * @param {State} state
 */
export function eventText(event, state) {
  const name = event.seat === null ? "" : seatName(state.seats[event.seat], event.seat);
  switch (event.kind) {
    case "seated":
      return t("{name} sits down.", { name });
    case "revealed":
      return event.data.turn
        ? t("{name} adds a number to the dice.", { name })
        : t("{name} is ready.", { name });
    case "saltlost":
      return t("{name} has lost their number, and plays without it.", { name });
    case "redrawn":
      return t("{name} did not reveal their number: all draw new ones.", { name });
    case "started":
      return t("The game begins.");
    case "rolled":
    case "moved":
    case "stopped": {
      const text = playText({ kind: event.kind, ...event.data }, name);
      return event.data.ordered ? t("By standing order: {text}", { text }) : text;
    }
    case "ordered":
      return t("{name} gives a standing order: {order}.", {
        name,
        order: orderText(event.data.order),
      });
    case "revoked":
      return t("{name}’s standing order is over.", { name });
    case "busted":
      return bustedText(name, stepsLost(state, event.n));
    case "hinted":
      return t("{name} uses hints.", { name });
    case "substituted":
      return substitutedText(state, event.data, name);
    case "resigned":
      return typeof event.data.by === "number"
        ? t("{name} has missed two turns in a row: the seat is given up.", { name })
        : t("{name} resigns.", { name });
    case "asked":
      return t("{name} asks to take back their last decision.", { name });
    case "declined":
      return t("{name} does not agree.", { name });
    case "takenback":
      return t("{name} takes back the last decision.", { name });
    case "returned":
      // at a slow table a bot plays one turn, and nobody has come back
      return state.days && state.stage === "playing" ? "" : t("{name} is back.", { name });
    case "finished":
      return endedText(state, event.data) || outcomeText(state, event.data.winners);
    case "rematched":
      return t("{name} offers a rematch.", { name });
    default:
      return "";
  }
}

/**
 * What a standing order says.
 * @param {import("../net/protocol.js").Order} order
 */
export function orderText({ runners, column, bust }) {
  const parts = [];
  if (runners) parts.push(t("roll until three runners are out"));
  if (column) parts.push(t("stop when a column is won"));
  if (bust)
    parts.push(t("stop above a bust chance of {percent}", { percent: percent(bust / 100) }));
  return joinList(parts);
}

/**
 * What a player did in their turn.
 * @param {Partial<Pick<PlayView, "dice" | "move" | "won">> & Pick<PlayView, "kind">} play
 * @param {string} name
 */
export function playText({ kind, dice, move, won }, name) {
  switch (kind) {
    case "rolled":
      return t("{name} rolls {dice}.", { name, dice: (dice ?? []).join(" ") });
    case "moved":
      return movedText(name, (move ?? "").split("+").map(Number));
    case "stopped":
      return stoppedText(name, won ?? []);
    default:
      return bustedText(name, 0);
  }
}

/**
 * @param {string} name
 * @param {number[]} won
 */
function stoppedText(name, won) {
  if (!won.length) return t("{name} stops.", { name });
  return won.length === 1
    ? t("{name} stops and wins column {column}!", { name, column: won[0] })
    : t("{name} stops and wins columns {columns}!", { name, columns: joinList(won) });
}

/**
 * @param {string} name
 * @param {number[]} columns
 */
function movedText(name, columns) {
  if (columns.length === 2 && columns[0] === columns[1]) {
    return t("{name} takes two steps in column {column}.", { name, column: columns[0] });
  }
  return t("{name} climbs in {columns}.", { name, columns: joinList(columns) });
}

/**
 * @param {string} name
 * @param {number} steps
 */
function bustedText(name, steps) {
  if (!steps) return t("{name} busts.", { name });
  const fields = { name, count: steps };
  return plural(
    steps,
    t("{name} busts and loses {count} step.", fields),
    t("{name} busts and loses {count} steps.", fields),
  );
}

/**
 * The steps that the turn had made when it ended with event n: what a bust costs.
 * @param {State} state
 * @param {number} n
 */
export function stepsLost({ log }, n) {
  let steps = 0;
  for (const event of playedEvents(log).reverse()) {
    if (event.n >= n) continue;
    if (["stopped", "busted"].includes(event.kind)) break;
    if (event.kind === "moved") steps += event.data.move.split("+").length;
  }
  return steps;
}

/**
 * What was thrown for the start, by seat, until the first roll of the game; null where nobody did.
 * @param {State} state
 * @returns {(number[] | null)[] | null}
 */
export function startThrows({ log, seats }) {
  const rolls = playedEvents(log).flatMap((event) => (event.kind === "rolled" ? [event] : []));
  if (!rolls.length || rolls.some((event) => event.data.dice.length !== 2)) return null;
  return seats.map((_, seat) => rolls.findLast((event) => event.seat === seat)?.data.dice ?? null);
}

/**
 * Who has won; to the only player at this screen as "you".
 * @param {State} state
 * @param {number[]} winners
 * @param {number[]} [mine]
 */
export function outcomeText(state, winners, mine = []) {
  if (state.seats.length === 1)
    return t("Finished in {turns}!", { turns: turnsText(state.view.turn) });
  const own = mine.length === 1 && winners.includes(mine[0]);
  const others = own ? winners.filter((seat) => seat !== mine[0]) : winners;
  const names = others.map((seat) => seatName(state.seats[seat], seat));
  if (own)
    return others.length
      ? t("You share the win with {names}!", { names: joinList(names) })
      : t("You win!");
  return winners.length === 1
    ? t("{name} wins the game!", { name: names[0] })
    : t("{names} share the win!", { names: joinList(names) });
}

/**
 * That a bot plays for a player, and for how long.
 * @param {State} state
 * @param {{reason?: string | null}} substituted
 * @param {string} name
 */
function substitutedText(state, { reason }, name) {
  if (reason !== "time") return t("A bot plays for {name}.", { name });
  return state.days
    ? t("{name}’s time is up: a bot plays this turn.", { name })
    : t("{name}’s time is up: a bot plays on.", { name });
}

/**
 * How a game ended before its end by the rules; "" for all others.
 * @param {State} state
 * @param {{winners: number[], reason?: import("../net/protocol.js").EndReason | null}} finished
 */
function endedText({ view, seats }, { winners, reason }) {
  switch (reason) {
    case "resigned":
      return winners.length
        ? resignedText(seats, winners[0])
        : t("The game was given up: nobody has won.");
    case "turns":
      return t("The game was ended after {turns}: nobody has won.", {
        turns: turnsText(view.turn - 1),
      });
    case "missed":
      return t("Everybody has missed two turns in a row: nobody has won.");
    case "closed":
      return t("The operator of the server has closed this table.");
    default:
      return "";
  }
}

/**
 * Who has won because all others resigned, by their names.
 * @param {Named[]} seats
 * @param {number} winner
 */
export function resignedText(seats, winner) {
  const others = seats.map(seatName).filter((_, seat) => seat !== winner);
  const fields = { name: seatName(seats[winner], winner), others: joinList(others) };
  return plural(
    others.length,
    t("{name} wins: {others} has resigned.", fields),
    t("{name} wins: {others} have resigned.", fields),
  );
}

/**
 * How a game ended.
 * @param {State} state
 * @param {number[]} mine  the seats at this screen
 */
export function resultText(state, mine) {
  const last = state.log.findLast((event) => event.kind === "finished");
  const ended = last?.kind === "finished" ? last.data : { winners: [] };
  return endedText(state, ended) || outcomeText(state, state.view.outcome?.winners ?? [], mine);
}

/**
 * What to aim at in a solo game: "" where nobody knows what best play needs.
 * @param {State} state
 */
export function parText({ par }) {
  return par === null ? "" : t("Best play: {turns}", { turns: turnsText(par, 1) });
}

/**
 * How a solo game that is over compares with best play.
 * @param {State} state
 */
export function againstPar({ par, view }) {
  if (par === null) return "";
  const count = number(Math.abs(view.turn - par), 1);
  const fields = { turns: turnsText(par, 1), count };
  if (count === number(0, 1))
    return t("Best play needs {turns} on average, as this game did.", fields);
  return view.turn < par
    ? t("Best play needs {turns} on average: this game took {count} fewer.", fields)
    : t("Best play needs {turns} on average: this game took {count} more.", fields);
}

/**
 * What is happening now: what is being shown, or what the table waits for.
 * @param {State} state
 * @param {number[]} mine  the seats at this screen
 * @param {{showing?: boolean, rolling?: boolean}} [now]
 *   whether the last event is still being shown, or the dice are
 */
export function statusText(state, mine, { showing = false, rolling = false } = {}) {
  const { view } = state;
  if (state.stage === "open") return state.mode === "online" ? t("Waiting for players…") : "";
  if (state.stage === "over" || view.phase === "over") return resultText(state, mine);
  const last = state.log.at(-1);
  if (showing && (last?.kind === "stopped" || last?.kind === "busted"))
    return eventText(last, state);
  const name = seatName(state.seats[view.seat], view.seat);
  if (view.phase === "bust") return bustedText(name, stepsLost(state, state.n));
  if (rolling) return t("The dice are rolling…");
  const starts = view.phase === "roll" && startThrows(state) !== null;
  if (state.days && !mine.includes(view.seat) && !state.seats[view.seat].present)
    return t("{name} is to play", { name });
  if (!mine.includes(view.seat) || state.seats[view.seat].substitute)
    return starts ? t("{name} starts.", { name }) : waitingText(view.phase, name);
  if (starts)
    return mine.length === 1
      ? t("You start: roll the dice.")
      : t("{name} starts: roll the dice.", { name });
  return mine.length === 1 ? prompt(view) : namedPrompt(view.phase, name);
}

/**
 * @param {string} phase
 * @param {string} name
 */
function waitingText(phase, name) {
  if (phase === "start") return t("{name} rolls for the start…", { name });
  if (phase === "move") return t("{name} picks a move…", { name });
  if (phase === "choice") return t("{name}: stop or roll again?", { name });
  return t("{name} rolls…", { name });
}

/** @param {import("../net/protocol.js").View} view */
function prompt({ phase, roll_off: rollOff, rolls }) {
  if (phase === "start")
    return rolls > (rollOff?.sums.length ?? 0)
      ? t("A tie: roll again for the start!")
      : t("The highest sum starts: roll!");
  if (phase === "roll") return t("Your turn: roll the dice.");
  if (phase === "move") return t("Pick a move.");
  return t("Stop, or roll again?");
}

/**
 * @param {string} phase
 * @param {string} name
 */
function namedPrompt(phase, name) {
  if (phase === "start") return t("{name}, roll for the start!", { name });
  if (phase === "roll") return t("{name}, roll the dice.", { name });
  if (phase === "move") return t("{name}, pick a move.", { name });
  return t("{name}, stop or roll again?", { name });
}

/**
 * A bot's name for people; one that a newer server brings keeps its own.
 * @param {string} name as the server has it, maybe with a number: `careful:3`
 */
export function botName(name) {
  const [kind, level] = name.split(":");
  const shown =
    botNames()[kind] ?? kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll("-", " ");
  return level ? `${shown} ${level}` : shown;
}

/**
 * What a player of a record is called: a bot in the reader's language, a person as they are.
 * @param {string} name such as `bot:chick`, `careful:3`, `fox 2` or `Anne`
 */
export function recordedName(name) {
  const [, kind, level, seat] = /^(?:bot:)?([a-z0-9-]+)(:[\d.]+)?( \d+)?$/.exec(name) ?? [];
  if (!kind || !(kind in botNames())) return name.replace(/^bot:/, "");
  return botName(kind + (level ?? "")) + (seat ?? "");
}

/** @returns {Record<string, string>} */
function botNames() {
  return {
    chick: t("Chick"),
    magpie: t("Magpie"),
    tortoise: t("Tortoise"),
    ibex: t("Ibex"),
    monkey: t("Monkey"),
    fox: t("Fox"),
    falcon: t("Falcon"),
    champion: t("Champion"),
    random: t("Chance"),
    careful: t("Careful"),
    bold: t("Bold"),
    "rule-of-28": t("Rule of 28"),
    "rule-of-28-program": t("Rule of 28, the program"),
    "rule-of-28-simple": t("Rule of 28, simple"),
    "glenn-aloi-constant": t("Glenn & Aloi, constant"),
    "glenn-aloi-linear": t("Glenn & Aloi, linear"),
    "glenn-linear": t("Glenn, linear"),
    simple: t("The guide’s card"),
    "max-expected-progress": t("Expected progress"),
    expert: t("Expert"),
  };
}
