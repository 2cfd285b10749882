"""A program plays through a bad network: the table it sees is always one that really was."""

import json
from dataclasses import replace
from itertools import cycle
from typing import Any

import pytest

from bad_network import Fault, bad_network
from cantstop import verify
from cantstop.bots import bot_named, decide
from cantstop.client import Player, connection, human, open_table, record
from cantstop.client.player import play_decision
from cantstop.client.requests import _request

# Each kind several times: within the handshake, within an event, and after many.
LIMITS = (100, 900, 9000, 5000, 1200, 15_000, 7000, 800, 12_000)
FAULTS = list(zip(cycle(Fault), LIMITS, strict=False))


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits nine seconds for a line that is dead."""
    monkeypatch.setattr(connection, "HEARTBEAT_TIMEOUT", 0.5)
    monkeypatch.setattr(connection, "PING_INTERVAL", 0.2)
    monkeypatch.setattr(connection, "FIRST_RETRY_DELAY", 0.01)


def test_a_game_through_cuts_silence_and_lost_answers(server: Any) -> None:
    both = [human("Ada"), human("Bob")]
    link = open_table(server.url, both, mode="hotseat", edition="custom", win=5)
    seen: list[Any] = []
    decisions = 0
    careful = bot_named("careful")
    with bad_network(server.port, FAULTS) as network:
        far = replace(link, server=network.url)
        with Player(far, on_change=seen.append) as me:
            for _ in me.decisions():
                play_decision(me, decide(careful, me.position, me.moves))
                decisions += 1
    assert set(network.met) == set(Fault)
    assert len(network.met) == len(FAULTS)

    told = json.loads(_request(f"{link.api}/events", "en"))["events"]
    numbers = [table.n for table in seen]
    assert numbers == sorted(set(numbers))
    for table in seen:
        view = told[table.n - 1]["view"]
        assert (str(table.position), table.turn) == (view["position"], view["turn"])
    assert seen[-1].outcome is not None
    assert decisions == sum(event["kind"] in ("rolled", "moved", "stopped") for event in told)
    assert verify(record(link)).dice_checked
