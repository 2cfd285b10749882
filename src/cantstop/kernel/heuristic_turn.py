"""A whole turn of a score-and-threshold bot, for the rules that most games have.

``heuristic`` asks such a bot position by position and works under any rules. Here the rules are
known when the code is compiled: the official board, its three runners, columns shared freely and
no early runners. The turn is played in local numbers instead of a position's record, scores are
kept column by column and change only where a runner does, and a roll is decided without jumps that
a processor cannot foresee. Tests play the same games both ways.

A *step* is a number of five bits. Steps 2 to 12 go up one space in the column of that number; step
16 + 7 goes up a second space in column 7; step 0 goes nowhere. Sets of steps are bits of a number.
"""

from cantstop.jit import inlined
from cantstop.kernel.layout import (
    FREE,
    GOES_ON,
    OFFICIAL_COLUMNS,
    OVER,
    SECOND,
    STEP_BITS,
    STEPS,
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
COLUMN_MASK = 15
COLUMNS = 0x1FFC
"""Steps into columns 2 to 12, as a set."""

LOWEST = -(2**40)
"""Less than any score."""


@inlined
def top_of(column: int) -> int:
    """The top of an official column; column 0 has none."""
    return 13 - 2 * abs(column - 7) if column else -1


@inlined
def class_of(step: int) -> int:
    """What a column adds to the difficulty's index: bits for odd, even, low and high columns.

    One digit for each column: a number that fits a register is quicker than a table.
    """
    return 0xA9A9A16565600 >> 4 * (step & COLUMN_MASK) & 15


@inlined
def begin_scores(scores: ScoresRecord, bot: BotRecord) -> None:
    """The scores of an empty board."""
    for step in range(STEPS):
        scores.values[step] = bot.worth[0, 0, step]
    for column in range(OFFICIAL_COLUMNS):
        scores.spaces[column] = 0
    scores.roomy = COLUMNS << SECOND


@inlined
def stand(scores: ScoresRecord, bot: BotRecord, is_out: int, column: int, space: int) -> None:
    """Let the player stand on a space of a column, with a runner or a token."""
    scores.spaces[column] = space
    scores.values[column] = bot.worth[is_out, space, column]
    scores.values[column + SECOND] = bot.worth[is_out, space, column + SECOND]


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
        score = scores.values[low] * use_low + scores.values[high] * use_high
        score = score if use_low | use_high else LOWEST
        best = low * use_low | high * use_high << STEP_BITS if score >= best_score else best
        best_score = max(score, best_score)
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
        new_low, new_high = ~out >> low & use_low, ~out >> high & use_high & (high < SECOND)
        with_low, with_high = classes | class_of(low), classes | class_of(high)
        value_low, value_high = scores.values[low] * use_low, scores.values[high] * use_high
        if new_low + new_high > free:  # one runner for two new columns: the better of them (T5)
            value_low -= foresees * bot.difficulty[with_low]
            value_high -= foresees * bot.difficulty[with_high]
            takes_high = value_high >= value_low
            score = max(value_low, value_high)
            move = high << STEP_BITS if takes_high else low
        else:
            brings_last = foresees * (new_low + new_high == free)
            difficulty = bot.difficulty[with_low * use_low | with_high * use_high]
            score = value_low + value_high - brings_last * difficulty
            move = low * use_low | high * use_high << STEP_BITS
            score = score if use_low | use_high else LOWEST
        best = move if score >= best_score else best
        best_score = max(score, best_score)
    return best


@inlined
def plays_fast(rules: RulesRecord) -> bool:
    """Whether the rules are those that this code is for; the bots check the board."""
    return rules.sharing == FREE and not rules.early and rules.runners == RUNNERS


@inlined
def end_turn(
    rules: RulesRecord,
    position: PositionRecord,
    scores: ScoresRecord,
    bot: BotRecord,
    entered: int,
    stops: bool,
) -> None:
    """Turn the runners into tokens (T9) and tops into won columns (W2), or lose them (T7)."""
    seat = position.seat
    for _ in range(RUNNERS):
        column = entered & COLUMN_MASK
        entered >>= 4
        space = scores.spaces[column] if stops else position.tokens[seat, column]
        if stops:
            position.tokens[seat, column] = space
            left = top_of(column) - space
            scores.roomy &= ~((left <= 1) << column + SECOND)
            if left == 0:
                position.won[seat] += 1
                position.open &= ~(1 << column)
                for other in range(rules.players):
                    if other != seat:
                        position.tokens[other, column] = 0
        stand(scores, bot, 0, column, space & COLUMN_MASK)


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
    """One turn: whether the game goes on."""
    seat = position.seat
    tally.turns[seat] += 1
    to_win = rules.columns_to_win - position.won[seat]
    open_columns = position.open
    usable = open_columns | (open_columns << SECOND & scores.roomy)
    out, free, entered, classes, score = 0, RUNNERS, 0, 0, 0
    while True:
        tally.rolls[seat] += 1
        roll = rolls.number[below(dice, FALLS)] & 127
        if not rolls.columns[roll] & usable:
            tally.busts[seat] += 1
            end_turn(rules, position, scores, bot, entered, False)
            begin_turn(rules, position, (seat + 1) % rules.players)
            return GOES_ON
        if free:
            move = best_entry(scores, bot, rolls.steps[roll], usable, out, free, classes)
        else:
            move = best_step(scores, rolls.steps[roll], usable)
        for _ in range(2):
            column = move & COLUMN_MASK
            is_stepping = (move & STEP_MASK) > 0
            move >>= STEP_BITS
            is_new = ~out >> column & is_stepping
            entered = entered << 4 * is_new | column * is_new
            free -= is_new
            out |= is_new << column
            classes |= class_of(column)
            score += bot.progress[column] * (1 + is_new)
            space = (scores.spaces[column] + is_stepping) & COLUMN_MASK
            left = top_of(column) - space
            to_win -= left == 0
            usable &= ~((left == 0) << column | (left <= 1) << column + SECOND)
            stand(scores, bot, 1, column, space)
        if not free:
            usable &= out | out << SECOND
        if to_win > 0:
            if free and open_columns & ~out:
                continue
            if free == 0:
                if score + bot.difficulty[classes] < bot.threshold and usable & COLUMNS:
                    continue
            elif score < bot.threshold and usable & COLUMNS:
                continue
        end_turn(rules, position, scores, bot, entered, True)
        if position.won[seat] >= rules.columns_to_win or not position.open:
            begin_turn(rules, position, seat)
            return OVER
        begin_turn(rules, position, (seat + 1) % rules.players)
        return GOES_ON
