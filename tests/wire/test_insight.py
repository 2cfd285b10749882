"""Hints and analyses as JSON: one form, which a client can read back."""

import msgspec
import pytest

from cantstop.engine import analyse, hint
from cantstop.rules import InvalidText, Position
from cantstop.wire.codec import encode
from cantstop.wire.insight import HintView, analysis_view, hint_from, hint_view
from wire_json import as_json

CHOICE = "v1,players=2 7:4/6:9,8:3 1 2:1,7:6,12:2 -"
DICE = "v1,players=2 -/- 1 - 1266"
SOLO = "v1,players=1 - 1 3:1,12:1 -"


def test_JSON_has_what_the_contract_says() -> None:
    told = as_json(analysis_view(analyse(Position.parse(CHOICE))))
    assert told["position"] == CHOICE
    assert (told["phase"], told["seat"], told["solo"]) == ("choice", 0, False)
    assert {option["move"] for option in told["options"]} == {"roll", "stop"}
    assert told["options"][0]["win"] >= told["options"][1]["win"]
    assert told["at_stake"] == {"2": 1, "7": 2, "12": 2}
    assert set(told["error"]) == {"rms", "p99"}
    roll = told["rolls"][0]
    assert (roll["dice"], roll["ways"], roll["bust"]) == ([1, 1, 1, 1], 1, False)
    assert (roll["best"], roll["then"]) == ("2+2", "stop")
    without = as_json(hint_view(hint(Position.parse(CHOICE))))
    assert {key: value for key, value in told.items() if key != "rolls"} == without


@pytest.mark.parametrize("text", [CHOICE, DICE, SOLO])
def test_a_hint_that_was_sent_is_the_hint(text: str) -> None:
    found = hint(Position.parse(text))
    sent = msgspec.json.decode(encode(hint_view(found)), type=HintView)
    assert hint_from(sent) == found


def test_a_hint_for_no_position_is_refused() -> None:
    found = as_json(hint_view(hint(Position.parse(DICE))))
    told = msgspec.convert({**found, "position": "v1,players=2 nonsense"}, HintView)
    with pytest.raises(InvalidText):
        hint_from(told)
