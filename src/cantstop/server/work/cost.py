"""What an analysis, a review or a strong bot will cost the pool, estimated from the rules.

Most of the work of a turn is a sum over its states, and in each of them over the rolls; both follow
from the board and the tokens. How long each part takes was measured: ``tools/insight_cost.py`` says
how to do so again. Nothing here loads the engine: the server asks this for every request.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import comb
from typing import NamedTuple

from cantstop.rules import (
    NOBODY,
    OFFICIAL,
    CantStopError,
    Phase,
    Position,
    Rules,
    Sharing,
)

TRIPLE = 3
"""With this number of runners out, and no more in hand, the solver has a quick way."""

MOST_SECONDS = 0.75
"""No single piece of work above this is begun: what a hint waits for it at most, by estimate.

Dice of fourteen sides take 0.6 s, most of it for tables that are made once."""


class Work(NamedTuple):
    """How much there is to do, by kind: counts that the seconds below are for."""

    once: float = 1.0
    turns: float = 0.0
    """Turns that are solved, whatever they are like."""
    rolled_states: float = 0.0
    """States in which every roll is looked at, times the rolls."""
    early_states: float = 0.0
    """The same where runners have to come out early (V2): besides."""
    split_states: float = 0.0
    """The same states, times the splits that rolls are made of."""
    triple_states: float = 0.0
    """States with three runners out and none in hand."""
    race_ends: float = 0.0
    """Spaces that the race model looks at: states by seats and columns."""
    race_chances: float = 0.0
    """Of three seats or more, the distances for which it works the chances out: at most."""
    network_ends: float = 0.0
    """States by seats that the value networks look at."""
    solo_ends: float = 0.0
    """States that the network of the official game for one player looks at."""
    followed: float = 0.0
    """States that best play may come by, times the rolls, each time that it is followed."""
    rolls: float = 0.0
    """Rolls of the roll map."""
    usable_rolls: float = 0.0
    """Those of them that are probably no bust: the moves of each are compared."""
    tables: float = 0.0
    """Sets of columns, times splits: what is made once for dice and runners."""
    table_rolls: float = 0.0
    """Rolls that are sorted for those."""
    triple_rolls: float = 0.0
    """The same for every triple of columns, where there are three runners."""

    def times(self, factor: float) -> "Work":
        """The work of several repetitions."""
        return Work(*(factor * part for part in self))

    def plus(self, other: "Work") -> "Work":
        """Both, one after the other."""
        return Work(*(one + two for one, two in zip(self, other, strict=True)))

    @property
    def seconds(self) -> float:
        """The CPU time that it takes on the machine that was measured."""
        return sum(part * each for part, each in zip(self, SECONDS, strict=True))


MOST_RACE_STATES = 10_000
"""States for which the race model computes chances of three seats or more; then it reuses them."""

EVENT_SHARE = 0.2
"""What it takes to describe an event in a review, as a share of what any analysis takes."""

SECONDS = Work(
    once=1.6e-3,
    turns=1.7e-4,
    rolled_states=8.8e-10,
    early_states=2.3e-9,
    split_states=5.2e-9,
    triple_states=1e-7,
    race_ends=4.3e-9,
    race_chances=4.2e-8,
    network_ends=5.3e-9,
    solo_ends=3.8e-7,
    followed=5e-10,
    rolls=3.2e-6,
    usable_rolls=6.4e-7,
    tables=1e-8,
    table_rolls=1.4e-6,
    triple_rolls=6.7e-8,
)
"""What each of them takes: the fit of ``tools/insight_cost.py``, on one core of a shared AMD EPYC.

