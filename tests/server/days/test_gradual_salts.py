"""Sealed dice at slow tables: the game begins with one visit each, and who withholds is named."""

import hashlib
import hmac
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from cantstop import read_record, record_text, verify
from cantstop.rules import Phase, Rolled
from cantstop.server import ServerOptions, create_app
from cantstop.server.errors import Malformed, Refused, SaltNeeded
from cantstop.server.tables.changes import StoredTable
from cantstop.server.tables.opening import open_table
from cantstop.server.tables.records import record_of
from cantstop.server.tables.seating import take_free_seat
from cantstop.table.events import Played, Revealed, Started, Substituted, SubstituteReason
from cantstop.table.table import Stage, Table
from cantstop.wire.events import decode_entry, encode_entry
from cantstop.wire.requests import OpenTable, TakeSeat
from postgresql import Postgres
from pure_tables import NOW, after, after_a_move
from table_client import OPEN, at_table, bot, human, play_to_the_end, sit_down
from table_client import open_table as open_by_request

NAMES = ["Anne", "Ben", "Cleo", "Dora"]
SHORT: dict[str, Any] = {"edition": "custom", "win": 1}


@pytest.fixture(autouse=True)
def _same_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same games every time."""
    monkeypatch.setattr("cantstop.server.tables.opening.new_secret", lambda: bytes(range(32)))
    monkeypatch.setattr("cantstop.server.tables.opening.new_table_id", lambda: "slow")


def promised(salt: str) -> str:
    """As docs/dice.md says it."""
    return hashlib.sha256(b"cantstop-salt-1\n" + salt.encode()).hexdigest()


def thrown(
    secret: bytes, table: str, turn: int, salts: list[str], roll: int, count: int
) -> tuple[int, ...]:
    """The dice of a roll, as docs/dice.md says it: nothing of the package is used."""
    found: list[int] = []
    block = 0
    while len(found) < count:
        lines = ["cantstop-dice-1", "gradual", table, turn, ",".join(salts), roll, block]
        message = "\n".join(map(str, lines)).encode()
        digest = hmac.new(secret, message, hashlib.sha256).digest()
        found += [byte % 6 + 1 for byte in digest if byte < 252]
        block += 1
    return tuple(found[:count])


def a_gradual_table(players: int = 4, **more: Any) -> StoredTable:
    """Everybody has sat down, in the order of the seats, each with the own name as the salt."""
    asked = {"mode": "online", "seats": [OPEN] * players, "days": 2, **SHORT, **more}
    request = msgspec.convert(asked, OpenTable)
    stored = StoredTable.opened(open_table(request, NOW).new_table)
    for number, name in enumerate(NAMES[:players]):
        seat = TakeSeat(name=name, salt_commitment=promised(name))
        stored = stored.after(take_free_seat(stored.table, seat, f"secret-of-{number:020}", NOW))
    return stored


def revealing(stored: StoredTable, seat: int | None = None) -> StoredTable:
    """The seat in turn, or another one, reveals its salt."""
    seat = stored.table.position.seat if seat is None else seat
    return after(stored, "reveal", seat, salt=NAMES[seat])


def turn_played(stored: StoredTable) -> StoredTable:
    """The turn to its end: a move, and a stop."""
    before = stored.table.turn
    while stored.table.turn == before and stored.table.stage is Stage.PLAYING:
        seat, position = stored.table.position.seat, stored.table.position
        if position.phase is Phase.CHOICE:
            stored = after(stored, "stop", seat)
        elif position.phase is Phase.MOVE:
            stored = after(stored, "move", seat, move=str(next(iter(position.legal_moves))))
        else:
            stored = after(stored, "roll", seat)
    return stored


def finished(stored: StoredTable) -> StoredTable:
    """The game to its end: who has not revealed does so at their turn."""
    while stored.table.stage is Stage.PLAYING:
        stored = turn_played(revealing(stored) if stored.table.owes_salt else stored)
    return stored


def rolls_of(table: Table) -> list[tuple[int, int, tuple[int, ...]]]:
    """Every roll with its turn and its place there; in these games nobody throws for the start."""
    found: list[tuple[int, int, tuple[int, ...]]] = []
    turn = place = 0
    for before, entry in pairwise(table.log):
        if not isinstance(entry.event, Played):
            continue
        kind = entry.kind
        if kind == "rolled":
            new = not isinstance(before.event, Played) or before.kind in ("stopped", "busted")
            turn, place = (turn + 1, 1) if new else (turn, place + 1)
            found.append((turn, place, entry.event.event.dice))  # type: ignore[union-attr]
    return found


class TestBeginning:
    def test_the_game_begins_when_the_last_one_sits_down(self) -> None:
        table = a_gradual_table().table
        assert table.stage is Stage.PLAYING
        assert table.last_entry.event == Started((None,) * 4)
        assert table.opened.gradual

    @pytest.mark.parametrize("asked", [{"days": None}, {"days": None, "clock": 60}])
    def test_other_tables_wait_for_every_salt_as_before(self, asked: Any) -> None:
        table = a_gradual_table(2, **asked).table
        assert (table.stage, table.opened.gradual) == (Stage.OPEN, False)

    def test_open_salts_and_those_of_bots_count_from_the_start(self) -> None:
        asked = {"mode": "online", "seats": [human(salt="a"), bot()], "days": 2}
        new = open_table(msgspec.convert(asked, OpenTable), NOW).new_table
        assert [seat.salt_since for seat in new.table.seats] == [1, 1]
        assert new.table.stage is Stage.PLAYING

    def test_what_a_seat_has_committed_to_cannot_be_changed(self) -> None:
        asked = {"mode": "online", "seats": [human(salt_commitment=promised("a")), OPEN]}
        request = msgspec.convert({**asked, "days": 2}, OpenTable)
        stored = StoredTable.opened(open_table(request, NOW).new_table)
        with pytest.raises(Refused, match="cannot be changed"):
            after(stored, "commit", 0, salt_commitment=promised("b"), instead=promised("a"))


class TestRevealing:
    def test_nobody_rolls_for_the_first_time_without_it(self) -> None:
        stored = a_gradual_table()
        with pytest.raises(SaltNeeded):
            after(stored, "roll", 0)
        stored = turn_played(revealing(stored))
        with pytest.raises(SaltNeeded):
            after(stored, "roll", 1)

    def test_it_counts_from_the_turn_of_the_seat_on(self) -> None:
        stored = a_gradual_table()
        for seat in range(4):
            stored = revealing(stored)
            assert stored.table.last_entry.event == Revealed(NAMES[seat], seat + 1)
            stored = turn_played(stored)

    def test_one_seat_may_reveal_before_the_first_roll_and_no_other(self) -> None:
        stored = revealing(a_gradual_table(), 3)
        assert stored.table.seats[3].salt_since == 1
        for seat in (1, 2):
            with pytest.raises(Refused, match="when a turn of the seat begins"):
                revealing(stored, seat)
        stored = revealing(stored, 0)
        assert stored.table.seats[0].salt_since == 1

    def test_nobody_reveals_early_once_the_first_mover_has(self) -> None:
        """Else they could choose, knowing the salt of the first mover."""
        stored = revealing(a_gradual_table())
        for seat in (1, 2, 3):
            with pytest.raises(Refused):
                revealing(stored, seat)

    def test_it_is_not_revealed_in_the_turn_of_another(self) -> None:
        stored = turn_played(revealing(a_gradual_table()))
        with pytest.raises(Refused):
            revealing(stored, 2)

    def test_who_comes_back_in_the_middle_of_a_turn_plays_it_without(self) -> None:
        """Else each roll of the turn would be another moment to choose from."""
        stored = a_gradual_table()
        bot_plays = Substituted("careful", 0, reason=SubstituteReason.TIME)
        table = stored.table.append(bot_plays, 0, NOW)
        assert stored.dice_secret is not None
        dice = thrown(stored.dice_secret, table.id, 1, [""] * 4, 1, 4)
        table = table.play(Rolled(dice), NOW)
        back = after(replace(stored, table=table), "return", 0)
        with pytest.raises(Refused):
            revealing(back)
        stored = turn_played(back)
        found = verify(record_of(finished(stored).table))
        assert found.unsalted_turns == (1, 0, 0, 0)
        assert 0 in found.protected
        assert verify(record_of(stored.table)).protected == ()

    def test_only_the_salt_that_was_committed_to_is_taken_and_once(self) -> None:
        stored = a_gradual_table()
        with pytest.raises(Malformed):
            after(stored, "reveal", 0, salt="ground")
        with pytest.raises(Refused):
            revealing(revealing(stored))

    def test_a_lost_salt_is_said_at_the_own_turn_and_for_good(self) -> None:
        stored = a_gradual_table()
        with pytest.raises(Refused):
            after(stored, "lose-salt", 1)
        stored = after(stored, "lose-salt", 0)
        assert stored.table.last_entry.kind == "saltlost"
        with pytest.raises(Refused):
            revealing(stored)
        assert turn_played(stored).table.turn == 2

    def test_a_standing_order_waits_for_the_salt_of_its_seat(self) -> None:
        ordered = after(a_gradual_table(2), "order", 1, runners=True)
        stored = turn_played(revealing(ordered))
        assert (stored.table.position.seat, stored.table.last_entry.kind) == (1, "stopped")
        stored = revealing(stored)
        assert stored.table.last_entry.kind == "revealed"
        rolled = after(stored, "roll", 1)
        assert rolled.table.rolls_in_turn >= 1
        lost = after(turn_played(revealing(ordered)), "lose-salt", 1)
        assert lost.table.last_play > lost.table.turn_since

    def test_who_takes_back_a_stop_does_not_change_from_when_a_salt_counts(self) -> None:
        asked = {"mode": "online", "seats": [human(salt="a"), OPEN], "days": 2, **SHORT}
        stored = StoredTable.opened(open_table(msgspec.convert(asked, OpenTable), NOW).new_table)
        seat = TakeSeat(name="Ben", salt_commitment=promised("Ben"))
        stored = stored.after(take_free_seat(stored.table, seat, f"secret-of-{1:020}", NOW))
        moved = after_a_move(stored)
        stopped = revealing(after(moved, "stop", 0), 1)
        assert stopped.table.seats[1].salt_since == 2
        asking = after(stopped, "takeback", 0)
        undone = after(asking, "agree", 1, asked=asking.table.n)
        assert undone.table.dice_turn == 1
        rolled = after(undone, "roll", 0)
        event = rolled.table.last_entry.event
        assert rolled.dice_secret is not None
        assert isinstance(event, Played)
        due = thrown(rolled.dice_secret, rolled.table.id, 1, ["a", ""], event.roll, 4)
        assert event.event.dice == due  # type: ignore[union-attr]


class TestDice:
    def test_every_roll_is_what_the_specification_says(self) -> None:
        stored = finished(revealing(a_gradual_table(), 3))
        assert stored.dice_secret is not None
        for turn, place, dice in rolls_of(stored.table):
            salts = [
                name if turn >= since else ""
                for name, since in zip(NAMES, [1, 2, 3, 1], strict=True)
            ]
            due = thrown(stored.dice_secret, stored.table.id, turn, salts, place, 4)
            assert dice == due

    def test_throws_for_the_start_are_turns_of_their_own(self) -> None:
        stored = a_gradual_table(3, start="roll-off")
        secret = stored.dice_secret
        assert secret is not None
        salts = ["", "", ""]
        for seat in range(3):
            stored = revealing(stored)
            assert stored.table.seats[seat].salt_since == seat + 1
            salts[seat] = NAMES[seat]
            stored = after(stored, "roll", seat)
            event = stored.table.last_entry.event
            due = thrown(secret, stored.table.id, seat + 1, salts, 1, 2)
            assert isinstance(event, Played)
            assert event.event.dice == due  # type: ignore[union-attr]
        found = verify(record_of(finished(stored).table))
        assert found.protected_from == (1, 2, 3)

    def test_what_one_seat_does_in_its_turn_changes_no_dice_of_another(self) -> None:
        stored = revealing(a_gradual_table())
        after_one = turn_played(stored)
        twice = after_a_move(stored)
        if twice.table.position.phase is Phase.CHOICE:
            twice = after(twice, "roll", 0)
        after_two = turn_played(twice)
        one, two = (
            turn_played(revealing(replace(table, dice_secret=stored.dice_secret)))
            for table in (after_one, after_two)
        )
        firsts = [
            next(dice for turn, _, dice in rolls_of(played.table) if turn == 2)
            for played in (one, two)
        ]
        assert firsts[0] == firsts[1]


class TestRecords:
    def test_verify_says_from_which_roll_on_each_seat_is_protected(self) -> None:
        stored = finished(revealing(a_gradual_table(), 3))
        record = record_of(stored.table)
        text = record_text(record)
        assert read_record(text) == record
        assert '[Scheme "3"]' in text
        assert '[Since2 "2"]' in text
        found = verify(record)
        firsts = {turn: number for number, (turn, _, _) in reversed(_numbered(stored.table))}
        assert found.dice_checked
        assert (found.scheme, found.protected) == (3, (0, 1, 2, 3))
        assert found.protected_from == (1, firsts[2], firsts[3], 1)
        assert (found.unsalted_turns, found.lost) == ((0,) * 4, ())

    def test_who_has_lost_a_salt_is_named_and_not_protected(self) -> None:
        stored = after(a_gradual_table(2), "lose-salt", 0)
        table = finished(stored).table
        found = verify(record_of(table))
        again = [decode_entry(encode_entry(entry), entry.action) for entry in table.log]
        assert Table.from_log(table.id, again) == table
        assert (found.lost, found.protected) == ((0,), (1,))
        assert found.unsalted_turns == (0, 0)

    @pytest.mark.parametrize(
        ("header", "instead", "problem"),
        [
            ('[Since2 "2"]', '[Since2 "3"]', "not a turn of that seat"),
            ('[Since2 "2"]', '[Since2 "6"]', "Roll"),
            ('[Since2 "2"]', '[Since2 "1"]', "at most one"),
            ('[Since2 "2"]\n', "", "fit together"),
            ('[Since2 "2"]', '[Since2 "0"]', "number of a turn"),
            ('[Salt2 "Ben"]', '[Salt2 "Bea"]', "not the one that the seat committed to"),
            ('[Scheme "3"]', '[Scheme "2"]', "Since"),
            ('[Scheme "3"]', '[Scheme "3"]\n[Redraws "1"]', "Redraws"),
            ('[Secret "', '[Lost "2"]\n[Secret "', "fit together"),
        ],
    )
    def test_a_record_that_says_something_else_is_refused(
        self, header: str, instead: str, problem: str
    ) -> None:
        text = record_text(record_of(finished(revealing(a_gradual_table(), 3)).table))
        assert header in text
        with pytest.raises(Exception, match=problem):
            verify(read_record(text.replace(header, instead)))

    def test_a_game_that_is_on_has_a_record_without_the_salts_to_come(self) -> None:
        stored = turn_played(revealing(a_gradual_table()))
        record = record_of(stored.table)
        assert read_record(record_text(record)) == record
        found = verify(record)
        assert (found.protected, found.protected_from, found.dice_checked) == ((0,), (1,), False)


def _numbered(table: Table) -> list[tuple[int, tuple[int, int, tuple[int, ...]]]]:
    return list(enumerate(rolls_of(table), 1))


# Over sockets, on both databases


def play(server: TestClient) -> str:
    """A game of two at a slow table, each visiting once before it begins; returns its record."""
    anne = human("Anne", salt_commitment=promised("Anne"))
    opened = open_by_request(server, anne, OPEN, days=1, **SHORT)
    table = opened["id"]
    ben = sit_down(server, table, "Ben", salt_commitment=promised("Ben"))
    state = server.get(f"/api/tables/{table}").json()
    assert (state["stage"], state["salts"]) == ("playing", [None, None])
    with at_table(server, table, ben["secret"]) as player:
        player.act("reveal", 1, salt="Ben")
    with (
        at_table(server, table, opened["secret"]) as first,
        at_table(server, table, ben["secret"]) as second,
    ):
        first.act("reveal", 0, salt="Anne")
        play_to_the_end(first, second)
    return server.get(f"/api/tables/{table}/record").text


def test_a_game_over_sockets_on_each_database(each_url: str, web: Path) -> None:
    app = create_app(ServerOptions(each_url, web=web))
    with TestClient(app) as server:
        found = verify(read_record(play(server)))
    assert (found.scheme, found.protected, found.protected_from) == (3, (0, 1), (1, 1))
    assert found.dice_checked


def test_seats_at_two_workers_reveal_and_roll(postgres: Postgres, web: Path) -> None:
    url = postgres.new_database()
    with (
        TestClient(create_app(ServerOptions(url, web=web))) as one,
        TestClient(create_app(ServerOptions(url, web=web))) as other,
    ):
        anne = human("Anne", salt_commitment=promised("Anne"))
        opened = open_by_request(one, anne, OPEN, days=1, **SHORT)
        ben = sit_down(other, opened["id"], "Ben", salt_commitment=promised("Ben"))
        with (
            at_table(one, opened["id"], opened["secret"]) as first,
            at_table(other, opened["id"], ben["secret"]) as second,
        ):
            second.act("reveal", 1, salt="Ben")
            first.catch_up(second.n)
            assert first.events[-1]["data"] == {"salt": "Ben", "turn": 1}
            first.act("reveal", 0, salt="Anne")
            play_to_the_end(first, second)
        text = other.get(f"/api/tables/{opened['id']}/record").text
    assert verify(read_record(text)).protected_from == (1, 1)
