"""Scores: their sum, their mean, and that leaving costs."""

import random

import pytest

from cantstop.ratings import Fate, Findings, Game, Leaving, Member, Seat
from cantstop.ratings.scores import (
    LEAVING_COSTS,
    corrected,
    leaving_scores,
    play_scores,
    result_scores,
)


def game(*fates: Fate, findings: Findings | None = None) -> Game:
    """A game of people with these fates."""
    return Game(tuple(Seat(Member(str(n)), fate) for n, fate in enumerate(fates)), findings)


def test_a_win_that_is_shared_is_one_win() -> None:
    scores = result_scores(game(Fate.WON, Fate.LOST, Fate.WON), (0.2, 0.3, 0.5))
    assert scores == [0.5, 0.0, 0.5]


def test_a_game_that_a_substitute_won_says_nothing_between_those_who_stayed() -> None:
    expected = (0.2, 0.3, 0.5)
    scores = result_scores(game(Fate.LEFT, Fate.LOST, Fate.LOST), expected)
    assert scores[0] == 0.0
    assert scores[1] / scores[2] == pytest.approx(0.3 / 0.5)


def test_the_scores_of_a_table_that_nobody_left_sum_to_one() -> None:
    findings = Findings((0.3, 0.3, 0.4), (0.25, -0.2, -0.05))
    found = play_scores(game(Fate.LOST, Fate.WON, Fate.LOST), findings, 0.7, (0.3, 0.3, 0.4))
    assert sum(found) == pytest.approx(1.0, abs=1e-12)
    assert found[1] == pytest.approx(1 + 0.7 * 0.2 - (0.3 - 1 / 3))


def test_who_leaves_gets_less_than_both_estimates_and_the_others_what_is_fair() -> None:
    dice = random.Random(1)
    for _ in range(200):
        seats = dice.randint(2, 4)
        reached = [dice.uniform(0.01, 1) for _ in range(seats)]
        expected = [dice.uniform(0.01, 1) for _ in range(seats)]
        reached = [one / sum(reached) for one in reached]
        expected = [one / sum(expected) for one in expected]
        fair = corrected(reached, expected)
        scores = leaving_scores(Leaving(0, tuple(reached)), expected)
        assert scores[0] == pytest.approx(min(reached[0], fair[0]) - LEAVING_COSTS)
        assert scores[1:] == fair[1:]
        assert sum(fair) == pytest.approx(1.0)


def test_a_decided_game_stays_decided_whoever_plays() -> None:
    assert corrected((1.0, 0.0), (0.01, 0.99)) == [1.0, 0.0]
    assert corrected((1.0, 0.0), (0.0, 1.0)) == [1.0, 0.0]
