"""Tables whose players throw the dice themselves: entered, undone without bound, never verified."""

import json
import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from cantstop import EnteredDice, Game, read_record, verify
from cantstop.rules import CantStopError, InvalidText, Phase
from cantstop.server.errors import Malformed, Refused
from cantstop.server.tables.changes import StoredTable
from cantstop.server.tables.decisions import Caller, close, decide
from cantstop.server.tables.records import record_of
from cantstop.table.permissions import SeatPresence
from cantstop.table.table import Stage, Table
from cantstop.wire import actions
from cantstop.wire.table import state_json
from pure_tables import NOW, a_table, after
from table_client import OPEN, Refusal, at_table, bot, human, open_table

PEOPLE = (human("Anne"), human("Bob"), human("Cleo"))


def a_companion(*seats: Any, **more: Any) -> StoredTable:
    return a_table(*(seats or PEOPLE), mode="hotseat", dice="entered", **more)


def rolled(stored: StoredTable, dice: str) -> StoredTable:
    faces = tuple(map(int, dice))
    return after(stored, "roll", stored.table.position.seat, dice=faces)


def played(stored: StoredTable, *steps: str) -> StoredTable:
    """The table after some dice (``2345``), moves (``=6+8``) and stops."""
    for step in steps:
        seat = stored.table.position.seat
        if step == "stop":
            stored = after(stored, "stop", seat)
        elif step.startswith("="):
            stored = after(stored, "move", seat, move=step[1:])
        else:
            stored = rolled(stored, step)
    return stored


def undone(stored: StoredTable) -> StoredTable:
    assert stored.table.undo is not None
    return after(stored, "takeback", stored.table.undo.position.seat)


# Opening


def test_all_sit_down_at_once_and_nothing_is_sealed() -> None:
    stored = a_companion()
    state = json.loads(state_json(stored.table, frozenset(), frozenset()))
    assert stored.table.stage is Stage.PLAYING
    assert stored.dice_secret is None
    assert (state["dice"], state["commitment"], state["secret"]) == ("entered", None, None)
    assert state["salts"] == [None, None, None]
    kinds = [entry.kind for entry in stored.table.log]
    assert kinds == ["opened", "seated", "seated", "seated", "started"]
    commit = actions.Commit(id="commitment", seat=0, salt_commitment="0" * 64)
    with pytest.raises(Refused, match="cannot be changed any more"):
        decide(stored, Caller(frozenset({0})), commit, SeatPresence(), NOW)


@pytest.mark.parametrize(
    ("seats", "more"),
    [
        ((human("Anne"), human("Bob")), {"mode": "online"}),
        ((human("Anne"), OPEN), {"mode": "online"}),
        ((human("Anne"), bot()), {"mode": "hotseat"}),
    ],
)
def test_only_people_at_one_screen_can_enter_dice(seats: Any, more: Any) -> None:
    with pytest.raises(Malformed, match="all are people at one screen"):
        a_table(*seats, dice="entered", **more)


@pytest.mark.parametrize("salt", [{"salt": "a"}, {"salt_commitment": "0" * 64}])
def test_no_salt_is_taken(salt: Any) -> None:
    with pytest.raises(Malformed, match="take no salts"):
        a_companion(human("Anne", **salt), human("Bob"))


# Rolling


@pytest.mark.parametrize("faces", [(1, 2, 3, 4, 5), (7, 1, 1, 1), (0, 1, 1, 1), (), (1, 2)])
def test_what_is_no_roll_is_refused_and_changes_nothing(faces: Any) -> None:
    stored = a_companion()
    with pytest.raises(InvalidText, match="is not a roll: it takes 4 dice from 1 to 6"):
        after(stored, "roll", 0, dice=faces)
    assert rolled(stored, "2455").table.thrown == (2, 4, 5, 5)


def test_dice_are_entered_at_these_tables_and_at_no_other() -> None:
    with pytest.raises(Refused, match="thrown by the players: enter what they show"):
        after(a_companion(), "roll", 0)
    sealed = a_table(human("A", salt="a"), human("B", salt="b"), mode="hotseat")
    with pytest.raises(Refused, match="thrown by the server: none can be entered"):
        after(sealed, "roll", 0, dice=(6, 6, 6, 6))
    assert sealed.table.rolls == 0


