"""What the rules keep for boards and dice is bounded: a server is asked about any of them."""

from itertools import combinations, product

import pytest

from cantstop import Board, Position, Rules
from cantstop.rules import moves
from cantstop.rules.moves import RUNNER, Roll, Rolls, columns_of


def test_the_answers_of_a_roll(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moves, "_MOST_KNOWN", 3)
    roll = Roll((2, 3, 4, 5), early=False)
    for reach in range(0, 100 << 40, 1 << 32):
        assert roll.moves(reach) == Roll((2, 3, 4, 5), early=False).moves(reach)
        assert len(roll) <= 3


def test_the_rolls_of_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moves, "_MOST_ROLLS", 10)
    rolls = Rolls(20, early=False)
    for dice in product((1, 20, 7), repeat=4):
        assert rolls[dice].dice == tuple(sorted(dice))
        assert len(rolls) <= 12  # a roll as it fell comes with the sorted one


def test_the_columns_of_runners(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moves, "_MOST_SETS", 10)
    cached = columns_of.__self__  # type: ignore[attr-defined]
    cached.clear()  # of what other tests have asked for
    for columns in combinations(range(2, 41), 2):
        assert columns_of(sum(RUNNER[column] for column in columns)) == columns
        assert len(cached) <= 10


def test_positions_of_many_boards_are_what_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_MOST_KNOWN", "_MOST_ROLLS", "_MOST_SETS"):
        monkeypatch.setattr(moves, name, 1)
    for sides in (6, 12, 20):
        position = Position.initial(Rules(board=Board.stepped(sides, 3))).roll((1, 2, 2, sides))
        listed = [str(move) for move in position.legal_moves]
        assert listed == [f"{3}+{2 + sides}", f"{4}+{1 + sides}"]
        after = position.move(position.legal_moves[0])
        assert [column for column, space in enumerate(after.runners) if space] == [3, 2 + sides]
