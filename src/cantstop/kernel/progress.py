"""The bot that looks one roll ahead for the most progress, in compiled form."""

from cantstop.jit import compiled
from cantstop.kernel.layout import BotRecord, PositionRecord, RollsRecord, RulesRecord
from cantstop.kernel.steps import (
    copy_position,
    find_moves,
    make_move,
    next_space,
    standing,
    stop_wins,
)

PERCENT = 100

MOST = 2**62
"""More than any progress."""


@compiled
def turn_progress(rules: RulesRecord, position: PositionRecord, bot: BotRecord) -> int:
    """What the turn has gained: each space is worth its share of the column."""
    total = 0
    for index in range(rules.runners - position.free):
        column = position.entered[index]
        gained = position.runners[column] - position.tokens[position.seat, column]
        total += gained * (bot.column_worth // rules.tops[column])
    return total


@compiled
def move_progress(rules: RulesRecord, position: PositionRecord, bot: BotRecord, index: int) -> int:
    """What a legal move gains."""
    low, high = position.moves[index, 0], position.moves[index, 1]
    total = 0
    before = standing(position, low)
    space = next_space(rules, position, low, before)
    if high == low:
        space = next_space(rules, position, low, space)
    elif high:
        other = standing(position, high)
        other_gained = next_space(rules, position, high, other) - other
        total = other_gained * (bot.column_worth // rules.tops[high])
    return total + (space - before) * (bot.column_worth // rules.tops[low])


@compiled
def expected_gain(
    rules: RulesRecord, rolls: RollsRecord, position: PositionRecord, bot: BotRecord
) -> int:
    """What one more roll changes on average, in percent, summed over all falls of the dice.

    Overwrites the position's legal moves.
    """
    at_risk = bot.caution * turn_progress(rules, position, bot)
    total = 0
    for dice in range(rolls.count):
        find_moves(rules, rolls, position, dice)
        change = -at_risk
        for index in range(position.move_count):
            change = max(change, PERCENT * move_progress(rules, position, bot, index))
        total += rolls.ways[dice] * change
    position.move_count = 0
    return total


@compiled
def progress_stop(
    rules: RulesRecord, rolls: RollsRecord, position: PositionRecord, bot: BotRecord
) -> bool:
    """Stop to win, where no roll can help, or where one more roll gains nothing on average."""
    if stop_wins(rules, position) or not position.usable:
        return True
    return expected_gain(rules, rolls, position, bot) <= 0


@compiled
def outlook(
    rules: RulesRecord,
    rolls: RollsRecord,
    position: PositionRecord,
    bot: BotRecord,
    after: PositionRecord,
    index: int,
) -> int:
    """What the turn is worth after a legal move, one roll ahead; a win counts most."""
    copy_position(rules, position, after)
    make_move(rules, after, index)
    if stop_wins(rules, after):
        return MOST
    stopped = PERCENT * rolls.falls * turn_progress(rules, after, bot)
    return stopped + max(0, expected_gain(rules, rolls, after, bot))


@compiled
def progress_choose(
    rules: RulesRecord,
    rolls: RollsRecord,
    position: PositionRecord,
    bot: BotRecord,
    after: PositionRecord,
) -> int:
    """The move with the best outlook; of equal ones the one from the most balanced split."""
    best = position.move_count - 1
    if best == 0:
        return 0
    best_outlook = outlook(rules, rolls, position, bot, after, best)
    for index in range(best - 1, -1, -1):
        seen = outlook(rules, rolls, position, bot, after, index)
        if seen > best_outlook:
            best, best_outlook = index, seen
    return best
