/**
 * A review in words: how the game ended, whether it was luck, three moments of each seat, and why a
 * decision was an error. `review/story.py` and `review/text.py` say the same.
 */

import { readPosition } from "../core/position.js";
import { roundOf, signed, turnsText } from "./counts.js";
import { joinList, plural, t } from "./i18n.js";
import { recordedName, resignedText } from "./sentences.js";
import { chanceText, errorText, uncertainText } from "./win-chances.js";

/** @typedef {import("../engine/review.js").Facts} Facts */
/** @typedef {import("../engine/review.js").Decision} Decision */
/** @typedef {import("../net/protocol.js").SeatReviewView} Seat */
/** @typedef {import("../net/protocol.js").MomentView} Moment */
/** @typedef {import("../net/protocol.js").RollLuckView} Roll */
/** @typedef {import("../net/protocol.js").StoryView} Chapter */

/**
 * A review with its sentences.
 * @param {Facts} facts
 * @returns {import("../net/protocol.js").ReviewAnswer}
 */
export function toldReview({ over, resigned, ...facts }) {
  const telling = new Telling({ ...facts, over, resigned });
  return {
    ...facts,
    headline: telling.headline(),
    verdict: telling.verdict(),
    story: facts.seats.map(({ seat }) => telling.moments(seat)),
    decisions: facts.decisions.map((each) => ({ ...each, why: telling.why(each) })),
  };
}

/** A review and the names of its players. */
class Telling {
  /** @param {Facts} facts */
  constructor(facts) {
    this.facts = facts;
    this.solo = facts.seats.length === 1;
    this.names = facts.names.map(recordedName);
    this.last = /** @type {Moment} */ (facts.moments.at(-1));
  }

  // Was it luck?

  headline() {
    const { winners, over } = this.facts;
    if (!winners) return t("An unfinished game");
    if (this.solo) return t("{turns}. Was it luck?", { turns: turnsText(this.last.turn) });
    const names = joinList(winners.map((seat) => this.names[seat]));
    if (!over) return resignedText(this.names.map(named), winners[0]);
    return winners.length > 1
      ? t("{names} share the win!", { names })
      : t("{name} wins. Was it luck?", { name: names });
  }

  verdict() {
    const { winners } = this.facts;
    if (winners?.length !== 1) return "";
    return [...this.answer(winners[0]), ...this.playedOn()].join(" ");
  }

  /** @param {number} seat */
  answer(seat) {
    const found = this.facts.seats[seat];
    if (this.solo) return this.soloAnswer(found);
    const name = this.names[seat];
    const chance = this.worth(found.result);
    return [
      this.facts.over
        ? this.bySigns(found)
        : t("At that moment {name}'s chance to win was {chance}.", { name, chance }),
      t("{name}: luck {luck}, skill {skill}, in points of win chance.", {
        name,
        luck: uncertainText(found.luck, found.uncertainty, false),
        skill: uncertainText(found.skill, found.uncertainty, false),
      }),
    ];
  }

  /**
   * What luck and skill of the winner say, in all combinations of their signs. What is not larger
   * than its uncertainty has no sign.
   * @param {Seat} found
   */
  bySigns(found) {
    if (this.isTooClose(found)) return tooClose();
    const [luck, skill] = [found.luck, found.skill].map((one) =>
      Math.abs(one) <= found.uncertainty ? 0 : this.sign(one),
    );
    if (luck === 1 && skill === 1) {
      if (found.luck > 2 * found.skill) return t("Mostly luck.");
      if (found.skill > 2 * found.luck) return t("Mostly skill.");
    }
    return verdicts(this.names[found.seat])[`${luck} ${skill}`];
  }

  /** @param {Seat} found */
  isTooClose({ luck, skill, uncertainty }) {
    const changes = [luck, skill];
    const most = Math.max(...changes.map(Math.abs));
    return changes.some((one) => this.sign(one)) && most <= uncertainty;
  }

