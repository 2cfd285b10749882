"""Who will start, by the roll-off (M4)."""

import pytest

from cantstop.odds import starting_chances
from cantstop.rules import RollOff


def test_the_chance_to_start_is_counted_by_brute_force() -> None:
    both = [(one, other) for one in range(2, 13) for other in range(2, 13)]
    weight = {total: 6 - abs(total - 7) for total in range(2, 13)}
    first = sum(weight[a] * weight[b] * ((a > b) + (a == b) / 2) for a, b in both) / 36**2
    assert starting_chances(RollOff((0, 1)), 2, 6) == pytest.approx((first, 1 - first))
    assert starting_chances(RollOff((1, 2), (8,)), 3, 6) == pytest.approx((0, 47 / 72, 25 / 72))
