"""Taking back a decision until the next roll: alone at once, among people if all of them agree."""

from dataclasses import replace

import pytest

from cantstop import verify
from cantstop.rules import CantStopError, Phase
from cantstop.server.errors import NotYourSeat, Refused, Stale
from cantstop.server.tables.changes import StoredTable
from cantstop.server.tables.decisions import Caller, decide
from cantstop.server.tables.records import record_of
from cantstop.table.permissions import MAX_ASKED, SeatPresence
from cantstop.table.table import Table
from cantstop.wire import actions
from pure_tables import NOW, a_table, after, after_a_move
from table_client import OPEN, bot, human


def is_as_before(now: Table, then: Table) -> None:
    """Whether the game is the same again; the log is longer."""
    same = ("position", "turn", "rolls", "rolls_in_turn", "moves_in_turn", "thrown", "stage")
    assert all(getattr(now, name) == getattr(then, name) for name in same)
    assert now.game_events == then.game_events


ALONE = {
    "solo": lambda: a_table(human(salt="a"), mode="solo"),
    "one screen": lambda: a_table(human("A", salt="a"), human("B", salt="b"), mode="hotseat"),
    "bot": lambda: a_table(human(salt="a"), bot(), mode="hotseat"),
    "online against a bot": lambda: a_table(human(salt="a"), bot()),
}


@pytest.mark.parametrize("who", ALONE)
def test_a_move_is_taken_back_at_once_where_nobody_else_is_hurt(who: str) -> None:
    moved = after_a_move(ALONE[who]())
    seat = moved.table.position.seat
    back = after(moved, "takeback", seat)
    assert back.table.last_entry.kind == "takenback"
    assert back.table.last_entry.event.event == moved.table.n  # type: ignore[union-attr]
    assert back.table.position.phase is Phase.MOVE
    is_as_before(back.table, Table.from_log("t", moved.table.log[:-1]))
    is_as_before(Table.from_log("t", back.table.log), back.table)
    with pytest.raises(Refused, match="since the last roll"):
        after(back, "takeback", seat)


def test_a_stop_and_the_move_before_it_are_taken_back_one_by_one() -> None:
    moved = after_a_move(ALONE["one screen"]())
    seat, turn = moved.table.position.seat, moved.table.turn
    stopped = after(moved, "stop", seat)
    assert stopped.table.position.seat != seat
    with pytest.raises(Refused, match="since the last roll"):  # the other has decided nothing
        after(stopped, "takeback", 1 - seat)
    once = after(stopped, "takeback", seat)
    is_as_before(once.table, moved.table)
    assert (once.table.position.seat, once.table.turn) == (seat, turn)
    twice = after(once, "takeback", seat)
    assert twice.table.position.phase is Phase.MOVE
    # what is decided instead is what counts, and the record holds
    move = str(list(twice.table.position.legal_moves)[-1])
    again = after(after(twice, "move", seat, move=move), "stop", seat)
    assert len(again.table.game_events) == len(stopped.table.game_events)
    assert verify(record_of(again.table)).turns == turn + 1
    assert [entry.n for entry in again.table.played][-2:] == [again.table.n - 1, again.table.n]


def test_nothing_is_taken_back_after_the_next_roll() -> None:
    stored = after_a_move(ALONE["solo"]())
    while stored.table.position.phase is not Phase.MOVE:
        stored = after(stored, "roll", 0)
    with pytest.raises(Refused, match="since the last roll"):
        after(stored, "takeback", 0)


def test_only_the_owner_takes_back_and_only_what_they_have_seen() -> None:
    moved = after_a_move(a_table(human(salt="a"), OPEN))
    seat = moved.table.position.seat
    action = actions.TakeBack(id="somebody-else", seat=seat)
    with pytest.raises(NotYourSeat):
        decide(moved, Caller(frozenset({1 - seat})), action, SeatPresence(), NOW)
    with pytest.raises(Refused, match="since the last roll"):
        after(moved, "takeback", 1 - seat)
    with pytest.raises(Stale):
        after(moved, "takeback", seat, n=moved.table.n - 1)


class TestConsent:
    """Two or three people, each at their own screen."""

    @pytest.fixture
    def moved(self) -> StoredTable:
        return after_a_move(a_table(human(salt="a"), OPEN, OPEN))

    def test_all_others_have_to_agree(self, moved: StoredTable) -> None:
        seat = moved.table.position.seat
        one, two = (other for other in range(3) if other != seat)
        asked = after(moved, "takeback", seat)
        assert asked.table.last_entry.kind == "asked"
        assert asked.table.position == moved.table.position
        with pytest.raises(Refused, match="asked already"):
            after(asked, "takeback", seat)
        with pytest.raises(Refused, match="for the others"):
            after(asked, "agree", seat, asked=asked.table.n)
        with pytest.raises(Stale):
            after(asked, "agree", one, asked=asked.table.n - 1)
        first = after(asked, "agree", one, asked=asked.table.n)
        assert first.table.last_entry.kind == "agreed"
        with pytest.raises(Refused, match="agreed already"):
            after(first, "agree", one, asked=asked.table.n)
        second = after(first, "agree", two, asked=asked.table.n)
        assert [entry.kind for entry in second.table.log][-2:] == ["agreed", "takenback"]
        assert second.table.last_entry.seat == seat
        is_as_before(second.table, Table.from_log("t", moved.table.log[:-1]))
        with pytest.raises(Stale):
            after(second, "agree", two, asked=asked.table.n)

    def test_one_who_declines_is_not_asked_again_for_the_same(self, moved: StoredTable) -> None:
        seat = moved.table.position.seat
        asked = after(moved, "takeback", seat)
        no = after(asked, "decline", (seat + 1) % 3, asked=asked.table.n)
        assert no.table.asked is None
        with pytest.raises(Refused, match="not agreed"):
            after(no, "takeback", seat)
        with pytest.raises(Stale):
            after(no, "agree", (seat + 2) % 3, asked=asked.table.n)
        stopped = after(no, "stop", seat)  # another decision, another question
        assert after(stopped, "takeback", seat).table.asked is not None

    def test_whoever_rolls_has_not_agreed(self, moved: StoredTable) -> None:
        seat = moved.table.position.seat
        asked = after(after(moved, "stop", seat), "takeback", seat)
        rolled = after(asked, "roll", (seat + 1) % 3)
        assert rolled.table.asked is None
        with pytest.raises(Stale):
            after(rolled, "agree", (seat + 1) % 3, asked=asked.table.n)

    def test_those_who_have_resigned_need_not_agree(self, moved: StoredTable) -> None:
        seat = moved.table.position.seat
        one, two = (other for other in range(3) if other != seat)
        asked = after(after(moved, "resign", one), "takeback", seat)
        agreed = after(asked, "agree", two, asked=asked.table.n)
        assert agreed.table.last_entry.kind == "takenback"

    def test_a_seat_can_only_ask_so_often(self, moved: StoredTable) -> None:
        seat = moved.table.position.seat
        bold = replace(moved.table.seats[seat], asked=MAX_ASKED)
        seats = tuple(bold if at == seat else old for at, old in enumerate(moved.table.seats))
        stored = replace(moved, table=replace(moved.table, seats=seats))
        with pytest.raises(Refused, match="50 times"):
            after(stored, "takeback", seat)


def test_a_game_that_is_over_stays_so() -> None:
    stored = a_table(human("A", salt="a"), human("B", salt="b"), mode="hotseat")
    over = after(after_a_move(stored), "resign", 0)
    with pytest.raises(CantStopError, match="over"):
        after(over, "takeback", over.table.position.seat)