def test_a_roll_off_takes_two_dice_each() -> None:
    stored = a_companion(edition="trademark")
    with pytest.raises(InvalidText, match="it takes 2 dice"):
        rolled(stored, "1234")
    stored = played(stored, "12", "66", "11")
    assert stored.table.position.seat == 1
    stored = undone(undone(stored))
    assert stored.table.position.seat == 1
    assert stored.table.rolls == 1
    assert played(stored, "11", "55").table.position.seat == 2


# Undoing


def test_a_bust_goes_with_its_roll_and_the_turn_before_can_be_undone_too() -> None:
    before = played(a_companion(), "1166", "=2+12", "1233", "=4")
    bust = rolled(before, "5555")
    assert [entry.kind for entry in bust.table.log][-2:] == ["rolled", "busted"]
    assert bust.table.position.seat == 1
    back = after(bust, "takeback", 0)
    assert back.table.position == before.table.position
    assert back.table.game_events == before.table.game_events
    with pytest.raises(Refused, match="since the last roll"):  # Bob has entered nothing
        after(back, "takeback", 1)


def test_a_win_that_was_a_wrong_entry_is_undone_and_the_game_goes_on() -> None:
    stored = a_companion(human("Anne"), human("Bob"), edition="custom", win=1)
    won = played(stored, *("1166", "=2+12") * 3, "stop")
    assert won.table.stage is Stage.OVER
    assert won.table.winners == (0,)
    again = undone(won)
    assert again.table.stage is Stage.PLAYING
    assert again.table.winners == ()
    assert Table.from_log(again.table.id, again.table.log) == again.table
    over = after(again, "stop", 0)
    assert over.table.stage is Stage.OVER
    rematch = after(over, "rematch", 0)
    with pytest.raises(Refused, match="The game is over"):
        undone(rematch)


def test_a_game_that_was_closed_or_resigned_stays_over() -> None:
    two = rolled(a_companion(human("Anne"), human("Bob")), "2345")
    closed = two.after(close(two, NOW))
    resigned = after(two, "resign", 0)
    assert resigned.table.winners == (1,)
    for over in (closed, resigned):
        with pytest.raises(Refused, match="The game is over"):
            undone(over)


def test_what_can_be_undone_is_not_copied_with_every_roll() -> None:
    """Else a long game, which can be of 50,000 events, would take a server ten seconds to read."""
    stored = played(a_companion(), "2345", "=7+7")
    longer = played(stored, "2345")
    assert longer.table.undo is not None
    assert longer.table.undo.before is stored.table.undo
    back = undone(longer)
    assert back.table.undo is stored.table.undo
    assert Table.from_log(back.table.id, back.table.log) == back.table


def test_at_the_beginning_there_is_nothing_to_undo() -> None:
    with pytest.raises(Refused, match="There is nothing to take back"):
        after(a_companion(), "takeback", 0)


@settings(max_examples=40, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(["classic", "trademark", "asmodee"]))
def test_whatever_is_entered_and_undone_the_game_is_that_of_a_plain_list(
    chance: random.Random, edition: str
) -> None:
    """The table against a list of what was entered: undoing takes the last thing off the list."""
    stored = a_companion(edition=edition)
    start = stored.table.position
    entered: list[tuple[str, Any]] = []
    for _ in range(60):
        position = stored.table.position
        if entered and chance.random() < 0.3:
            entered.pop()
            stored = undone(stored)
        elif position.phase is Phase.OVER:
            break
        elif position.phase is Phase.MOVE:
            move = chance.choice(list(position.legal_moves))
            entered.append(("move", move))
            stored = after(stored, "move", position.seat, move=str(move))
        elif position.may_stop and chance.random() < 0.4:
            entered.append(("stop", None))
            stored = after(stored, "stop", position.seat)
        else:
            dice = tuple(chance.randint(1, 6) for _ in range(position.dice_to_roll))
            entered.append(("roll", dice))
            stored = after(stored, "roll", position.seat, dice=dice)
        game = Game(start=start)
        for kind, what in entered:
            if kind == "roll":
                game.roll(what)
            elif kind == "move":
                game.move(what)
            else:
                game.stop()
        table = stored.table
        assert (table.position, table.game_events) == (game.position, game.events)
        assert (table.rolls, table.turn) == (game.rolls, game.turn)
        assert table.stage is (Stage.OVER if game.outcome else Stage.PLAYING)
    assert Table.from_log(stored.table.id, stored.table.log) == stored.table


