"""Glicko-2 beside the published example and the paper's own definition of volatility."""

from decimal import Decimal, getcontext
from math import log, pi, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cantstop.drills import Rating, expected_score, rated

PLAYER = Rating(1500, 200, 0.06)
GAMES = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]


def test_the_papers_example() -> None:
    after = rated(PLAYER, GAMES)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_the_papers_intermediate_figures() -> None:
    chances = [expected_score(PLAYER, opponent) for opponent, _ in GAMES]
    assert chances == pytest.approx([0.639, 0.432, 0.303], abs=0.001)


def test_a_period_without_games_leaves_the_rating_and_widens_the_deviation() -> None:
    after = rated(PLAYER, [])
    assert (after.rating, after.volatility) == (1500, 0.06)
    assert after.deviation == pytest.approx(sqrt(200**2 + (0.06 * 173.7178) ** 2))


def by_bisection(player: Rating, games: list[tuple[Rating, float]]) -> Rating:
    """The same from the paper's formulas, in decimals of 40 digits and by the plainest search."""
    getcontext().prec = 40
    scale, tau = Decimal("173.7178"), Decimal("0.5")
    phi, sigma = Decimal(player.deviation) / scale, Decimal(player.volatility)
    total = precision = Decimal(0)
    for opponent, score in games:
        weight = 1 / (1 + 3 * (Decimal(opponent.deviation) / scale / Decimal(pi)) ** 2).sqrt()
        gap = (Decimal(player.rating) - Decimal(opponent.rating)) / scale
        chance = 1 / (1 + (-weight * gap).exp())
        total += weight * (Decimal(score) - chance)
        precision += weight**2 * chance * (1 - chance)
    delta, start = total / precision, (sigma**2).ln()

    def slope(x: Decimal) -> Decimal:
        spread = phi**2 + 1 / precision + x.exp()
        return x.exp() * (delta**2 - spread) / (2 * spread**2) - (x - start) / tau**2

    low, high = start - 20, start + 20  # the slope falls from above zero to below it
    for _ in range(120):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    sigma = (low / 2).exp()
    after = 1 / (1 / (phi**2 + sigma**2) + precision)
    return Rating(
        player.rating + float(scale * after * total), float(scale * after.sqrt()), float(sigma)
    )


ratings = st.builds(Rating, st.floats(1200, 1800), st.floats(30, 350), st.floats(0.03, 0.12))


@given(ratings, st.lists(st.tuples(ratings, st.sampled_from([0.0, 0.5, 1.0])), min_size=1,
                         max_size=5))  # fmt: skip
def test_any_period_is_as_the_formulas_have_it(
    player: Rating, games: list[tuple[Rating, float]]
) -> None:
    found, expected = rated(player, games), by_bisection(player, games)
    assert found.rating == pytest.approx(expected.rating, abs=0.01)
    assert found.deviation == pytest.approx(expected.deviation, abs=0.01)
    assert found.volatility == pytest.approx(expected.volatility, rel=1e-4)


def test_equal_players_have_even_chances_and_400_points_are_ten_to_one() -> None:
    sure = Rating(1500, 0)
    assert expected_score(sure, sure) == 0.5
    assert expected_score(Rating(1900), sure) == pytest.approx(10 / 11, abs=1e-4)
    assert log(10) / 400 == pytest.approx(1 / 173.7178)
