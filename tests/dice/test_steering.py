"""Who knows the secret and takes the last seat cannot steer the dice; once, they could."""

import pytest

from cantstop.server.tables.decisions import MAX_REDRAWS
from steer_dice import SEATS, attack, attack_over_days

SEED = 2
"""Without one, four draws in 43,000 would look steered by chance."""


def test_the_dice_of_somebody_who_committed_cannot_be_steered() -> None:
    outcome = attack(seed=SEED)
    assert not outcome.knew
    assert not outcome.steered
    # it tried: every salt it would rather have had was refused, and its last change of mind, too
    assert outcome.redraws == MAX_REDRAWS
    assert outcome.refused == ("malformed",) * (MAX_REDRAWS + 1) + ("not-now",)


def test_the_dice_of_a_salt_in_the_open_can_be() -> None:
    outcome = attack(in_the_open=True, seed=SEED)
    assert outcome.knew
    assert outcome.steered


@pytest.mark.parametrize("seat", range(SEATS))
def test_over_days_the_turns_before_a_seat_in_the_middle_can_be_steered_and_no_others(
    seat: int,
) -> None:
    """What docs/dice.md proves, both ways: the server and all others against one seat of four."""
    outcome = attack_over_days(seat, seed=SEED)
    is_last = seat == SEATS - 1
    assert not outcome.own
    assert all(outcome.before) is not is_last or not outcome.before
    assert len(outcome.before) == seat
