"""What can happen in a game, in compiled form: each step does to a record what ``rules`` does."""

from cantstop.jit import compiled, inlined
from cantstop.kernel.layout import (
    LEAPFROG,
    NO_REST,
    PositionRecord,
    RollsRecord,
    RulesRecord,
    StreamRecord,
)
from cantstop.kernel.stream import below
from cantstop.rules.settings import MOST_PLAYERS

SEAT_BITS = MOST_PLAYERS
SEATS = (1 << SEAT_BITS) - 1
"""All seats as bits of a number."""


@compiled
def begin_game(rules: RulesRecord, position: PositionRecord, first: int) -> None:
    """An empty board, with the turn of the seat that starts."""
    columns = 2 * rules.sides + 1
    for column in range(columns):
        position.runners[column] = 0
        for seat in range(rules.players):
            position.tokens[seat, column] = 0
    for seat in range(rules.players):
        position.won[seat] = 0
    position.open = (1 << columns) - 4  # there are no columns 0 and 1
    position.free = rules.runners
    begin_turn(rules, position, first)


@inlined
def begin_turn(rules: RulesRecord, position: PositionRecord, seat: int) -> None:
    """Take the runners off the board and give the turn to a seat."""
    for index in range(rules.runners - position.free):
        position.runners[position.entered[index]] = 0
    position.seat = seat
    position.free = rules.runners
    position.topped = 0
    position.moves_made = 0
    position.move_count = 0
    position.out = 0
    position.usable = position.open


@inlined
def opponent_on(rules: RulesRecord, position: PositionRecord, column: int, space: int) -> bool:
    """Whether a token of anybody but the player stands on a space."""
    for seat in range(rules.players):
        if seat != position.seat and position.tokens[seat, column] == space:
            return True
    return False


@inlined
def standing(position: PositionRecord, column: int) -> int:
    """The space of the player's runner in a column, or else of their token."""
    runner = position.runners[column]
    return runner if runner else position.tokens[position.seat, column]


@inlined
def next_space(rules: RulesRecord, position: PositionRecord, column: int, space: int) -> int:
    """The space above, or with V4 the next one without an opponent's token."""
    space += 1
    if rules.sharing == LEAPFROG:
        while opponent_on(rules, position, column, space):
            space += 1
    return space


@inlined
def add_move(position: PositionRecord, low: int, high: int) -> None:
    """Note a legal move; ``high`` is 0 where only one column is played."""
    position.moves[position.move_count, 0] = low
    position.moves[position.move_count, 1] = high
    position.move_count += 1


@inlined
def add_double(rules: RulesRecord, position: PositionRecord, column: int) -> None:
    """Note the move of two equal sums: two steps, or one if only one is left (T6)."""
    above = next_space(rules, position, column, standing(position, column))
    add_move(position, column, column if above < rules.tops[column] else 0)


@inlined
def find_moves(rules: RulesRecord, rolls: RollsRecord, position: PositionRecord, dice: int) -> None:
    """Work out the legal moves of a roll, in the order that the reference lists them (T2-T6)."""
    position.move_count = 0
    if not rolls.columns[dice] & position.usable:
        return
    for index in range(rolls.split_count[dice]):
        low, high = rolls.splits[dice, index, 0], rolls.splits[dice, index, 1]
        use_low, use_high = position.usable >> low & 1, position.usable >> high & 1
        if low == high:
            if use_low:
                add_double(rules, position, low)
        elif use_low and use_high:
            if position.free == 1 and not (position.out >> low | position.out >> high) & 1:
                add_move(position, low, 0)  # T5
                add_move(position, high, 0)
            else:  # T4
                add_move(position, low, high)
        elif use_low:
            add_move(position, low, 0)
        elif use_high:
            add_move(position, high, 0)
    if rules.early and position.move_count > 1:
        keep_earliest(position)


@inlined
def new_runners(position: PositionRecord, index: int) -> int:
    """How many runners a legal move brings onto the board."""
    low, high = position.moves[index, 0], position.moves[index, 1]
    brought = ~position.out >> low & 1
    if high and high != low:
        brought += ~position.out >> high & 1
    return brought


@compiled
def keep_earliest(position: PositionRecord) -> None:
    """Keep only the moves that bring the most new runners onto the board (V2)."""
    most = 0
    for index in range(position.move_count):
        most = max(most, new_runners(position, index))
    kept = 0
    for index in range(position.move_count):
        if new_runners(position, index) == most:
            position.moves[kept, 0] = position.moves[index, 0]
            position.moves[kept, 1] = position.moves[index, 1]
            kept += 1
    position.move_count = kept


