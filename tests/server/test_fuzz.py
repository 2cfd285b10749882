"""A share of ``make fuzz``: whatever is sent, no answer blames the server, and nothing changes."""

from contextlib import ExitStack
from io import StringIO
from logging import StreamHandler, getLogger
from typing import Any

import pytest

from cantstop.server.ops.logs import ClientErrorFilter, TextFormatter
from fuzz.served import Server, WrongAnswer
from fuzz.sockets import check_unchanged
from live_server import live_server
from postgresql import Postgres

STATE: dict[str, Any] = {
    "n": 2,
    "log": [{"n": 1, "kind": "opened"}, {"n": 2, "kind": "seated"}],
    "view": "a",
}
REACTED = {"n": 3, "kind": "reacted"}
ROLLED = {"n": 3, "kind": "rolled"}


class ServerHere(Server):
    """A server in this process, whose engine need not wait until the machine has nothing to do."""

    def __init__(self, database: str) -> None:
        self._log = StringIO()
        self._stack = ExitStack()
        handler = StreamHandler(self._log)
        handler.setFormatter(TextFormatter())
        handler.addFilter(ClientErrorFilter())
        getLogger().addHandler(handler)
        self._stack.callback(getLogger().removeHandler, handler)
        self.port = self._stack.enter_context(live_server(database)).port

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def printed(self) -> str:
        return self._log.getvalue()

    @property
    def has_ended(self) -> bool:
        return False


def test_nonsense_is_refused_over_sockets_and_http(postgres: Postgres) -> None:
    """On the stricter of the databases: it refuses texts that SQLite takes."""
    from fuzz_server import fuzz  # it loads Schemathesis, which only this test needs

    running = ServerHere(postgres.new_database())
    tally = fuzz(running, seed=2027, said=600, raw=200, examples=12)
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
