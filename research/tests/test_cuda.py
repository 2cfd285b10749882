"""What measures and checks the solved game on a GPU, as far as that can be proven without one."""

import numpy as np
import pytest

from cantstop.rules import Board
from research.cuda.games import Played, random_streams
from research.cuda.reference import turn_lists


def test_the_lists_of_the_reference_turn_are_whole() -> None:
    lists = turn_lists(Board.stepped(3, 1))
    assert lists.chance.sum() == pytest.approx(1)
    assert lists.kind_start[-1, -1] == len(lists.kind_chance) == len(lists.kind)


def test_games_have_a_mean_and_its_standard_error() -> None:
    played = Played(np.array([0, 1, 2, 1]), rolls=20, busts=3, estimate=2.0, estimate_error=0.0)
    assert (played.games, played.turns, played.mean) == (4, 8, 2.0)
    assert played.standard_error == pytest.approx(2**0.5 / 4)


def test_games_differ_and_begin_the_same_every_time() -> None:
    assert len(set(random_streams(1000, seed=1).tolist())) == 1000
    assert np.array_equal(random_streams(10, seed=1), random_streams(10, seed=1))
