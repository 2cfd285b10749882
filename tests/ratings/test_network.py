"""The equations of a club, compared with NumPy's matrices."""

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from cantstop.ratings.network import Network


def network(seed: int, nodes: int = 60) -> Network:
    """A part of a club as the fit makes it, in units of the prior: some ties are to fixed nodes."""
    dice = random.Random(seed)
    left = [*range(nodes - 1), *(dice.randrange(-1, nodes) for _ in range(4 * nodes))]
    right = [*range(1, nodes), *((i + dice.randrange(1, 9)) % nodes for i in left[nodes - 1 :])]
    strength = [dice.uniform(0.5, 4.0) for _ in left]
    return Network([1.0] * nodes, left, right, strength)


def matrix(of: Network) -> NDArray[np.float64]:
    """The same equations as a full matrix."""
    nodes = len(of.own)
    full = np.zeros((nodes + 1, nodes + 1))
    for i, j, k in zip(of.left, of.right, of.strength, strict=True):
        full[i, i] += k
        full[j, j] += k
        full[i, j] -= k
        full[j, i] -= k
    return full[:nodes, :nodes] + np.diag(of.own)


@pytest.mark.parametrize("seed", [1, 2])
def test_it_solves_what_the_matrix_solves(seed: int) -> None:
    of = network(seed)
    b = np.sin(np.arange(60))
    assert of.solved(b.tolist()) == pytest.approx(np.linalg.solve(matrix(of), b), abs=1e-9)


def test_small_parts_have_the_exact_variances() -> None:
    of = network(3)
    assert of.variances() == pytest.approx(np.diag(np.linalg.inv(matrix(of))), rel=1e-9)


def test_large_parts_have_nearly_the_exact_widths() -> None:
    of = network(4, 240)
    exact = np.sqrt(np.diag(np.linalg.inv(matrix(of))))
    error = np.sqrt(of.variances()) / exact - 1
    assert np.abs(error).max() < 0.15
    assert np.sqrt(np.mean(error**2)) < 0.06


def test_parts_that_nothing_ties_do_not_know_of_each_other() -> None:
    two = Network([1.0, 1.0, 0.5], [0], [1], [2.0])
    assert two.variances() == pytest.approx([0.6, 0.6, 2.0])
