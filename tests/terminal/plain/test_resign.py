"""Resigning in lines of text: asked for twice, and the record says so."""

import pytest

from cantstop.record import read_record, record_text
from cantstop.rules import IllegalAction
from cantstop.terminal.local_game import LocalGame
from people import local_game, sit

START = "v1,players=2 -/- 1 - -"
TWICE = "Type “resign” once more to give up the game."


def test_of_two_the_other_wins_and_the_record_says_so() -> None:
    evening = sit(local_game(START, "Anne", "Bob", dice="2345"), ["", "resign", "1", "resign"] * 2)
    local = evening.session.local
    assert evening.text.count(TWICE) == 2  # a move in between, and it has to be asked again
    assert "Anne resigns." in evening.lines
    assert "Bob wins: Anne has resigned." in evening.lines
    record = read_record(record_text(local.record()))
    assert (record.ended, record.resigned, record.winners(None)) == ("resigned", (0,), (1,))
    with pytest.raises(IllegalAction, match="over"):
        local.resign()


def test_who_plays_alone_has_given_up() -> None:
    evening = sit(local_game("v1,players=1 - 1 - -", "Anne"), ["resign", "resign"])
    assert "The game was given up: nobody has won." in evening.lines


def test_of_three_the_others_play_on_and_a_bot_has_the_seat_also_after_a_resume() -> None:
    local = local_game("v1,players=3 -/-/- 1 - -", "Anne", "Bob", "Cleo", dice="2345 " * 6)
    local.resign()
    assert local.seat.bot is not None
    assert not local.is_given_up
    with pytest.raises(IllegalAction, match="not your turn"):
        local.resign()
    while local.game.seat == 0:
        local.apply(local.bot_decision())
    assert local.seat.bot is None
    assert not local.may_undo  # the bot's stop is nobody's to take back
    resumed = LocalGame.from_record(read_record(record_text(local.record())))
    assert resumed.resigned == (0,)
    local.resign()
    assert local.is_given_up
    assert local.record().winners(None) == (2,)
