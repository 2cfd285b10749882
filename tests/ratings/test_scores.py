"""Scores: their sum, their mean, and that leaving costs."""

import random

import pytest

from cantstop.ratings import Fate, Findings, Game, Leaving, Member, Opinion, Seat, chances
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
    found = play_scores(
        game(Fate.LOST, Fate.WON, Fate.LOST), findings, 0.7, [Opinion(1700, 50)] * 3
    )
    assert sum(found) == pytest.approx(1.0, abs=1e-12)
    assert found[1] == pytest.approx(1 + 0.7 * 0.2 - (0.3 - 1 / 3))


def test_who_leaves_gets_less_than_both_estimates_and_the_others_what_is_fair() -> None:
    dice = random.Random(1)
    for _ in range(200):
        seats = dice.randint(2, 4)
        reached = [dice.uniform(0.01, 1) for _ in range(seats)]
        reached = [one / sum(reached) for one in reached]
        opinions = [Opinion(dice.uniform(1300, 2100), dice.uniform(0, 250)) for _ in range(seats)]
        fair = corrected(reached, chances([one.mean for one in opinions]))
        scores = leaving_scores(Leaving(0, tuple(reached)), opinions)
        # a tenth for the weakest, nothing from 1750 on, by the lower end of the rating
        waste = 0.1 * min(1, max(0, (1750 - opinions[0].mean + opinions[0].sd) / 300))
        left = max(0, min(reached[0], fair[0]) - waste)
        assert scores[0] == pytest.approx(left - LEAVING_COSTS)
        assert scores[1:] == fair[1:]
        assert sum(fair) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("opinion", "waste"),
    [
        (Opinion(1410, 0), 0.1),
        (Opinion(1600, 0), 0.05),
        (Opinion(1700, 100), 0.05),
        (Opinion(1750, 0), 0.0),
        (Opinion(2000, 30), 0.0),
    ],
)
def test_a_weak_player_who_leaves_keeps_less_of_the_chance(opinion: Opinion, waste: float) -> None:
    other = Opinion(opinion.mean, 0)
    scores = leaving_scores(Leaving(0, (0.6, 0.4)), [opinion, other])
    assert scores == pytest.approx([0.6 - waste - LEAVING_COSTS, 0.4])


def test_a_chance_that_is_left_is_never_less_than_none() -> None:
    scores = leaving_scores(Leaving(1, (0.96, 0.04)), [Opinion(1410, 0), Opinion(1410, 0)])
    assert scores == pytest.approx([0.96, -LEAVING_COSTS])


def test_a_decided_game_stays_decided_whoever_plays() -> None:
    assert corrected((1.0, 0.0), (0.01, 0.99)) == [1.0, 0.0]
    assert corrected((1.0, 0.0), (0.0, 1.0)) == [1.0, 0.0]