  /** @param {Seat} found */
  soloAnswer(found) {
    if (this.isTooClose(found)) return [tooClose()];
    const [luck, skill] = [found.luck, found.skill].map((one) => ({
      turns: turnsText(Math.abs(one), 1, 1),
    }));
    const dice = {
      1: () => t("The dice saved {turns}.", luck),
      0: () => t("The dice were neither kind nor unkind."),
      [-1]: () => t("The dice cost {turns}.", luck),
    };
    const decisions = {
      1: () => t("Decisions saved {turns}.", skill),
      0: () => t("Decisions cost nothing."),
      [-1]: () => t("Decisions that were not the best cost {turns}.", skill),
    };
    return [dice[this.sign(found.luck)](), decisions[this.sign(found.skill)]()];
  }

  /** Whose game a bot has played to its end. */
  playedOn() {
    const { over, resigned } = this.facts;
    if (!over || !resigned.length) return [];
    const fields = { names: joinList(resigned.map((seat) => this.names[seat])) };
    return [
      plural(
        resigned.length,
        t("{names} resigned: a bot played on.", fields),
        t("{names} resigned: bots played on.", fields),
      ),
    ];
  }

  // Three moments

  /**
   * @param {number} seat
   * @returns {Chapter[]}
   */
  moments(seat) {
    return [this.dice(seat), this.turningPoint(seat), this.bestMoment(seat)];
  }

  /**
   * The roll that changed most for the seat, and all of them together.
   * @param {number} seat
   * @returns {Chapter}
   */
  dice(seat) {
    const roll = first(this.facts.rolls, ({ changes }) => Math.abs(changes[seat]));
    if (!roll) return { chapter: "dice", n: 0, text: t("No dice were rolled.") };
    return { chapter: "dice", n: roll.n, text: this.diceText(roll, seat) };
  }

  /**
   * @param {Roll} roll
   * @param {number} seat
   */
  diceText(roll, seat) {
    const fields = {
      who: this.names[roll.seat],
      name: this.names[seat],
      dice: roll.dice.join("-"),
      round: this.round(roll.turn),
      change: this.change(roll.changes[seat]),
      luck: this.change(this.facts.seats[seat].luck),
    };
    if (roll.bust)
      return roll.seat === seat
        ? t(
            "Round {round}: {name} busts with {dice} ({change}). All dice together gave {name} {luck}.",
            fields,
          )
        : t(
            "Round {round}: {who} busts with {dice}, {change} for {name}. All dice together gave {name} {luck}.",
            fields,
          );
    return roll.seat === seat
      ? t(
          "Round {round}: {name} rolls {dice} ({change}). All dice together gave {name} {luck}.",
          fields,
        )
      : t(
          "Round {round}: {who} rolls {dice}, {change} for {name}. All dice together gave {name} {luck}.",
          fields,
        );
  }

  /**
   * The turn that changed most for the seat, but for the one that won the game.
   * @param {number} seat
   * @returns {Chapter}
   */
  turningPoint(seat) {
    const turns = this.turns();
    const ended = this.facts.over && turns.length > 1;
    const [begin, end] = /** @type {[Moment, Moment]} */ (
      first(ended ? turns.slice(0, -1) : turns, ([from, to]) =>
        Math.abs(to.win[seat] - from.win[seat]),
      )
    );
    return { chapter: "turning-point", n: end.n, text: this.turnText(begin, end, seat) };
  }

  /**
   * The first and the last moment of each turn; the end of one begins the next.
   * @returns {[Moment, Moment][]}
   */
  turns() {
    const { moments } = this.facts;
    /** @type {[Moment, Moment][]} */
    const found = [];
    let begin = moments[0];
    for (const moment of moments)
      if (moment.turn !== begin.turn) {
        found.push([begin, moment]);
        begin = moment;
      }
    if (begin !== this.last || begin.n === 0) found.push([begin, this.last]);
    return found;
  }

