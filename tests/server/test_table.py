"""A table is what its events say: whether it is played or replayed."""

from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cantstop.rules as game
from cantstop.rules import Move, Moved, Phase, Rolled, Stopped
from cantstop.table.events import (
    Entry,
    Mode,
    Opened,
    Played,
    Reacted,
    Reaction,
    Reserved,
    Returned,
    Seated,
    Started,
    Substituted,
)
from cantstop.table.table import ImpossibleEvent, SeatKind, Stage, Table

OPENED = Opened(
    Mode.ONLINE, "classic", "v1,players=2", True, 0, None, "0" * 64, (Reserved("Anne", 2), None)
)
NOW = datetime(2026, 11, 15, 10, 20, tzinfo=UTC)


def table_after(*happened: Any) -> Any:
    log = [Entry(1, NOW, None, OPENED)]
    log += [Entry(n, NOW, seat, event) for n, (seat, event) in enumerate(happened, 2)]
    return Table.from_log("k7Qm", log)


SEATED = [
    (0, Seated("Anne", 2, None, "a")),
    (1, Seated("careful", 0, "careful", "b")),
    (None, Started(("a", "b"))),
]


def test_seats_are_reserved_free_and_taken() -> None:
    table = table_after()
    assert [seat.kind for seat in table.seats] == [SeatKind.RESERVED, SeatKind.OPEN]
    assert (table.stage, table.to_act, table.salts) == (Stage.OPEN, None, ())
    table = table_after(*SEATED)
    assert [seat.kind for seat in table.seats] == [SeatKind.HUMAN, SeatKind.BOT]
    assert (table.stage, table.to_act, table.salts) == (Stage.PLAYING, 0, ("a", "b"))


def test_turns_rolls_and_moves_are_counted() -> None:
    first = [
        (0, Played(Rolled((2, 3, 4, 5)), roll=1)),
        (0, Played(Moved(Move(7, 7)))),
        (0, Played(Rolled((5, 4, 3, 2)), roll=2)),
    ]
    table = table_after(*SEATED, *first)
    assert (table.turn, table.rolls, table.rolls_in_turn, table.moves_in_turn) == (1, 2, 2, 1)
    assert table.thrown == (5, 4, 3, 2)
    table = table_after(*SEATED, *first, (0, Played(Moved(Move(6, 8)))), (0, Played(Stopped())))
    assert (table.turn, table.rolls, table.rolls_in_turn, table.moves_in_turn) == (2, 2, 0, 0)
    assert table.thrown is None
    assert table.last_play == table.n == 9
    assert table.bot_to_act == "careful"


def test_what_is_said_changes_no_position() -> None:
    table = table_after(*SEATED, (0, Reacted(Reaction.LAUGH)))
    assert table.position == table.start
    assert (table.last_play, table.n) == (0, 5)


def test_a_substitute_plays_until_the_owner_returns() -> None:
    assert table_after(*SEATED, (0, Substituted("bold", 1))).bot_to_act == "bold"
    returned = table_after(*SEATED, (0, Substituted("bold", 1)), (0, Returned()))
    assert returned.bot_to_act is None


def test_numbers_have_no_gaps_and_a_table_is_opened_once() -> None:
    with pytest.raises(ImpossibleEvent):
        table_after().after(Entry(3, NOW, 0, Reacted(Reaction.CHEER)))
    with pytest.raises(ImpossibleEvent):
        table_after((None, OPENED))


@given(st.integers(0, 2**32))
def test_a_table_that_is_played_is_the_table_that_its_events_make(seed: int) -> None:
    draw = Random(seed)
    table = table_after(*SEATED)
    while table.position.outcome is None and table.n < 60:
        position = table.position
        match position.phase:
            case Phase.MOVE:
                event: game.Event = game.Moved(draw.choice(list(position.legal_moves)))
            case Phase.BUST:
                event = game.Busted()
            case Phase.CHOICE if draw.random() < 0.5:
                event = game.Stopped()
            case _:
                event = game.Rolled(tuple(draw.randint(1, 6) for _ in range(4)))
        table = table.play(event, NOW, f"action-{table.n}")
        assert table.last_entry.seat == position.seat
    assert Table.from_log("k7Qm", table.log) == table
