"""All ratings at once: at the top of the posterior, which plain formulas give a second time."""

from collections.abc import Callable
from math import exp, log

import numpy as np
import pytest

from cantstop.ratings import Kind, Member, Size
from cantstop.ratings.fit import Fit, Node
from cantstop.ratings.opinions import Observation, Player, learned, observed
from rating_clubs import club

V, C = 250.0**2, 250.0**2 - 60.0**2 / 2
Q = log(10) / 400


def taken(kind: Kind, seed: int = 5) -> tuple[Fit, list[Observation]]:
    """The observations of a club's games, and the fit that has them."""
    fit, all_of_them = Fit(kind), []
    known: dict[Member, Player] = {}
    for game in club(seed, 120):
        found = observed(kind, game, known)
        if found is not None:
            fit.add(found[0])
            all_of_them.append(found[0])
            learned(known, *found)
    return fit, all_of_them


def log_posterior(observations: list[Observation], at: dict[Node, float]) -> float:
    """Of ratings, by the page's formulas."""
    total = 0.0
    for player in dict.fromkeys(player for player, _ in at):
        own = [at[player, size] - 1700 for size in Size if (player, size) in at]
        prior = np.array([[V, C], [C, V]])[: len(own), : len(own)]
        total -= 0.5 * np.array(own) @ np.linalg.inv(prior) @ np.array(own)
    for one in observations:
        means = [
            at[player, one.size] if isinstance(player, Member) else player.rating
            for player in one.seats
        ]
        powers = [exp(Q * (mean - 1700)) for mean in means]
        p = [power / sum(powers) for power in powers]
        if one.variance is None:
            total += sum(score * log(chance) for score, chance in zip(one.scores, p, strict=True))
        elif len(p) == 2:
            # scores of who left and of the other do not sum to 1: their difference counts
            away = (one.scores[0] - one.scores[1] - p[0] + p[1]) / 2
            total -= away**2 / (2 * one.variance)
        else:
            squares = sum(
                (score - chance) ** 2 for score, chance in zip(one.scores, p, strict=True)
            )
            total -= (len(p) - 1) / len(p) * squares / (2 * one.variance)
    return total


def slope(of: Callable[[dict[Node, float]], float], at: dict[Node, float], node: Node) -> float:
    """The derivative at a node, by a small difference."""
    h = 0.01
    return (of({**at, node: at[node] + h}) - of({**at, node: at[node] - h})) / (2 * h)


@pytest.mark.parametrize("kind", list(Kind))
def test_no_rating_can_be_moved_to_explain_the_games_better(kind: Kind) -> None:
    fit, observations = taken(kind)
    at = {node: one.mean for node, one in fit.ratings().items()}
    assert {size for _, size in at} == set(Size)
    for node in at:
        steep = slope(lambda where: log_posterior(observations, where), at, node)
        assert abs(steep) < 1e-6, node


@pytest.mark.parametrize("kind", list(Kind))
def test_it_ends_at_the_same_ratings_wherever_it_begins(kind: Kind) -> None:
    fit, _ = taken(kind, 6)
    found = fit.ratings()
    high = dict.fromkeys(found, 1900.0)
    again = fit.ratings(high)
    for node, one in found.items():
        assert again[node].mean == pytest.approx(one.mean, abs=1e-5)


def test_results_are_as_sure_as_the_second_derivatives_say() -> None:
    fit, observations = taken(Kind.RESULTS, 7)
    found = fit.ratings()
    at, nodes = {node: one.mean for node, one in found.items()}, list(found)

    def of(where: dict[Node, float]) -> float:
        return log_posterior(observations, where)

    h = 1.0
    second = np.empty((len(nodes), len(nodes)))
    for i, a in enumerate(nodes):
        for j, b in enumerate(nodes):
            up = (
                slope(of, {**at, b: at[b] + h}, a) if a != b else slope(of, {**at, a: at[a] + h}, a)
            )
            down = slope(of, {**at, b: at[b] - h}, a)
            second[i, j] = (up - down) / (2 * h)
    variances = np.diag(np.linalg.inv(-second))
    assert [one.variance for one in found.values()] == pytest.approx(variances, rel=1e-3)
