"""A whole turn of a score-and-threshold bot, for the rules that most games have.

``heuristic`` asks such a bot position by position, under any rules. Here the rules are known when
the code is compiled: the official board with its three runners, columns shared freely, runners
brought out when one likes (``RULES`` says whether that is so). The turn is played in local numbers
instead of a position's record, scores are kept column by column and change only where a runner
moves, and nothing is decided by a jump that a processor cannot foresee if arithmetic can do it.
Tests play the same games both ways.

A *step* is a number of five bits. Steps 2 to 12 go up one space in the column of that number; step
16 + 7 goes up a second space in column 7; step 0 goes nowhere. Sets of steps are bits of a number.
"""

from cantstop.jit import inlined
from cantstop.kernel.heuristic import enough
from cantstop.kernel.layout import (
    GOES_ON,
    OFFICIAL_COLUMNS,
    OVER,
    SECOND,
    STEP_BITS,
    BotRecord,
    PositionRecord,
    RollsRecord,
    RulesRecord,
    ScoresRecord,
    StreamRecord,
    TallyRecord,
)
from cantstop.kernel.steps import begin_turn
from cantstop.kernel.stream import below

RUNNERS = 3
FALLS = 1296
MOST_SPLITS = 3
STEP_MASK = 31
COLUMN_BITS = 4
COLUMN_MASK = 15
COLUMNS = 0x1FFC
"""Steps into columns 2 to 12, as a set."""

TOPS = 0x3579BDB97530F
"""A digit for each column, the lowest for column 0: its top. There is no way up in column 0."""

CLASSES = 0xA9A9A16565600
"""Likewise: bits for odd, even, low and high columns, which make the difficulty's index."""

LOWEST = -(2**40)
"""Less than any score."""


@inlined
def digit(digits: int, column: int) -> int:
    """The number for a column: a table of digits that fits a register is quicker than an array."""
    return digits >> COLUMN_BITS * column & 15


@inlined
def begin_scores(scores: ScoresRecord, bot: BotRecord) -> None:
    """The scores of an empty board."""
    for column in range(OFFICIAL_COLUMNS):
        stand(scores, bot, 0, column, digit(TOPS, column))
    scores.roomy = COLUMNS << SECOND


@inlined
def stand(scores: ScoresRecord, bot: BotRecord, is_out: int, column: int, left: int) -> None:
    """Put the player into a column, with a runner or a token and the given steps left."""
    scores.left[column] = left
    scores.values[column] = bot.worth[is_out, left, column]
    scores.values[column + SECOND] = bot.worth[is_out, left, column + SECOND]


@inlined
def best_step(scores: ScoresRecord, splits: int, usable: int) -> int:
    """The best move when all runners are out: its first step, and its second one in higher bits.

    Of equal ones the one from the most balanced split, which is listed last.
    """
    best, best_score = 0, LOWEST
    for _ in range(MOST_SPLITS):
        low, high = splits & STEP_MASK, splits >> STEP_BITS & STEP_MASK
        splits >>= 2 * STEP_BITS
        use_low, use_high = usable >> low & 1, usable >> high & 1
        score = (scores.values[low] & -use_low) + (scores.values[high] & -use_high)
        if (use_low | use_high) and score >= best_score:
            best = (low & -use_low) | (high & -use_high) << STEP_BITS
            best_score = score
    return best


@inlined
def best_entry(
    scores: ScoresRecord,
    bot: BotRecord,
    splits: int,
    usable: int,
    out: int,
    free: int,
    classes: int,
) -> int:
    """``best_step`` with runners left: a move may bring out the last, which has its difficulty."""
    best, best_score = 0, LOWEST
    foresees = bot.foresees
    for _ in range(MOST_SPLITS):
        low, high = splits & STEP_MASK, splits >> STEP_BITS & STEP_MASK
        splits >>= 2 * STEP_BITS
        use_low, use_high = usable >> low & 1, usable >> high & 1
        if not use_low | use_high:
            continue
        new_low, new_high = ~out >> low & use_low, ~out >> high & use_high & (high < SECOND)
        with_low = classes | digit(CLASSES, low)
        with_high = classes | digit(CLASSES, high & COLUMN_MASK)
        value_low, value_high = scores.values[low] & -use_low, scores.values[high] & -use_high
        if new_low + new_high > free:  # one runner for two new columns: the better of them (T5)
            value_low -= foresees * bot.difficulty[with_low]
            value_high -= foresees * bot.difficulty[with_high]
            score = max(value_low, value_high)
            move = high << STEP_BITS if value_high >= value_low else low
        else:
            score = value_low + value_high
            if new_low + new_high == free:
                score -= foresees * bot.difficulty[with_low & -use_low | with_high & -use_high]
            move = (low & -use_low) | (high & -use_high) << STEP_BITS
        if score >= best_score:
            best, best_score = move, score
    return best