# What else there is at a table


def test_no_bot_takes_the_turns_of_anybody() -> None:
    stored = rolled(a_companion(), "2345")
    with pytest.raises(Refused, match="with three or more, all play to the end"):
        after(stored, "resign", 0)
    ask = msgspec.convert({"id": "substitute", "seat": 0, "for": 1}, actions.Substitute)
    with pytest.raises(Refused, match="No bot can throw the dice"):
        decide(stored, Caller(frozenset({0, 1, 2})), ask, SeatPresence(), NOW)


def test_a_rematch_is_played_with_the_same_dice() -> None:
    stored = a_companion(human("Anne"), human("Bob"), edition="custom", win=1)
    over = played(stored, *("1166", "=2+12") * 3, "stop")
    ask = actions.Rematch(id="rematch-1", seat=0)
    decision = decide(over, Caller(frozenset({0, 1})), ask, SeatPresence(), NOW)
    assert isinstance(decision, tuple)
    table = decision[0].table
    assert table.opened.entered
    assert table.stage is Stage.PLAYING
    assert [seat.name for seat in table.seats] == ["Bob", "Anne"]
    assert table.opened.commitment is None


def test_the_record_says_so_and_is_never_called_verified() -> None:
    stored = played(a_companion(), "1166", "=2+12", "stop", "1234", "=5+5")
    record = record_of(stored.table)
    assert '[Dice "entered"]' in str(record)
    assert read_record(str(record)) == record
    assert record.dice == EnteredDice()
    found = verify(record)
    assert found.dice_entered
    assert not found.dice_checked


# Over the wire


def test_the_protocol_from_the_first_die_to_the_review(server: TestClient) -> None:
    seats = (human("Anne"), human("Bob"))
    opened = open_table(
        server, *seats, mode="hotseat", dice="entered", edition="custom", win=1, help=True
    )
    assert opened["state"]["dice"] == "entered"
    assert opened["state"]["log"][0]["data"]["entered"] is True
    with at_table(server, opened["id"], opened["secret"]) as player:
        for dice in ([1, 2, 3, 4, 5], [7, 1, 1, 1], "abcd", [1.5, 2, 3, 4], [True] * 4, [10**9]):
            with pytest.raises(Refusal) as refusal:
                player.act("roll", 0, dice=dice)
            assert refusal.value.code == "malformed"
        for _ in range(3):
            player.act("roll", 0, dice=[1, 1, 6, 6])
            player.act("move", 0, move="2+12")
        player.act("takeback", 0)
        player.act("move", 0, move="2+12")
        player.catch_up(player.act("stop", 0) + 1)
        assert player.kinds[-1] == "finished"
        address = f"/api/tables/{opened['id']}"
        first = server.get(f"{address}/review").json()
        assert len(first["rolls"]) == 3
        player.act("takeback", 0)
        assert player.view["phase"] == "choice"
        assert server.get(f"{address}/review").status_code == 409
        player.act("roll", 0, dice=[1, 2, 3, 3])
        player.act("move", 0, move="3")
        player.catch_up(player.act("stop", 0) + 1)
        assert player.kinds[-1] == "finished"
    again = server.get(f"{address}/review").json()
    assert len(again["rolls"]) == 4
    assert server.get(address).json()["stage"] == "over"
    record = read_record(server.get(f"{address}/record").text)
    assert record.dice == EnteredDice()
    assert record.game().rolls == 4


def test_a_misspelt_origin_of_dice_is_refused(server: TestClient) -> None:
    body = {"mode": "hotseat", "dice": "loaded", "seats": [human("A"), human("B")]}
    answer = server.post("/api/tables", json=body)
    assert answer.status_code == 400
    assert "dice" in answer.json()["error"]["message"]


def test_errors_of_the_rules_stay_errors_of_the_rules() -> None:
    """A move that the entered dice do not allow is refused as at any table."""
    stored = rolled(a_companion(), "2345")
    with pytest.raises(CantStopError):
        after(stored, "move", 0, move="2+12")
