"""Exact chances, by going through every roll."""

from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from math import comb

from cantstop.odds.situation import Situation
from cantstop.rules import (
    OFFICIAL,
    Board,
    Position,
    Rules,
    Sharing,
    Start,
    splits,
    ways,
)
from cantstop.rules.moves import RUNNER, SECOND_STEP, STEP


def rolls_of(board: Board = OFFICIAL) -> int:
    """How many rolls of four dice there are: 1,296 with six sides."""
    return int(board.sides) ** 4


def usable_rolls(situation: Situation) -> int:
    """How many rolls are of use.

    >>> usable_rolls(Situation.on(6, 7, 8)), usable_rolls(Situation.on(2, 3, 12))
    (1192, 568)
    """
    useful = situation.useful
    return sum(
        times
        for shown, times in _shown_columns(situation.board.sides)
        if not useful.isdisjoint(shown)
    )


def usable_chance(position: Position) -> Fraction:
    """The chance that the next roll of a turn is no bust."""
    return Fraction(usable_rolls(Situation.of(position)), rolls_of(position.rules.board))


def column_rolls(board: Board = OFFICIAL) -> dict[int, int]:
    """In how many rolls a split shows each column.

    >>> column_rolls()[7]
    834
    """
    return {
        column: sum(times for shown, times in _shown_columns(board.sides) if column in shown)
        for column in board.columns
    }


def triple_rolls(board: Board = OFFICIAL) -> dict[tuple[int, int, int], int]:
    """How many rolls are of use to each three runners, none of them on a top."""
    return {
        (low, middle, high): sum(
            times
            for shown, times in _shown_columns(board.sides)
            if low in shown or middle in shown or high in shown
        )
        for low, middle, high in combinations(board.columns, 3)
    }


MAX_WORK = 200_000
"""Rolls of all situations that survival goes through; the official board has 29,232."""


def is_survival_quick(situation: Situation) -> bool:
    """Whether ``survival`` takes seconds: with large dice it can take hours.

    >>> is_survival_quick(Situation.on())
    True
    """
    columns = len(situation.board.columns)
    situations = sum(comb(columns, more) for more in range(situation.free + 1))
    return situations * len(ways(situation.board.sides, 4)) <= MAX_WORK


def survival(situation: Situation, rolls: int) -> Fraction:
    """The chance to get through a number of rolls, choosing the moves that last longest.

    Runners are taken never to reach a further top. With every runner out there is nothing left to
    choose and the chance is a power.

    >>> float(round(survival(Situation.on(6, 7, 8), 3), 4))
    0.7781
    """
    return _survival(situation, rolls)


@lru_cache(maxsize=16384)
def _survival(situation: Situation, rolls: int) -> Fraction:
    total = rolls_of(situation.board)
    if not situation.free:
        return Fraction(usable_rolls(situation), total) ** rolls
    if rolls == 0:
        return Fraction(1)
    return sum(
        times * max(_survival(after, rolls - 1) for after in afters)
        for afters, times in _next_situations(situation)
    ) * Fraction(1, total)


@lru_cache(maxsize=4096)  # boards are without number, and a server is asked about any
def _next_situations(situation: Situation) -> tuple[tuple[frozenset[Situation], int], ...]:
    """What a usable roll can lead to, with the number of rolls that lead there."""
    blocked = situation.closed | situation.topped
    reach = situation.free + sum(RUNNER[column] for column in situation.runners)
    for column in situation.board.columns:
        if column not in blocked:
            reach += STEP[column] + SECOND_STEP[column]
    rolls = Rules(columns_to_win=1, board=situation.board).rolls
    found: dict[frozenset[Situation], int] = {}
    for dice, times in ways(situation.board.sides, 4).items():
        moves = rolls[dice].moves(reach)
        if moves:
            afters = frozenset(
                Situation(
                    situation.runners | set(move),
                    situation.closed,
                    situation.topped,
                    situation.board,
                )
                for move in moves
            )
            found[afters] = found.get(afters, 0) + times
    return tuple(found.items())


@cache
def _shown_columns(sides: int) -> tuple[tuple[frozenset[int], int], ...]:
    """The columns that some split of a roll shows, and how many rolls show just those."""
    found: dict[frozenset[int], int] = {}
    for dice, times in ways(sides, 4).items():
        shown = frozenset(column for split in splits(dice) for column in split)
        found[shown] = found.get(shown, 0) + times
    return tuple(found.items())


PAR = 6.71531
"""The turns that best play of the official game needs on average (``docs/solved.md``)."""

_SOLVED = Rules(players=1)


def is_official_solo(rules: Rules) -> bool:
    """Whether a game is the solved one; who starts and how spaces are shared matters to nobody."""
    return replace(rules, start=Start.FIRST_SEAT, sharing=Sharing.FREE) == _SOLVED


def par(start: Position) -> float | None:
    """The turns that best play needs on average; known for the official game from its beginning.

    >>> par(Position.initial(Rules(players=1)))
    6.71531
    """
    solved = is_official_solo(start.rules) and start == Position.initial(start.rules)
    return PAR if solved else None