@inlined
def keep_progress(
    rules: RulesRecord,
    position: PositionRecord,
    scores: ScoresRecord,
    bot: BotRecord,
    entered: int,
) -> None:
    """Turn the runners into tokens (T9) and tops into won columns (W2)."""
    seat = position.seat
    for _ in range(RUNNERS):
        column = entered & COLUMN_MASK
        entered >>= COLUMN_BITS
        left = scores.left[column] & COLUMN_MASK
        position.tokens[seat, column] = (digit(TOPS, column) - left) * (column > 0)
        scores.roomy &= ~((left <= 1) << column + SECOND)
        stand(scores, bot, 0, column, left)
        if left == 0:
            position.won[seat] += 1
            position.open &= ~(1 << column)
            for other in range(rules.players):
                if other != seat:
                    position.tokens[other, column] = 0


@inlined
def lose_progress(
    position: PositionRecord, scores: ScoresRecord, bot: BotRecord, entered: int
) -> None:
    """Go back to the tokens (T7)."""
    for _ in range(RUNNERS):
        column = entered & COLUMN_MASK
        entered >>= COLUMN_BITS
        left = digit(TOPS, column) - position.tokens[position.seat, column]
        stand(scores, bot, 0, column, left & COLUMN_MASK)


@inlined
def goes_on(
    threshold: int, score: int, free: int, tops_left: int, entrances: int, usable: int
) -> bool:
    """Whether the bot rolls again: with a runner to bring out, or with points still to make."""
    if tops_left <= 0:
        return False
    if free and entrances:
        return True
    return score < threshold and usable & COLUMNS != 0


@inlined
def heuristic_turn(
    rules: RulesRecord,
    rolls: RollsRecord,
    position: PositionRecord,
    scores: ScoresRecord,
    bot: BotRecord,
    dice: StreamRecord,
    tally: TallyRecord,
) -> int:
    """One turn: whether the game goes on.

    As long as runners are left a move may bring some out; after that there is less to look at.
    """
    seat = position.seat
    tally.turns[seat] += 1
    # the tops that end the turn: those that win, or the first one
    tops_left = 1 if bot.tops else rules.columns_to_win - position.won[seat]
    threshold = enough(rules, position, bot)
    open_columns = position.open
    usable = open_columns | (open_columns << SECOND & scores.roomy)
    out, free, entered, classes, score, rolled = 0, RUNNERS, 0, 0, 0, 0
    while True:
        rolled += 1
        roll = rolls.fallen[below(dice, FALLS)]
        if not roll & usable & COLUMNS:
            tally.busts[seat] += 1
            tally.rolls[seat] += rolled
            lose_progress(position, scores, bot, entered)
            begin_turn(rules, position, (seat + 1) % rules.players)
            return GOES_ON
        if free:
            move = best_entry(scores, bot, roll >> SECOND, usable, out, free, classes)
            for _ in range(2):
                column = move & COLUMN_MASK
                is_stepping = (move & STEP_MASK) > 0
                move >>= STEP_BITS
                is_new = ~out >> column & is_stepping
                entered = entered << COLUMN_BITS * is_new | column * is_new
                free -= is_new
                out |= is_new << column
                classes |= digit(CLASSES, column)
                score += bot.space[column] + bot.progress[column] * is_new
                left = (scores.left[column] - is_stepping) & COLUMN_MASK
                tops_left -= left == 0
                usable &= ~((left == 0) << column | (left <= 1) << column + SECOND)
                stand(scores, bot, 1, column, left)
            if not free:
                usable &= out | out << SECOND
                score += bot.difficulty[classes]
        else:
            move = best_step(scores, roll >> SECOND, usable)
            for _ in range(2):
                column = move & COLUMN_MASK
                is_stepping = (move & STEP_MASK) > 0
                move >>= STEP_BITS
                score += bot.space[column]
                left = (scores.left[column] - is_stepping) & COLUMN_MASK
                tops_left -= left == 0
                usable &= ~((left == 0) << column | (left <= 1) << column + SECOND)
                stand(scores, bot, 1, column, left)
        if goes_on(threshold, score, free, tops_left, open_columns & ~out, usable):
            continue
        tally.rolls[seat] += rolled
        keep_progress(rules, position, scores, bot, entered)
        if position.won[seat] >= rules.columns_to_win or not position.open:
            begin_turn(rules, position, seat)
            return OVER
        begin_turn(rules, position, (seat + 1) % rules.players)
        return GOES_ON