  /**
   * @param {Moment} begin
   * @param {Moment} end
   * @param {number} seat
   */
  turnText(begin, end, seat) {
    const who = this.names[readPosition(begin.position).seat];
    const fields = {
      round: this.round(begin.turn),
      what: this.what(end, who),
      name: this.names[seat],
      before: this.worth(begin.win[seat]),
      after: this.worth(end.win[seat]),
    };
    return this.solo
      ? t("Round {round}: {what}. The game was then to take {after} instead of {before}.", fields)
      : t("Round {round}: {what}. {name}'s chance went from {before} to {after}.", fields);
  }

  /**
   * How a turn ended.
   * @param {Moment} end
   * @param {string} who
   */
  what({ n, play }, who) {
    const before = readPosition(this.facts.moments[Math.max(0, n - 1)].position);
    if (play?.won?.length) {
      const fields = { who, columns: joinList(play.won) };
      return plural(
        play.won.length,
        t("{who} wins column {columns}", fields),
        t("{who} wins columns {columns}", fields),
      );
    }
    if (play?.kind === "busted")
      return t("{who} busts with {dice}", { who, dice: before.dice.join("-") });
    const columns = before.runners.flatMap((space, at) => (space ? [at + 2] : []));
    if (!columns.length) return t("{who} is to play", { who });
    const fields = { who, columns: joinList(columns) };
    return plural(
      columns.length,
      t("{who} climbs in column {columns}", fields),
      t("{who} climbs in columns {columns}", fields),
    );
  }

  /**
   * The best option, where the next one would have cost most. A roll that cannot bust is such a
   * moment only where there is no other: nobody is proud of it.
   * @param {number} seat
   * @returns {Chapter}
   */
  bestMoment(seat) {
    const chapter = /** @type {const} */ ("best-moment");
    const name = this.names[seat];
    const decisions = this.facts.decisions.filter((each) => each.seat === seat);
    if (!decisions.length) {
      const { n, turn, win } = this.last;
      const fields = { name, round: this.round(turn), worth: this.worth(win[seat]) };
      const text = t(
        "{name} had nothing to decide until round {round}, and came to {worth}.",
        fields,
      );
      return { chapter, n, text };
    }
    const right = decisions.filter(({ error }) => error === 0);
    const dared = right.filter(({ why }) => !why?.safe);
    const best = first(dared.length ? dared : right, margin);
    if (best) return { chapter, n: best.n, text: this.bestText(best, name) };
    const found = /** @type {Decision} */ (first(decisions, ({ error }) => -error));
    const fields = { name, round: this.round(found.turn), lost: this.lost(found.error) };
    const text = t(
      "Round {round}: {name} comes closest to the best option, and gives away {lost}.",
      fields,
    );
    return { chapter, n: found.n, text };
  }

  /**
   * @param {Decision} decision
   * @param {string} name
   */
  bestText(decision, name) {
    const { chosen, options, turn, why } = decision;
    const lost = this.lost(margin(decision));
    const fields = { round: this.round(turn), name, chosen, second: options[1].move, lost };
    if (chosen === "stop")
      return t(
        "Round {round}: {name} stops in time; rolling again would have cost {lost}.",
        fields,
      );
    if (why?.safe)
      return t(
        "Round {round}: {name} rolls again without any risk; stopping would have cost {lost}.",
        fields,
      );
    if (chosen === "roll")
      return t(
        "Round {round}: {name} dares to roll again; stopping would have cost {lost}.",
        fields,
      );
    return t("Round {round}: {name} takes {chosen}; {second} would have cost {lost}.", fields);
  }

  // Why a decision was an error

  /** @param {Decision} decision */
  why(decision) {
    const { why, chosen, options, turn, position } = decision;
    if (!why || why.safe) return null;
    const given = (/** @type {number} */ win) => this.inAll(win, turn);
    const worths = Object.fromEntries(options.map(({ move, win }) => [move, given(win)]));
    if (/\d/.test(chosen)) return moveReason(decision, worths);
    const { runners } = readPosition(position);
    const { stop, roll } = worths;
    const fields = { stop, roll, reason: bustText(runners, why.busts[0]) };
    return why.wins
      ? t("Stopping won the game, rolling gave {roll}: {reason}.", fields)
      : t("Stopping gave {stop}, rolling {roll}: {reason}.", fields);
  }

