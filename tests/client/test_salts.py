"""The client reveals its salt when every other seat is bound, and not a moment sooner."""

from dataclasses import replace
from typing import Any

import pytest

from cantstop.client.salts import SaltAction, SeatSalts, keep_salt
from cantstop.dice import Seal, salt_commitment
from cantstop.record import VerificationError

Json = dict[str, Any]

OPENED: Json = {"kind": "opened", "seat": None, "data": {"commitment": "0" * 64}}


def seated(seat: int, salt: str | None = None, promised: str | None = None) -> Json:
    data = {"name": "x", "colour": 0, "bot": None, "salt": salt}
    return {
        "kind": "seated",
        "seat": seat,
        "data": data if promised is None else data | {"salt_commitment": promised},
    }


def event(kind: str, seat: int | None, **data: Any) -> Json:
    return {"kind": kind, "seat": seat, "data": data}


def state(*log: Json, seats: int = 3, you: tuple[int, ...] = (0,)) -> Json:
    return {"you": list(you), "seats": [{}] * seats, "log": [OPENED, *log]}


@pytest.fixture
def salts() -> SeatSalts:
    return SeatSalts("mine")


MINE = salt_commitment("mine")
REVEAL = SaltAction("reveal", 0, {"salt": "mine"})


def test_a_salt_is_kept_until_the_last_other_seat_is_bound(salts: SeatSalts) -> None:
    assert salts.after_state(state(seated(0, promised=MINE))) == []
    assert salts.after_event(seated(1, promised="1" * 64)) == []
    assert salts.after_event(event("revealed", 1, salt="early")) == []
    assert salts.after_event(seated(2, salt="in the open")) == [REVEAL]
    assert salts.after_event(event("reacted", 1, reaction="cheer")) == []  # once is enough


def test_a_reserved_seat_is_taken_by_our_hello_so_it_can_be_revealed_behind_it(
    salts: SeatSalts,
) -> None:
    due = salts.after_state(state(seated(2, salt="bot"), you=(0, 1)))
    assert due == [REVEAL, replace(REVEAL, seat=1)]
    waiting = SeatSalts("mine")
    assert waiting.after_state(state(seated(2, salt="bot"))) == []  # the second seat is reserved


def test_nothing_is_revealed_once_the_game_is_on_or_to_a_watcher(salts: SeatSalts) -> None:
    bound = [seated(seat, salt="s") for seat in range(3)]
    assert salts.after_state(state(*bound, event("started", None, salts=["s"] * 3))) == []
    assert SeatSalts("mine").after_state(state(*bound, you=())) == []


def test_a_lost_salt_is_replaced_when_we_connect_but_another_device_is_not_fought(
    salts: SeatSalts,
) -> None:
    other, third = "2" * 64, "3" * 64
    commit = SaltAction("commit", 0, {"salt_commitment": MINE, "instead": other})
    assert salts.after_state(state(seated(0, promised=other))) == [commit]
    assert salts.after_event(event("committed", 0, salt_commitment=MINE)) == []
    assert salts.after_event(event("committed", 0, salt_commitment=third)) == []


def test_after_a_redraw_the_old_salt_is_never_used_again(salts: SeatSalts) -> None:
    bound = [seated(0, promised=MINE), seated(1, promised="1" * 64), seated(2, salt="bot")]
    assert salts.after_state(state(*bound)) == [REVEAL]
    (commit,) = salts.after_event(event("redrawn", 1, seats=[0, 1]))
    assert salts.salt != "mine"
    assert commit == SaltAction("commit", 0, {"salt_commitment": salts.commitment, "instead": None})
    assert salts.after_event(event("committed", 0, salt_commitment=salts.commitment)) == []
    given = event("substituted", 1, bot="careful", by=0, salt="servers")
    assert salts.after_event(given) == [replace(REVEAL, fields={"salt": salts.salt})]


def test_a_record_that_is_not_what_was_seen_before_is_found_out(salts: SeatSalts) -> None:
    bound = [seated(0, promised=MINE), seated(1, promised=salt_commitment("his"))]
    assert salts.after_state(state(*bound, seats=2)) == [REVEAL]
    salts.check(Seal("t", "0" * 64, ("mine", "his")))
    with pytest.raises(VerificationError, match="seat 2 is not the one that was fixed before"):
        salts.check(Seal("t", "0" * 64, ("mine", "ground")))
    with pytest.raises(VerificationError, match="not the one that was shown before"):
        salts.check(Seal("t", "1" * 64, ("mine", "his")))


def test_the_salt_of_a_seat_that_was_just_taken_is_the_one_to_reveal() -> None:
    keep_salt("table", "secret", "kept")
    assert SeatSalts.of_seat("table", "secret").salt == "kept"
    assert SeatSalts.of_seat("table", "secret").salt != "kept"
