"""The odds against exhaustive enumeration of all ordered rolls."""

from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from typing import Any

import pytest

from cantstop.odds import (
    Situation,
    column_rolls,
    is_survival_quick,
    rolls_of,
    survival,
    triple_rolls,
    usable_chance,
    usable_rolls,
)
from cantstop.rules import Board, InvalidRules, Position

SMALL = Board.stepped(sides=3, shortest=1)


def sums_of(dice: Any) -> set[Any]:
    """Every sum of two of the dice, written without the library's splits."""
    return {a + b for a, b in permutations(dice, 2)}


def all_rolls(sides: int) -> Any:
    return product(range(1, sides + 1), repeat=4)


@pytest.mark.parametrize(
    ("runners", "usable"), [((6, 7, 8), 1192), ((2, 3, 12), 568), ((2, 11, 12), 568)]
)
def test_published_triples(runners: tuple[int, int, int], usable: int) -> None:
    assert usable_rolls(Situation.on(*runners)) == usable
    assert triple_rolls()[runners] == usable


def test_columns_appear_as_published() -> None:
    published = {2: 171, 3: 302, 4: 461, 5: 580, 6: 727, 7: 834}
    published |= {14 - column: rolls for column, rolls in published.items()}
    assert column_rolls() == dict(sorted(published.items()))


def test_every_column_and_triple_equals_enumeration() -> None:
    shown = [sums_of(dice) for dice in all_rolls(6)]
    assert len(shown) == rolls_of() == 1296
    for column, rolls in column_rolls().items():
        assert rolls == sum(column in sums for sums in shown)
    triples = triple_rolls()
    assert len(triples) == 165
    for triple, rolls in triples.items():
        assert rolls == sum(bool(sums & set(triple)) for sums in shown)


@pytest.mark.parametrize(
    ("situation", "useful"),
    [
        (Situation.on(6, 7, 8, topped=[7]), {6, 8}),
        (Situation.on(6, 7, 8, topped=[6, 7, 8]), set()),
        (Situation.on(6, 7, closed=[2, 12], topped=[7]), set(range(3, 12)) - {7}),
        (Situation.on(closed=[6, 7, 8]), {2, 3, 4, 5, 9, 10, 11, 12}),
        (Situation.on(2, 3, 4, board=SMALL), {2, 3, 4}),
    ],
)
def test_runners_tops_and_closed_columns_equal_enumeration(situation: Any, useful: Any) -> None:
    expected = sum(bool(sums_of(dice) & useful) for dice in all_rolls(situation.board.sides))
    assert usable_rolls(situation) == expected


def test_chance_of_a_position_counts_the_rolls_with_a_legal_move() -> None:
    position = Position.parse("v1,players=2 4:2,6:11/2:1,12:3 2 7:13,8:4,9:9 -")
    usable = sum(bool(position.roll(dice).legal_moves) for dice in all_rolls(6))
    assert usable_chance(position) == Fraction(usable, 1296)


def test_survival_of_a_full_set_is_a_power() -> None:
    assert survival(Situation.on(6, 7, 8), 3) == Fraction(1192, 1296) ** 3
    assert survival(Situation.on(6, 7, 8), 0) == 1


@cache
def longest(board: Any, runners: Any, closed: Any, rolls: Any) -> Any:
    """The best chance to last, over ordered rolls and pairings, step by step (T2, T4, T5)."""
    if rolls == 0:
        return Fraction(1)
    total = Fraction(0)
    for a, b, c, d in all_rolls(board.sides):
        options = []
        for first, second in ((a + b, c + d), (a + c, b + d), (a + d, b + c)):
            for order in ((first, second), (second, first)):
                out = set(runners)
                used = False
                for column in order:
                    if column in closed:
                        continue
                    if column in out or len(out) < board.runners:
                        out.add(column)
                        used = True
                if used:
                    options.append(frozenset(out))
        if options:
            total += max(longest(board, option, closed, rolls - 1) for option in set(options))
    return total / board.sides**4


@pytest.mark.parametrize(
    ("runners", "closed"), [((), ()), ((2,), ()), ((2, 6), (4,)), ((3,), (2, 5))]
)
def test_survival_equals_brute_force_on_a_small_board(
    runners: tuple[Any, ...] | tuple[int, ...], closed: tuple[Any, ...] | tuple[int, ...]
) -> None:
    situation = Situation.on(*runners, closed=closed, board=SMALL)
    for rolls in (1, 2, 3):
        assert survival(situation, rolls) == longest(SMALL, frozenset(runners), closed, rolls)


def test_situation_of_a_position() -> None:
    position = Position.parse("v1,players=2 2:3/- 2 6:11,7:2 -")
    assert Situation.of(position) == Situation.on(6, 7, closed=[2], topped=[6])


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Situation.on(13), "There is no column 13"),
        (lambda: Situation.on(1), "There is no column 1"),
        (lambda: Situation.on(2, 3, 4, 5), "There are 4 runners, but a turn has 3"),
        (lambda: Situation.on(6, closed=[6]), "Column 6 is won"),
        (lambda: Situation.on(6, topped=[7]), "Column 7 has no runner"),
    ],
)
def test_impossible_situations_are_refused(build: Any, message: str) -> None:
    with pytest.raises(InvalidRules, match=message):
        build()


def test_all_triples_are_there() -> None:
    assert list(triple_rolls(SMALL)) == list(combinations(range(2, 7), 3))


def test_survival_is_quick_unless_situations_are_too_many_to_go_through() -> None:
    assert is_survival_quick(Situation.on())  # 232 sets of columns, each with 126 rolls
    large = Board((5,) * 39)  # 20 sides: 9,920 sets of columns, each with 8,855 rolls
    assert not is_survival_quick(Situation.on(board=large))
    assert is_survival_quick(Situation.on(6, 7, 8, board=large))  # nothing is left to choose
