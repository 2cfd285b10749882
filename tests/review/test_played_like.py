"""What play was worth, in ratings: from the bots that were measured."""

import json
from importlib.resources import files
from itertools import pairwise

import pytest

from cantstop import Rules, Start
from cantstop.bots import LADDER
from cantstop.review.played_like import FILE, LOWEST, Curve, curve, played_like


def test_more_error_is_a_lower_rating() -> None:
    ratings = [curve().of(error * 50, 50).rating for error in (0, 0.001, 0.005, 0.01, 0.02, 0.05)]
    assert ratings[0] == 2000
    assert all(one > other for one, other in pairwise(ratings))
    assert curve().of(50.0, 50).rating == LOWEST


def test_more_decisions_make_the_interval_narrower_down_to_the_spread_of_the_bots() -> None:
    found = [curve().of(0.01 * count, count) for count in (5, 20, 100, 10_000)]
    assert all(like.low < like.rating < like.high for like in found)
    widths = [like.high - like.low for like in found]
    assert all(one > other for one, other in pairwise(widths))
    assert widths[-1] == pytest.approx(2 * 1.96 * curve().spread, rel=0.1)


def test_somebody_without_an_error_in_a_few_decisions_need_not_be_a_champion() -> None:
    few, many = curve().of(0.0, 3), curve().of(0.0, 3000)
    assert few.low < many.low < 2000
    assert few.low < 1900


def test_the_interval_is_where_the_mean_would_be_a_surprise() -> None:
    plain = Curve(2000, 10_000, 1.0, 0.0, 1.0, 0.5)  # one decision scatters by the error's root
    like = plain.of(4.0, 400)
    # e solves |e - 0.01| = 1.96 * sqrt(e) / 20
    assert plain.rating(0.02556) == pytest.approx(like.low, abs=5)
    assert plain.rating(0.00391) == pytest.approx(like.high, abs=5)


def test_the_ladder_is_found_again_by_its_errors() -> None:
    stored = json.loads((files("cantstop.review") / FILE).read_text("utf-8"))["bots"]
    for level in LADDER:
        error, _ = stored[level.name]
        assert abs(curve().rating(error) - level.rating) < 3 * curve().spread


@pytest.mark.parametrize(
    "rules", [Rules(players=1), Rules(players=3), Rules(early=True), Rules(columns_to_win=5)]
)
def test_where_nobody_was_measured_nothing_is_said(rules: Rules) -> None:
    assert played_like(rules, 0.5, 50) is None
    assert played_like(Rules(start=Start.ROLL_OFF), 0.5, 50) is not None
    assert played_like(Rules(), 0.0, 0) is None
