"""The bot that maximises the progress of one more roll, against counting by hand."""

from fractions import Fraction

import pytest

from cantstop.bots import bot_named
from cantstop.bots.progress import COLUMN_WORTH, ProgressBot, turn_progress
from cantstop.rules import Position

# two-sided dice: columns 2, 3, 4 come from 1111 | 1112 | 1122 | 1222 | 2222 in 1, 4, 6, 4, 1 ways
TINY = "v1,players=2,lengths=2.4.2,runners=1"


def test_progress_is_counted_in_columns() -> None:
    assert turn_progress(Position.parse(f"{TINY} 3:1/- 1 3:3 -")) == COLUMN_WORTH // 2


def test_the_expected_gain_by_hand() -> None:
    # a runner on space 1 of column 2, no other free: 1111 gains the top (1112 and 1122 as well),
    # 1222 and 2222 lose the half column that the turn has gained
    position = Position.parse(f"{TINY} -/- 1 2:1 -")
    half = Fraction(COLUMN_WORTH, 2)
    due = (1 + 4 + 6) * half - (4 + 1) * half
    bot = bot_named("max-expected-progress")
    assert isinstance(bot, ProgressBot)
    assert bot.expected_gain(position) == 100 * due
    assert not bot.stop(position, 1)


def test_caution_weighs_what_a_bust_would_take() -> None:
    position = Position.parse(f"{TINY} -/- 1 2:1 -")
    # 11 halves against 5 halves: a loss counted at 220 percent evens it out
    assert not bot_named("max-expected-progress:219").stop(position, 1)
    assert bot_named("max-expected-progress:220").stop(position, 1)


@pytest.mark.parametrize(
    "text",
    [
        "v1,players=2 2:3,3:5/- 1 12:3 -",  # wins
        f"{TINY} -/- 1 2:2 -",  # no roll is of use any more
    ],
)
def test_it_stops_to_win_and_where_nothing_can_be_gained(text: str) -> None:
    assert bot_named("max-expected-progress:1").stop(Position.parse(text), 1)


def test_it_takes_the_move_that_wins() -> None:
    position = Position.parse("v1,players=2 2:3,3:5,12:2/- 1 6:1,7:1 1466")
    assert (12,) in position.legal_moves
    assert bot_named("max-expected-progress").choose(position, 1) == (12,)


def test_it_rolls_on_a_safe_triple_and_stops_on_a_poor_one() -> None:
    bot = bot_named("max-expected-progress")
    assert not bot.stop(Position.parse("v1,players=2 -/- 1 6:1,7:1,8:1 -"), 2)
    assert bot.stop(Position.parse("v1,players=2 -/- 1 2:2,3:2,12:1 -"), 4)
