"""The par of a solo game is shown where it is known, and nowhere else."""

import pytest

from cantstop.odds import PAR, par
from cantstop.rules import Board, Position, Rules, Sharing, Start


@pytest.mark.parametrize(
    "rules",
    [
        Rules(players=1),
        Rules(players=1, sharing=Sharing.LEAPFROG),  # alone there is nobody to share with
        Rules(players=1, start=Start.ROLL_OFF),
        Rules(players=1, start=Start.YOUNGEST),
    ],
    ids=str,
)
def test_the_official_game_for_one_has_a_par(rules: Rules) -> None:
    assert par(Position.initial(rules)) == PAR


@pytest.mark.parametrize(
    "rules",
    [
        Rules(players=2),
        Rules(players=1, columns_to_win=5),
        Rules(players=1, early=True),
        Rules(players=1, board=Board(runners=2)),
        Rules(players=1, board=Board.stepped(sides=4, shortest=1)),
    ],
    ids=str,
)
def test_other_games_have_none(rules: Rules) -> None:
    assert par(Position.initial(rules)) is None


@pytest.mark.parametrize("start", ["6:2 1 - -", "- 1 6:1,8:1 -", "- 1 - 2345"])
def test_a_game_that_starts_later_has_none(start: str) -> None:
    assert par(Position.parse(f"v1,players=1 {start}")) is None