On another machine all of them are longer or shorter by about the same factor.
"""


def analysis_work(position: Position) -> Work:
    """What it takes to analyse a position, with the roll map; or to give a hint, without it."""
    rules = position.rules
    if position.phase is Phase.OVER:
        return Work()
    tables = _tables_work(rules)
    if position.phase is Phase.START:
        starters = _starters(position)
        turn = turn_work(position, [()], follows=rules.players > 2)
        return Work().plus(tables).plus(turn.times(starters))
    follows = 1 + (rules.players > 2)
    work = turn_work(position, _roots(position), follows=follows)
    if position.may_roll:
        rolls = count_rolls(rules.board.sides)
        work = work.plus(Work(once=0, rolls=rolls, usable_rolls=rolls * _usable_share(position)))
    return Work().plus(tables).plus(work)


def hint_work(position: Position) -> Work:
    """What it takes to give a hint: an analysis without the roll map."""
    return analysis_work(position)._replace(rolls=0, usable_rolls=0)


@lru_cache(maxsize=64)
def bot_seconds(rules: Rules) -> float:
    """What a strong bot takes at most to decide: it solves a turn, here one with all columns."""
    start = Position.initial(rules)
    return _tables_work(rules).plus(turn_work(start, [()], follows=0)).seconds


def review_work(start: Position, turns: int, events: int) -> Work:
    """What it takes at most to review a game: every turn is solved, as if nobody had a token yet.

    With three players or more, best play is followed after every event. Of games that are played
    to their end a review takes a third to a half of this.
    """
    rules = start.rules
    starters = _starters(start) if start.phase is Phase.START else 1
    turn = turn_work(start, [()], follows=0)
    follows = events / max(1, turns) if rules.players > 2 else 0
    followed = turn_work(start, [()], follows=follows).times(turns)
    descriptions = Work(once=1 + events * EVENT_SHARE)
    return _tables_work(rules).plus(turn.times(starters)).plus(followed).plus(descriptions)


_HEADER = re.compile(r'^\[(Rules|Position) "([^"\\]*)"\]', re.MULTILINE)
_HEAD_CHARACTERS = 16_000


def start_of_record(text: str) -> Position | None:
    """The position that a record begins with, from its headers; None where they have none."""
    found = dict(_HEADER.findall(text[:_HEAD_CHARACTERS]))
    try:
        if "Position" in found:
            return Position.parse(found["Position"])
        return Position.initial(Rules.parse(found.get("Rules", "")))
    except CantStopError:
        return None


def turn_work(position: Position, roots: Iterable[Sequence[int]], follows: float) -> Work:
    """What it takes to solve what can still come of a turn, from sets of columns with a runner."""
    rules, board = position.rules, position.rules.board
    steps, players = _steps(position), rules.players
    few, full = count_turn_states(steps, board.runners, roots)
    if board.runners != TRIPLE:
        few, full = few + full, 0
    rolls, splits = count_rolls(board.sides), comb(len(board.columns) + 1, 2)
    states = few + full
    is_known = board == OFFICIAL and _is_learned(rules)
    is_solo = is_known and players == 1
    return Work(
        once=0,
        turns=1,
        rolled_states=few * rolls,
        early_states=few * rolls if rules.early else 0,
        split_states=few * splits,
        triple_states=full,
        race_ends=0 if is_known else states * players * len(board.columns),
        race_chances=min(states, MOST_RACE_STATES) * players * (players > 2 and not is_known),
        network_ends=states * players if is_known and not is_solo else 0,
        solo_ends=states if is_solo else 0,
        followed=follows * states * rolls,
    )


def _is_learned(rules: Rules) -> bool:
    """Whether a game on the official board has a value network, or is solved."""
    if rules.players == 1:
        return rules.columns_to_win == 3 and not rules.early
    return 3 <= rules.columns_to_win <= 5


def count_turn_states(
    steps: Sequence[int], runners: int, roots: Iterable[Sequence[int]]
) -> tuple[int, int]:
    """The states of a turn with runners in hand, and those without, above each of these sets.

    Steps are those that each column has left, 0 where it is won.

    >>> count_turn_states([3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3], 3, [()])
    (3159, 67065)
    """
    every = _ways(steps, runners)
    few = full = 0
    for root in set(map(tuple, roots)):
        out = set(root)
        made = 1
        for column in out:
            made *= steps[column]
        rest = [column for at, column in enumerate(steps) if at not in out]
        ways = _ways(rest, runners - len(out))
        few += made * sum(ways[:-1])
        full += made * ways[-1]
    return min(few, sum(every[:-1])), min(full, every[-1])


def _ways(steps: Iterable[int], runners: int) -> list[int]:
    """In how many ways each number of runners can be on the columns."""
    ways = [1] + [0] * runners
    for column in steps:
        for out in range(runners, 0, -1):
            ways[out] += ways[out - 1] * column
    return ways


def count_rolls(sides: int) -> int:
    """How many different rolls four dice have."""
    return comb(sides + 3, 4)


def _tables_work(rules: Rules) -> Work:
    """What an instance of the engine makes once for its dice and runners."""
    board = rules.board
    columns, rolls = len(board.columns), count_rolls(board.sides)
    sets = sum(comb(columns, out) for out in range(board.runners + 1))
    return Work(
        once=0,
        tables=sets * comb(columns + 1, 2),
        table_rolls=rolls,
        triple_rolls=comb(columns, TRIPLE) * rolls if board.runners == TRIPLE else 0,
    )


def _steps(position: Position) -> list[int]:
    """The steps that each column has left for the seat whose turn it is."""
    tokens, seat, board = position.tokens, position.seat, position.rules.board
    steps = []
    for column in board.columns:
        if tokens.owners[column] != NOBODY:
            steps.append(0)
            continue
        token = tokens.spaces[seat][column]
        left = board.top(column) - token
        if position.rules.sharing is Sharing.LEAPFROG:
            left -= len(tokens.opponents_above(seat, column, token))
        steps.append(left)
    return steps


def _roots(position: Position) -> list[tuple[int, ...]]:
    """The columns with a runner, counted from 0, before the next roll: after each legal move."""
    moved = [position]
    if position.phase is Phase.MOVE:
        moved = [position.move(move) for move in position.legal_moves]
    return [
        tuple(column for column, space in enumerate(after.runners[2:]) if space) for after in moved
    ]


def _usable_share(position: Position) -> float:
    """About what share of the rolls is no bust: each has six sums, and one has to be of use."""
    board = position.rules.board
    out = sum(space > 0 for space in position.runners)
    steps = _steps(position)
    usable = out if out == board.runners else sum(left > 0 for left in steps)
    share = 1 - (1 - usable / len(steps)) ** 6
    return 3 * share if out == board.runners - 1 else share  # the last one picks its column (T5)


def _starters(position: Position) -> int:
    """How many seats may still start."""
    assert position.roll_off is not None
    contenders, sums = position.roll_off.contenders, position.roll_off.sums
    return len(contenders) - sum(thrown < max(sums) for thrown in sums)
