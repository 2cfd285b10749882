"""The client reveals its salt when every other seat is bound, and not a moment sooner."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from msgspec import structs

from cantstop.client.salts import SeatSalts, keep_salt
from cantstop.client.table import RemoteTable
from cantstop.dice import Seal, salt_commitment
from cantstop.record import VerificationError
from cantstop.table.events import (
    Committed,
    Entry,
    Mode,
    Opened,
    Reacted,
    Reaction,
    Redrawn,
    Revealed,
    Seated,
    Started,
    Substituted,
    TableEvent,
)
from cantstop.wire.actions import Commit, Reveal

NOW = datetime(2026, 11, 15, 10, 20, tzinfo=UTC)


def opened(seats: int) -> Opened:
    rules = f"v1,players={seats}"
    return Opened(Mode.ONLINE, "classic", rules, False, 0, None, "0" * 64, (None,) * seats)


def seated(seat: int, salt: str | None = None, promised: str | None = None) -> tuple[int, Seated]:
    return seat, Seated("x", seat, None, salt, promised)


def table(
    *events: tuple[int | None, TableEvent], seats: int = 3, you: tuple[int, ...] = (0,)
) -> RemoteTable:
    first = RemoteTable.opening("t", Entry(1, NOW, None, opened(seats)))
    return after(replace(first, mine=frozenset(you)), *events)


def after(at: RemoteTable, *events: tuple[int | None, TableEvent]) -> RemoteTable:
    for seat, event in events:
        at = at.append(event, seat, NOW)
    return at


@pytest.fixture(autouse=True)
def _one_id(monkeypatch: pytest.MonkeyPatch) -> None:
    """Actions are compared, and their ids are random."""
    monkeypatch.setattr("cantstop.client.salts.new_action_id", lambda: ID)


@pytest.fixture
def salts() -> SeatSalts:
    return SeatSalts("mine")


MINE = salt_commitment("mine")
ID = "one-id-for-all"
REVEAL = Reveal(id=ID, seat=0, salt="mine")


def test_a_salt_is_kept_until_the_last_other_seat_is_bound(salts: SeatSalts) -> None:
    at = table(seated(0, promised=MINE))
    assert salts.due(at, connecting=True) == []
    for event in (seated(1, promised="1" * 64), (1, Revealed("early"))):
        at = after(at, event)
        assert salts.due(at) == []
    at = after(at, seated(2, salt="in the open"))
    assert salts.due(at) == [REVEAL]
    assert salts.due(after(at, (1, Reacted(Reaction.CHEER)))) == []  # once is enough


def test_a_reserved_seat_is_taken_by_our_hello_so_it_can_be_revealed_behind_it(
    salts: SeatSalts,
) -> None:
    bot = seated(2, salt="bot")
    due = salts.due(table(bot, you=(0, 1)), connecting=True)
    assert due == [REVEAL, structs.replace(REVEAL, seat=1)]
    waiting = SeatSalts("mine")
    assert waiting.due(table(bot), connecting=True) == []  # the second seat is reserved


def test_nothing_is_revealed_once_the_game_is_on_or_to_a_watcher(salts: SeatSalts) -> None:
    bound = [seated(seat, salt="s") for seat in range(3)]
    assert salts.due(table(*bound, (None, Started(("s",) * 3))), connecting=True) == []
    assert SeatSalts("mine").due(table(*bound, you=()), connecting=True) == []


def test_a_lost_salt_is_replaced_when_we_connect_but_another_device_is_not_fought(
    salts: SeatSalts,
) -> None:
    other, third = "2" * 64, "3" * 64
    commit = Commit(id=ID, seat=0, salt_commitment=MINE, instead=other)
    at = table(seated(0, promised=other))
    assert salts.due(at, connecting=True) == [commit]
    for commitment in (MINE, third):
        at = after(at, (0, Committed(commitment)))
        assert salts.due(at) == []


def test_after_a_redraw_the_old_salt_is_never_used_again(salts: SeatSalts) -> None:
    at = table(seated(0, promised=MINE), seated(1, promised="1" * 64), seated(2, salt="bot"))
    assert salts.due(at, connecting=True) == [REVEAL]
    at = after(at, (1, Redrawn((0, 1))))
    (commit,) = salts.due(at)
    assert salts.salt != "mine"
    assert commit == Commit(id=ID, seat=0, salt_commitment=salts.commitment)
    drawn = salts.salt
    at = after(at, (0, Committed(salts.commitment)))
    assert salts.due(at) == []
    assert salts.due(at, connecting=True) == []  # who comes back keeps what they have committed to
    assert salts.salt == drawn
    at = after(at, (1, Substituted("careful", 0, "servers")))
    assert salts.due(at) == [structs.replace(REVEAL, salt=salts.salt)]


def test_a_record_that_is_not_what_was_seen_before_is_found_out(salts: SeatSalts) -> None:
    bound = [seated(0, promised=MINE), seated(1, promised=salt_commitment("his"))]
    assert salts.due(table(*bound, seats=2), connecting=True) == [REVEAL]
    salts.check(Seal("t", "0" * 64, ("mine", "his")))
    with pytest.raises(VerificationError, match="seat 2 is not the one that was fixed before"):
        salts.check(Seal("t", "0" * 64, ("mine", "ground")))
    with pytest.raises(VerificationError, match="not the one that was shown before"):
        salts.check(Seal("t", "1" * 64, ("mine", "his")))


def test_the_salt_of_a_seat_that_was_just_taken_is_the_one_to_reveal() -> None:
    keep_salt("table", "secret", "kept")
    assert SeatSalts.of_seat("table", "secret").salt == "kept"
    assert SeatSalts.of_seat("table", "secret").salt != "kept"
