"""What is fixed before a game: the weight of luck, and the variance of scores."""

import pytest

from cantstop.ratings import Opinion
from cantstop.ratings.model import UNEQUAL, WEIGHTS, luck_weight, play_variance


def sure(*ratings: float) -> list[Opinion]:
    """Players of whom everything is known."""
    return [Opinion(rating, 0.0) for rating in ratings]


def test_luck_counts_more_between_strong_players_and_less_between_unequal_ones() -> None:
    assert luck_weight(sure(1500, 1500)) == WEIGHTS[0]
    assert luck_weight(sure(1990, 1990)) == WEIGHTS[1]
    assert luck_weight(sure(1850, 1850)) == pytest.approx(sum(WEIGHTS) / 2)
    # 400 points are odds of ten to one
    uneven = luck_weight(sure(1650, 2050))
    assert uneven == luck_weight(sure(2050, 1650))
    assert uneven == pytest.approx(sum(WEIGHTS) / 2 - UNEQUAL * (9 / 11) ** 2)


def test_at_larger_tables_only_the_mean_counts() -> None:
    assert luck_weight(sure(1400, 1850, 2300)) == pytest.approx(sum(WEIGHTS) / 2)


def test_scores_of_stronger_players_vary_less() -> None:
    variances = [play_variance(sure(rating, 1700)) for rating in range(1400, 2050, 50)]
    assert variances == sorted(variances, reverse=True)
    assert variances[-1] > 0
