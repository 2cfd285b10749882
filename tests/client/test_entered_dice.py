"""Programs at a table whose players throw the dice: they say what fell, and undo what was wrong."""

import pytest

from cantstop import EnteredDice, InvalidText, Phase, verify
from cantstop.client import Player, Refused, human, look, open_table, record
from live_server import LiveServer


def test_dice_are_said_undone_across_turns_and_after_the_end(server: LiveServer) -> None:
    link = open_table(
        server.url,
        [human("Anne"), human("Bob")],
        mode="hotseat",
        dice="entered",
        edition="custom",
        win=1,
    )
    with Player(link) as people:
        assert people.table.opened.entered
        with pytest.raises(Refused, match="enter what they show"):
            people.roll()
        for wrong in ("12345", "7111", "abcd"):
            with pytest.raises(InvalidText):
                people.roll(wrong)
        assert len(people.roll("2345")) > 1
        assert people.take_back()
        assert people.table.events == ()
        assert people.table.taken_back_by is None
        for _ in range(3):
            people.roll([1, 1, 6, 6])
            people.move("2+12")
        people.stop()
        assert people.outcome is not None
        assert people.take_back()  # the end, which was a wrong entry
        assert people.outcome is None
        assert not people.table.winners
        assert len(people.roll("4444")) == 1
        people.move("8+8")
        assert not people.roll("5555")  # a bust: it is Bob's turn
        assert people.position.seat == 1
        assert people.take_back()  # with its roll
        assert people.position.seat == 0
        assert people.position.phase is Phase.CHOICE
        people.stop()
        assert look(link).events == people.table.events
        found = people.verify()
    assert found.dice_entered
    assert record(link).dice == EnteredDice()
    assert verify(record(link)) == found


def test_at_other_tables_dice_cannot_be_said(server: LiveServer) -> None:
    link = open_table(server.url, [human("Anne"), human("Bob")], mode="hotseat")
    with Player(link) as people:
        people.wait(lambda table: table.started)
        assert not people.table.opened.entered
        with pytest.raises(Refused, match="none can be entered"):
            people.roll("6666")
        assert people.table.events == ()
