"""Positions that no game can reach are refused, each with its reason."""

from dataclasses import replace

import pytest

from cantstop import ImpossiblePosition, Position
from cantstop.rules import check

FULL = "2:3,3:5,4:7/5:9,6:11,7:13/8:11,9:9/10:7,11:5,12:3"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("v1 7:14/- 1 - -", "Seat 1's token cannot be on space 14 of column 7, which has 13."),
        ("v1 -/2:4 1 - -", "Seat 2's token cannot be on space 4 of column 2, which has 3."),
        ("v1 7:13/7:2 1 - -", "Column 7 is won, so nobody else can have a token there."),
        ("v1 7:13/7:13 1 - -", "Column 7 is won, so nobody else can have a token there."),
        (
            "v1,sharing=no-rest 7:2/7:2 1 - -",
            "Two tokens share a space of column 7, which V3 and V4 rule out.",
        ),
        (
            "v1,players=3,sharing=leapfrog -/7:2/7:2 1 - -",
            "Two tokens share a space of column 7, which V3 and V4 rule out.",
        ),
        (
            "v1,win=1,runners=1 2:3,3:5/- 1 - -",
            "Seat 1 cannot have won 2 columns: the game ends at 1.",
        ),
        (
            "v1 -/2:3,3:5,4:7,5:9,6:11,7:13 2 - -",
            "Seat 2 cannot have won 6 columns: the game ends at 3.",
        ),
        ("v1,win=1 2:3/3:5 1 - -", "Two seats cannot both have won the game."),
        ("v1,win=1 2:3/- 1 7:1 -", "The game is over: there can be no runners or dice."),
        (
            "v1,win=1,start=roll-off 2:3/- start:1,2 - -",
            "The game is over: there can be no runners or dice.",
        ),
        ("v1,win=1 2:3/- 2 - -", "The game is over, but seat 2 cannot have made the last stop."),
        (
            "v1,win=2 2:3,3:5/4:7 2 - -",
            "The game is over, but seat 2 cannot have made the last stop.",
        ),
        (
            "v1,players=3,win=4,lengths=1.1.1.1.1 2:1,3:1,4:1/5:1,6:1/- 3 - -",
            "The game is over, but seat 3 cannot have made the last stop.",
        ),
        ("v1 -/- 1 2:1,3:1,4:1,5:1 -", "There are 4 runners, but a turn has 3."),
        ("v1,runners=1 -/- 1 2:1,3:1 -", "There are 2 runners, but a turn has 1."),
        ("v1 7:13/- 2 7:1 -", "Column 7 is won: no runner can be there."),
        ("v1 7:4/- 1 7:4 -", "The runner of column 7 cannot be on space 4: it has to be above"),
        ("v1 7:4/- 1 7:3 -", "The runner of column 7 cannot be on space 3: it has to be above"),
        ("v1 -/- 1 7:14 -", "The runner of column 7 cannot be on space 14: it has to be above"),
        (
            "v1,sharing=leapfrog -/7:4 1 7:4 -",
            "The runner of column 7 stands on an opponent's token, which V4 rules out.",
        ),
        ("v1 -/- start:1,2 - -", "A roll-off for the start cannot be going on here."),
        (
            "v1,start=roll-off 7:1/- start:1,2 - -",
            "A roll-off for the start cannot be going on here.",
        ),
        (
            "v1,start=roll-off -/- start:1,2 7:1 -",
            "A roll-off for the start cannot be going on here.",
        ),
        (
            "v1,start=roll-off -/- start:1=13,2 - -",
            "Two dice make 2 to 12, so the roll-off cannot show 13.",
        ),
        (
            "v1,players=3,start=roll-off -/-/- start:1=7,2=1,3 - -",
            "Two dice make 2 to 12, so the roll-off cannot show 7, 1.",
        ),
    ],
)
def test_an_impossible_position_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ImpossiblePosition) as caught:
        Position.parse(text)
    assert str(caught.value).startswith(reason)


def test_dice_cannot_lie_where_the_game_is_over_or_a_roll_off_goes_on() -> None:
    over = replace(Position.parse("v1,win=1 2:3/- 1 - -"), dice=(1, 2, 3, 4))
    with pytest.raises(ImpossiblePosition, match="The game is over: there can be no runners or"):
        check(over)
    start = replace(Position.parse("v1,start=roll-off -/- start:1,2 - -"), dice=(1, 2))
    with pytest.raises(ImpossiblePosition, match="A roll-off for the start cannot be going on"):
        check(start)


@pytest.mark.parametrize(
    "text",
    [
        "v1 7:12/7:12 1 - -",
        "v1,sharing=no-rest 7:2/7:3 1 7:3 -",
        "v1,sharing=leapfrog 7:2/7:3 1 7:4 -",
        "v1 2:3,3:5,4:7,5:9,6:11/- 1 - -",
        "v1,win=2 2:3,3:5/4:7 1 - -",
        f"v1,players=4,win=4 {FULL} 3 - -",
        "v1,start=roll-off -/- 2 - -",
        "v1,start=roll-off,players=4 -/-/-/- start:2=2,4 - -",
    ],
)
def test_a_possible_one_is_not(text: str) -> None:
    check(Position.parse(text))