@inlined
def step_up(rules: RulesRecord, position: PositionRecord, column: int) -> None:
    """Let a runner enter a column or go up one step in it (T3)."""
    space = next_space(rules, position, column, standing(position, column))
    if not position.runners[column]:
        position.entered[rules.runners - position.free] = column
        position.out |= 1 << column
        position.free -= 1
        if position.free == 0:
            position.usable &= position.out
    position.runners[column] = space
    if space == rules.tops[column]:
        position.topped += 1
        position.usable &= ~(1 << column)


@inlined
def make_move(rules: RulesRecord, position: PositionRecord, index: int) -> None:
    """Play a legal move, named by its number in the list."""
    low, high = position.moves[index, 0], position.moves[index, 1]
    step_up(rules, position, low)
    if high:
        step_up(rules, position, high)
    position.move_count = 0
    position.moves_made += 1


@inlined
def may_stop(rules: RulesRecord, position: PositionRecord) -> bool:
    """Whether the player, who has moved, may stop (V3)."""
    if rules.sharing == NO_REST:
        for index in range(rules.runners - position.free):
            column = position.entered[index]
            if opponent_on(rules, position, column, position.runners[column]):
                return False
    return True


@inlined
def stop_wins(rules: RulesRecord, position: PositionRecord) -> bool:
    """Whether stopping now would give the player the columns that win (W4)."""
    return position.won[position.seat] + position.topped >= rules.columns_to_win


@inlined
def settle(rules: RulesRecord, position: PositionRecord) -> None:
    """Turn the runners into tokens (T9) and tops into won columns (W2)."""
    seat = position.seat
    for index in range(rules.runners - position.free):
        column = position.entered[index]
        space = position.runners[column]
        if space == rules.tops[column]:
            position.won[seat] += 1
            position.open &= ~(1 << column)
            for other in range(rules.players):
                position.tokens[other, column] = 0
        position.tokens[seat, column] = space


@inlined
def stop_turn(rules: RulesRecord, position: PositionRecord) -> bool:
    """End the turn and keep its progress; whether that ended the game (W4, W5)."""
    settle(rules, position)
    seat = position.seat
    if position.won[seat] >= rules.columns_to_win or not position.open:
        begin_turn(rules, position, seat)
        return True
    begin_turn(rules, position, (seat + 1) % rules.players)
    return False


@inlined
def bust_turn(rules: RulesRecord, position: PositionRecord) -> None:
    """End the turn and lose its progress (T7)."""
    begin_turn(rules, position, (position.seat + 1) % rules.players)


@compiled
def copy_position(rules: RulesRecord, source: PositionRecord, target: PositionRecord) -> None:
    """Make one record say the same as another, but for the number of its legal moves."""
    target.seat = source.seat
    target.free = source.free
    target.topped = source.topped
    target.moves_made = source.moves_made
    target.open = source.open
    target.out = source.out
    target.usable = source.usable
    for seat in range(rules.players):
        target.won[seat] = source.won[seat]
    for column in range(2 * rules.sides + 1):
        target.runners[column] = source.runners[column]
        target.entered[column] = source.entered[column]
        for seat in range(rules.players):
            target.tokens[seat, column] = source.tokens[seat, column]
    for index in range(source.move_count):
        target.moves[index, 0] = source.moves[index, 0]
        target.moves[index, 1] = source.moves[index, 1]


@compiled
def throw_two(stream: StreamRecord, sides: int) -> int:
    """The sum of two dice."""
    thrown = below(stream, sides * sides)
    return thrown // sides + thrown % sides + 2


@inlined
def after_throw(roll_off: int, thrown: int) -> int:
    """A roll-off after the next throw (M4); it begins as the set of all seats.

    Seats are bits of a number, so that nobody needs a list: first those still to throw, the lowest
    next, above them those with the highest sum, above these the sum. Those who tie throw again, in
    the same order; where nobody is left to throw, one seat has won.
    """
    waiting, tied, best = roll_off & SEATS, roll_off >> SEAT_BITS & SEATS, roll_off >> 2 * SEAT_BITS
    seat = waiting & -waiting
    waiting ^= seat
    if thrown > best:
        best, tied = thrown, seat
    elif thrown == best:
        tied |= seat
    if not waiting and tied & (tied - 1):
        return tied
    return waiting | tied << SEAT_BITS | best << 2 * SEAT_BITS


@compiled
def who_starts(rules: RulesRecord, stream: StreamRecord) -> int:
    """The seat that starts."""
    if not rules.roll_off:
        return 0
    roll_off = (1 << rules.players) - 1
    while roll_off & SEATS:
        roll_off = after_throw(roll_off, throw_two(stream, rules.sides))
    return winner_of(roll_off)


@inlined
def winner_of(roll_off: int) -> int:
    """The seat that has won a roll-off in which nobody is left to throw."""
    won, seat = roll_off >> SEAT_BITS & SEATS, 0
    while won > 1:
        won >>= 1
        seat += 1
    return seat
