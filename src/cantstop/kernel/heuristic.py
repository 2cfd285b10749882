"""The score-and-threshold bots in compiled form; ``bots/heuristic.py`` tells what they do."""

from cantstop.jit import inlined
from cantstop.kernel.layout import BotRecord, PositionRecord, RulesRecord
from cantstop.kernel.steps import new_runners, next_space, standing, stop_wins

OUT_OF_REACH = 1 << 40
"""More points than any turn has."""


@inlined
def difficulty(bot: BotRecord, columns: int) -> int:
    """The difficulty of runners in these columns, given as bits of a number."""
    total = 0
    odd_columns = 0b0101010101000
    low_columns = 0b0000011111100
    high_columns = 0b1111110000000
    if not columns & odd_columns:
        total += bot.even
    elif not columns & ~odd_columns:
        total += bot.odd
    if not columns & ~low_columns:
        total += bot.low
    elif not columns & ~high_columns:
        total += bot.high
    return total


@inlined
def turn_score(rules: RulesRecord, position: PositionRecord, bot: BotRecord) -> int:
    """What the turn has brought so far, in points."""
    score = 0
    for index in range(rules.runners - position.free):
        column = position.entered[index]
        gained = position.runners[column] - position.tokens[position.seat, column]
        score += bot.space[column] * gained + bot.progress[column]
    if position.free == 0:
        score += difficulty(bot, position.out)
    return score


@inlined
def could_enter(position: PositionRecord) -> bool:
    """Whether a runner is free and there is an open column for it."""
    return position.free > 0 and position.open & ~position.out != 0


@inlined
def enough(rules: RulesRecord, position: PositionRecord, bot: BotRecord) -> int:
    """The points that end this turn; out of reach if tops alone do."""
    if bot.race:
        for seat in range(rules.players):
            if seat != position.seat and position.won[seat]:
                return OUT_OF_REACH
    return bot.threshold


@inlined
def heuristic_stop(rules: RulesRecord, position: PositionRecord, bot: BotRecord) -> bool:
    """Stop to win, at a top if the bot does so, where no roll can help, or with points enough.

    The last only with no runner to bring out.
    """
    if stop_wins(rules, position) or (bot.tops and position.topped):
        return True
    if could_enter(position):
        return False
    return turn_score(rules, position, bot) >= enough(rules, position, bot) or not position.usable


@inlined
def gain(
    rules: RulesRecord, position: PositionRecord, bot: BotRecord, column: int, steps: int
) -> int:
    """The choice value of the spaces that a number of steps in a column gains."""
    before = standing(position, column)
    space = before
    for _ in range(steps):
        space = next_space(rules, position, column, space)
    worth = bot.reached[column, space] - bot.reached[column, before]
    if not position.out >> column & 1:
        worth += (bot.entry - 1) * (bot.reached[column, before + 1] - bot.reached[column, before])
    return worth


@inlined
def move_score(rules: RulesRecord, position: PositionRecord, bot: BotRecord, index: int) -> int:
    """How much a bot likes a legal move."""
    low, high = position.moves[index, 0], position.moves[index, 1]
    score = gain(rules, position, bot, low, 2 if high == low else 1)
    columns = position.out | 1 << low
    if high and high != low:
        score += gain(rules, position, bot, high, 1)
        columns |= 1 << high
    brought = new_runners(position, index)
    if bot.foresees and brought == position.free:
        score -= difficulty(bot, columns)
    return score - bot.marker * brought


@inlined
def heuristic_choose(rules: RulesRecord, position: PositionRecord, bot: BotRecord) -> int:
    """The move with the highest score; of equal ones the one from the most balanced split.

    Splits are listed with the most balanced one last.
    """
    best = position.move_count - 1
    if best == 0:
        return 0
    best_score = move_score(rules, position, bot, best)
    for index in range(best - 1, -1, -1):
        score = move_score(rules, position, bot, index)
        if score > best_score:
            best, best_score = index, score
    return best
