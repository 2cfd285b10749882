"""Games that cannot have been cannot be made."""

import pytest

from cantstop.ratings import Anchor, Fate, Findings, Game, Leaving, Member, Seat

ANN, BOB = Member("Ann"), Member("Bob")


@pytest.mark.parametrize(
    ("seats", "findings"),
    [
        ([(ANN, Fate.WON)], None),
        ([(ANN, Fate.WON), (ANN, Fate.LOST)], None),
        ([(Anchor(2000.0), Fate.WON), (Anchor(1410.0), Fate.LOST)], None),
        ([(ANN, Fate.LOST), (BOB, Fate.LOST)], None),
        ([(ANN, Fate.LEFT), (BOB, Fate.LEFT)], None),
        ([(ANN, Fate.WON), (BOB, Fate.LOST)], Findings((0.5,), (0.0,))),
        ([(ANN, Fate.WON), (BOB, Fate.LEFT)], Findings((0.5, 0.5), (0.1, -0.1))),
        (
            [(ANN, Fate.WON), (BOB, Fate.LOST)],
            Findings((0.5, 0.5), (0.1, -0.1), Leaving(1, (0.6, 0.4))),
        ),
        (
            [(ANN, Fate.WON), (BOB, Fate.LEFT)],
            Findings((0.5, 0.5), (0.1, -0.1), Leaving(0, (0.6, 0.4))),
        ),
    ],
)
def test_an_impossible_game_is_refused(
    seats: list[tuple[Member | Anchor, Fate]], findings: Findings | None
) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        Game(tuple(Seat(*seat) for seat in seats), findings)


def test_games_with_a_level_of_the_ladder_do_not_count_for_results() -> None:
    game = Game((Seat(ANN, Fate.WON), Seat(Anchor(2000.0), Fate.LOST)), None)
    assert not game.counts_for_results