  /**
   * A win chance; alone the number of turns that the game will have had.
   * @param {number} win
   * @param {number} turn
   */
  inAll(win, turn) {
    if (!this.solo) return chanceText(win);
    return t("{turns} in all", { turns: turnsText(turn - win, 2, 2) });
  }

  // Figures

  /** @param {number} turn */
  round(turn) {
    return roundOf(turn, this.names.length);
  }

  /**
   * The sign of a change as it is shown: 0 where it rounds to nothing.
   * @param {number} change
   * @returns {1 | 0 | -1}
   */
  sign(change) {
    const size = Math.abs(this.solo ? change : 100 * change);
    if (!Number(size.toFixed(1))) return 0;
    return change > 0 ? 1 : -1;
  }

  /** @param {number} change */
  change(change) {
    return signed(this.solo ? change : 100 * change);
  }

  /** @param {number} error */
  lost(error) {
    return errorText(error, this.solo, true);
  }

  /** @param {number} worth */
  worth(worth) {
    return this.solo ? turnsText(-worth, 1, 1) : chanceText(worth);
  }
}

/** @param {string} name */
function named(name) {
  return { name, bot: null };
}

/**
 * Was it luck? By the signs of the winner's luck and skill.
 * @param {string} name
 * @returns {Record<string, string>}
 */
function verdicts(name) {
  return {
    "1 1": t("Luck and skill, both."),
    "1 0": t("Yes: the dice decided it."),
    "1 -1": t("Yes: {name}'s decisions were not the better ones.", { name }),
    "0 1": t("No: {name} decided better.", { name }),
    "0 0": t("No: neither the dice nor the decisions stood out."),
    "0 -1": t("No: the dice favoured nobody, though {name}'s decisions were not the better ones.", {
      name,
    }),
    "-1 1": t("No: {name} won against the dice.", { name }),
    "-1 0": t("No: the dice were against {name}.", { name }),
    "-1 -1": t("No: the dice were against {name}, and so were the decisions.", { name }),
  };
}

function tooClose() {
  return t("Too close to say: the estimate may be off by more than luck and skill.");
}

/**
 * @param {Decision} decision
 * @param {Record<string, string>} worths  in words
 */
function moveReason({ chosen, best, options, why }, worths) {
  const fields = { chosen, best, worth: worths[chosen], more: worths[best] };
  if (options[0].then === "stop")
    return t("{chosen} gave {worth}, {best} and stopping then {more}.", fields);
  const [bust, less] = why?.busts ?? [0, 0];
  if (options.find(({ move }) => move === chosen)?.then === "roll" && less < bust)
    return t(
      "{chosen} gave {worth}, {best} {more}: the next roll busts in {bust} of cases after {chosen}, in {less} after {best}.",
      { ...fields, bust: chanceText(bust), less: chanceText(less) },
    );
  return t("{chosen} gave {worth}, {best} {more}.", fields);
}

/**
 * How likely the next roll is a bust, as the end of a sentence.
 * @param {number[]} runners
 * @param {number} bust
 */
export function bustText(runners, bust) {
  if (!bust) return t("no roll can bust");
  const columns = runners.flatMap((space, at) => (space ? [at + 2] : []));
  const fields = { columns: joinList(columns), bust: chanceText(bust) };
  return plural(
    columns.length,
    t("a runner on {columns} busts in {bust} of rolls", fields),
    t("runners on {columns} bust in {bust} of rolls", fields),
  );
}

/** How much better the best option was than the next one. @param {Decision} decision */
function margin({ options }) {
  return options[0].win - options[1].win;
}

/**
 * The first of those for which a figure is largest.
 * @template T
 * @param {T[]} items
 * @param {(item: T) => number} figure
 * @returns {T | undefined}
 */
function first(items, figure) {
  const largest = Math.max(...items.map(figure));
  return items.find((item) => figure(item) === largest);
}
