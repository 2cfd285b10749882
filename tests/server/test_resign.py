"""Resigning: of two the other wins, of more the others play on, and the record says so."""

import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from cantstop import RecordError, read_record, record_text, review, verify
from cantstop.server.errors import NotYourSeat, Refused
from cantstop.server.tables.decisions import Caller, decide
from cantstop.server.tables.records import record_of
from cantstop.table.permissions import SeatPresence
from cantstop.table.table import Stage, Table
from cantstop.wire import actions
from cantstop.wire.events import encode_entry
from pure_tables import NOW, a_table, after, after_a_move
from table_client import OPEN, Refusal, at_table, bot, human, open_table, play_to_the_end, sit_down


def last(table: Table, count: int) -> list[tuple[str, int | None, dict[str, Any]]]:
    """The last events: kind, seat and data, without the secret of the dice."""
    found = []
    for entry in table.log[-count:]:
        data = json.loads(encode_entry(entry))["data"]
        data.pop("secret", None)
        found.append((entry.kind, entry.seat, data))
    return found


@pytest.mark.parametrize("other", [OPEN, bot()], ids=["person", "bot"])
def test_of_two_the_other_wins(other: Any) -> None:
    over = after(after_a_move(a_table(human(salt="a"), other)), "resign", 0).table
    assert last(over, 2) == [
        ("resigned", 0, {}),
        ("finished", None, {"winners": [1], "reason": "resigned"}),
    ]
    assert (over.stage, over.winners, over.secret is not None) == (Stage.OVER, (1,), True)
    assert Table.from_log(over.id, over.log) == over


def test_who_gives_up_alone_has_not_won() -> None:
    over = after(after_a_move(a_table(human(salt="a"), mode="solo")), "resign", 0).table
    assert last(over, 1) == [("finished", None, {"winners": [], "reason": "resigned"})]


def test_of_three_the_others_play_on_with_a_bot_in_the_seat() -> None:
    stored = after(a_table(human(salt="a"), OPEN, OPEN), "resign", 1)
    assert last(stored.table, 2) == [
        ("resigned", 1, {}),
        ("substituted", 1, {"bot": "careful", "by": 1, "reason": "resigned"}),
    ]
    assert stored.table.stage is Stage.PLAYING
    with pytest.raises(Refused, match="to the end"):
        after(stored, "return", 1)
    with pytest.raises(Refused, match="already"):
        after(stored, "resign", 1)
    over = after(stored, "resign", 2).table
    assert last(over, 1) == [("finished", None, {"winners": [0], "reason": "resigned"})]


def test_bots_alone_do_not_play_on() -> None:
    over = after(a_table(human(salt="a"), bot(), bot()), "resign", 0).table
    assert last(over, 1) == [("finished", None, {"winners": [], "reason": "resigned"})]


def test_nobody_resigns_for_another_or_a_bot_or_twice_or_too_early_or_too_late() -> None:
    stored = a_table(human(salt="a"), bot())
    for seat in (1, 2):
        action = actions.Resign(id="not-my-own-seat", seat=seat)
        with pytest.raises(NotYourSeat):
            decide(stored, Caller(frozenset({0})), action, SeatPresence(), NOW)
    over = after(stored, "resign", 0)
    with pytest.raises(Refused, match="over"):
        after(over, "resign", 0)
    with pytest.raises(Refused, match="not begun"):
        after(a_table(human(salt="a"), {"kind": "human", "name": "B"}), "resign", 0)


def test_the_same_request_again_changes_nothing() -> None:
    stored = a_table(human(salt="a"), OPEN)
    action = actions.Resign(id="one-and-the-same", seat=0)
    mine = Caller(frozenset({0}))
    decision = decide(stored, mine, action, SeatPresence(), NOW)
    assert isinstance(decision, tuple)
    (change,) = decision
    again = decide(stored.after(change), mine, action, SeatPresence(), NOW)
    assert again == change.entries[0]


class TestRecord:
    def test_it_says_who_has_resigned_verifies_and_is_reviewed(self) -> None:
        over = after(after_a_move(a_table(human("Anne", salt="a"), OPEN)), "resign", 0).table
        text = record_text(record_of(over))
        assert '[Ended "resigned"]\n[Resigned "1"]\n' in text
        assert text.endswith("*\n")  # by the rules nobody has won: older programs see no winner
        record = read_record(text)
        assert record == record_of(over)
        checked = verify(record)
        assert checked.dice_checked
        assert record.winners(checked.outcome) == (1,)
        assert record.summary()["winner"] == 1
        assert review(record).winners == (1,)

    def test_a_game_that_went_on_has_the_winner_that_the_rules_say(self) -> None:
        table = after(a_table(human(salt="a"), OPEN, OPEN), "resign", 1).table
        record = record_of(table)
        assert (record.resigned, record.ended) == ((1,), None)
        assert '[Resigned "2"]' in str(record)
        assert record.winners(None) is None

    @pytest.mark.parametrize("seats", ["3", "2,1", "1,1", "0", "", "x"])
    def test_seats_that_there_are_not(self, seats: str) -> None:
        text = f'[Cantstop "1"]\n[Rules "v1"]\n[Ended "resigned"]\n[Resigned "{seats}"]\n\n*\n'
        with pytest.raises(RecordError, match="Line 4"):
            read_record(text)

    def test_an_end_by_resigning_needs_somebody_who_has(self) -> None:
        with pytest.raises(RecordError, match="Resigned"):
            read_record('[Cantstop "1"]\n[Rules "v1"]\n[Ended "resigned"]\n\n*\n')


class TestServer:
    """Over sockets, on both databases."""

    def test_a_duel(self, server: TestClient) -> None:
        opened = open_table(server, human("Anne", salt="a"), OPEN)
        bobs = sit_down(server, opened["id"], "Bob")["secret"]
        with (
            at_table(server, opened["id"], opened["secret"]) as anne,
            at_table(server, opened["id"], bobs) as bob,
        ):
            bob.act("resign", 1)
            ended = anne.hear_event("finished")
            assert (ended["data"]["winners"], ended["data"]["reason"]) == ([0], "resigned")
            with pytest.raises(Refusal):
                bob.act("resign", 1)
            anne.act("rematch", 0)
        state = server.get(f"/api/tables/{opened['id']}").json()
        assert [seat.get("resigned") for seat in state["seats"]] == [None, True]
        review = server.get(f"/api/tables/{opened['id']}/review").json()
        assert review["winners"] == [0]

    def test_a_game_of_three_goes_on_to_its_end(self, server: TestClient) -> None:
        opened = open_table(server, human("Anne", salt="a"), OPEN, bot(), win=1, edition="custom")
        table = opened["id"]
        bobs = sit_down(server, table, "Bob")["secret"]
        with at_table(server, table, opened["secret"]) as anne:
            with at_table(server, table, bobs) as bob:
                bob.act("resign", 1)
            anne.catch_up(bob.n)
            play_to_the_end(anne)
        text = server.get(f"/api/tables/{table}/record").text
        record = read_record(text)
        assert record.resigned == (1,)
        assert verify(record).outcome is not None
