"""What is known before a game: two ratings that stand by each other."""

import numpy as np
import pytest

from cantstop.ratings import Size
from cantstop.ratings.opinions import Player


@pytest.mark.parametrize("size", list(Size))
def test_learning_one_rating_moves_the_other_as_the_matrix_says(size: Size) -> None:
    new = Player()
    prior = np.array([[new.variance_two, new.covariance], [new.covariance, new.variance_more]])
    about = np.array([1.0, 0.0] if size is Size.TWO else [0.0, 1.0])
    noise = 90.0**2
    gain = prior @ about / (about @ prior @ about + noise)
    mean = np.array([new.two, new.more]) + gain * (1500.0 - 1700.0)
    after = prior - np.outer(gain, about @ prior)
    own = int(size is Size.MORE)
    found = new.told(size, float(mean[own]), float(after[own, own]))
    assert (found.two, found.more) == pytest.approx(tuple(mean))
    assert found.variance_two == pytest.approx(after[0, 0])
    assert found.variance_more == pytest.approx(after[1, 1])
    assert found.covariance == pytest.approx(after[0, 1])


def test_the_two_ratings_of_a_newcomer_differ_by_sixty() -> None:
    new = Player()
    assert new.variance_two + new.variance_more - 2 * new.covariance == pytest.approx(60.0**2)
