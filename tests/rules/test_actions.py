"""Actions as text: what a move, stopping and rolling are called, everywhere."""

import pytest

from cantstop import rules
from cantstop.rules import Choice, InvalidText, Move, Position, parse_action


def test_every_action_of_a_turn_is_parsed_from_its_own_text() -> None:
    for action in (*Position.initial().roll("2345").legal_moves, *Choice):
        assert parse_action(str(action)) == action
    assert parse_action("stop") is Choice.STOP
    assert parse_action("7+7") == Move(7, 7)


@pytest.mark.parametrize("text", ["", "Stop", "stop ", "6+", "pass"])
def test_what_is_no_action_is_no_text_of_one(text: str) -> None:
    with pytest.raises(InvalidText):
        parse_action(text)


def test_stopping_and_rolling_are_defined_once() -> None:
    """The other packages use the rules' own, and offer none beside it."""
    from cantstop import bots, engine
    from cantstop.drills import drill
    from cantstop.rl import encoding

    for module in (bots, engine, drill, encoding):
        for name, value in vars(module).items():
            texts = {str(getattr(value, "STOP", "")), str(getattr(value, "ROLL", ""))}
            assert texts != {"stop", "roll"} or value is rules.Choice, (module, name)
