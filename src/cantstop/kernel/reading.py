"""A position from outside: what follows from its tokens and runners, and what is impossible."""

from cantstop.jit import compiled
from cantstop.kernel.layout import FREE, LEAPFROG, PositionRecord, RollsRecord, RulesRecord
from cantstop.kernel.steps import opponent_on

FIRST_COLUMN = 2


@compiled
def complete(rules: RulesRecord, position: PositionRecord) -> None:
    """Fill in what follows from tokens and runners; there are no more of these than a turn has."""
    columns = 2 * rules.sides + 1
    position.free = rules.runners
    position.topped = 0
    position.move_count = 0
    position.out = 0
    position.open = (1 << columns) - 4  # there are no columns 0 and 1
    for seat in range(rules.players):
        position.won[seat] = 0
    on_tops = 0
    for column in range(FIRST_COLUMN, columns):
        for seat in range(rules.players):
            if position.tokens[seat, column] == rules.tops[column]:
                position.won[seat] += 1
                position.open &= ~(1 << column)
        if position.runners[column]:
            position.entered[rules.runners - position.free] = column
            position.free -= 1
            position.out |= 1 << column
            if position.runners[column] == rules.tops[column]:
                position.topped += 1
                on_tops |= 1 << column
    position.usable = (position.open if position.free else position.out) & ~on_tops


@compiled
def is_possible(rules: RulesRecord, position: PositionRecord) -> bool:
    """Whether a game can come to these tokens and runners: what ``rules.check`` refuses is not."""
    runners = 0
    for column in range(FIRST_COLUMN, 2 * rules.sides + 1):
        if count_standing(rules, position, column) < 0:
            return False
        if position.runners[column]:
            runners += 1
            if not is_possible_runner(rules, position, column):
                return False
    return runners <= rules.runners and is_possible_end(rules, position, runners)


@compiled
def count_standing(rules: RulesRecord, position: PositionRecord, column: int) -> int:
    """How many tokens stand in a column; -1 if they cannot stand so."""
    top, standing, owned = rules.tops[column], 0, False
    for seat in range(rules.players):
        space = position.tokens[seat, column]
        if space < 0 or space > top:
            return -1
        if space:
            standing += 1
            owned = owned or space == top
            for other in range(seat):
                if rules.sharing != FREE and position.tokens[other, column] == space:
                    return -1
    return -1 if owned and standing > 1 else standing


@compiled
def is_possible_runner(rules: RulesRecord, position: PositionRecord, column: int) -> bool:
    """Whether the runner of a column can stand where it does."""
    space = position.runners[column]
    for seat in range(rules.players):
        if position.tokens[seat, column] == rules.tops[column]:
            return False
    if space > rules.tops[column] or space <= position.tokens[position.seat, column]:
        return False
    return rules.sharing != LEAPFROG or not opponent_on(rules, position, column, space)


@compiled
def is_possible_end(rules: RulesRecord, position: PositionRecord, runners: int) -> bool:
    """Whether a game can come to these won columns, in the turn of this seat."""
    closed, winners = 0, 0
    own, most = 0, 0
    for seat in range(rules.players):
        won = 0
        for column in range(FIRST_COLUMN, 2 * rules.sides + 1):
            if position.tokens[seat, column] == rules.tops[column]:
                won += 1
        if won >= rules.columns_to_win + rules.runners:
            return False
        if won >= rules.columns_to_win:
            winners += 1
        if seat == position.seat:
            own = won
        most = max(most, won)
        closed += won
    if winners > 1:
        return False
    if not winners and closed < 2 * rules.sides - 1:
        return True
    # the game ends with a stop that wins a column, and the seat stays with the one who stopped
    return runners == 0 and own > 0 and (not winners or own >= rules.columns_to_win)


@compiled
def leaders(rules: RulesRecord, position: PositionRecord) -> int:
    """Who has won, seats as bits of a number; none while the game goes on (W4, W5)."""
    most, found = 0, 0
    for seat in range(rules.players):
        if position.won[seat] > most:
            most, found = position.won[seat], 0
        if position.won[seat] == most:
            found |= 1 << seat
    return found if most >= rules.columns_to_win or not position.open else 0


@compiled
def busting_falls(rolls: RollsRecord, position: PositionRecord) -> int:
    """In how many of all falls of four dice the next roll would be of no use."""
    found = 0
    for roll in range(rolls.count):
        if not rolls.columns[roll] & position.usable:
            found += rolls.ways[roll]
    return found
