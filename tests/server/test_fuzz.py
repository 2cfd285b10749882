"""A share of ``make fuzz``: whatever is sent, no answer blames the server, and nothing changes."""

from typing import Any

import pytest

from fuzz.served import WrongAnswer
from fuzz.sockets import check_unchanged
from fuzz_server import fuzz

STATE: dict[str, Any] = {
    "n": 2,
    "log": [{"n": 1, "kind": "opened"}, {"n": 2, "kind": "seated"}],
    "view": "a",
}
REACTED = {"n": 3, "kind": "reacted"}
ROLLED = {"n": 3, "kind": "rolled"}


def test_nonsense_is_refused_over_sockets_and_http(url: str) -> None:
    tally = fuzz(url, seed=2027, said=600, raw=200, examples=12)
    answers = {answer for _, _, answer in tally}
    assert {"malformed", "illegal", "not-your-turn", "not-your-seat", "not-now"} < answers
    assert {"1002", "1007", "1009", "4400", "4403", "4404"} < answers
    assert {"200", "201", "400", "404", "405", "409"} < answers
    assert not answers & {"500", "503", "internal", "unavailable", "too-many", "429"}


class TestTheFuzzer:
    """What finds no change would be worth nothing if it could not find one."""

    @pytest.mark.parametrize(
        "after",
        [
            {**STATE, "view": "b"},
            {**STATE, "n": 3, "log": [*STATE["log"], ROLLED]},
            {**STATE, "n": 3, "log": [*STATE["log"], REACTED]},
            {**STATE, "log": STATE["log"][:1]},
        ],
        ids=["view", "rolled", "reaction that nobody was told of", "event lost"],
    )
    def test_a_change_is_found(self, after: dict[str, Any]) -> None:
        with pytest.raises(WrongAnswer):
            check_unchanged(STATE, after)

    def test_a_reaction_that_was_acknowledged_is_none(self) -> None:
        after = {**STATE, "n": 3, "log": [*STATE["log"], REACTED]}
        check_unchanged(STATE, after, {3})
        with pytest.raises(WrongAnswer):
            check_unchanged(STATE, after, {3, 4})
