"""What Prometheus reads."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from cantstop.server import ServerOptions, create_app
from cantstop.server.limits.policy import Limits, Rate
from table_client import Refusal, at_table, bot, human, open_table, play_to_the_end


@pytest.fixture
def watched(url: str, web: Path) -> Iterator[TestClient]:
    app = create_app(
        ServerOptions(url, pace=0, web=web, show_metrics=True, limits=Limits(messages=Rate(1, 400)))
    )
    with TestClient(app) as server:
        yield server


def figures(server: TestClient) -> dict[tuple[Any, ...], Any]:
    """Every sample, by its name and labels."""
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(server.get("/metrics").text)
        for sample in family.samples
    }


def gained(server: TestClient, before: Any) -> dict[Any, Any]:
    after = figures(server)
    return {key: value - before.get(key, 0) for key, value in after.items()}


def test_there_are_none_unless_asked_for(server: TestClient) -> None:
    assert server.get("/metrics").status_code == 404


def test_requests_are_counted_by_their_route(watched: TestClient) -> None:
    before = figures(watched)
    for path in ("/t/abc", "/t/def", "/api/tables/abc", "/api/tables/x%2fy", "/nowhere", "/x/y"):
        watched.get(path)
    watched.request("BREW", "/")
    more = gained(watched, before)
    name = "cantstop_request_seconds_count"
    assert more[name, "GET", "page", "200"] == 2
    assert more[name, "GET", "/api/tables/{table_id}", "404"] == 1
    assert more[name, "GET", "other", "404"] == 3
    assert more[name, "other", "page", "405"] == 1


def test_a_game_is_counted(watched: TestClient) -> None:
    before = figures(watched)
    opened = open_table(watched, human(salt="a"), bot(), mode="hotseat", edition="custom", win=1)
    with at_table(watched, opened["id"], opened["secret"]) as player:
        assert figures(watched)["cantstop_sockets",] == 1
        with pytest.raises(Refusal):
            player.act("stop", 0)
        play_to_the_end(player)
        log = watched.get(f"/api/tables/{opened['id']}").json()["log"]
    more = gained(watched, before)
    assert figures(watched)["cantstop_sockets",] == 0
    for kind in ("opened", "rolled", "moved", "stopped", "finished"):
        happened = sum(event["kind"] == kind for event in log)
        assert more["cantstop_events_total", kind] == happened
    for by, seat in (("player", 0), ("bot", 1)):
        rolls = sum(event["kind"] == "rolled" and event["seat"] == seat for event in log)
        assert more["cantstop_actions_total", by, "roll", "accepted"] == rolls
    assert more["cantstop_actions_total", "player", "stop", "illegal"] == 1
    assert figures(watched)["cantstop_tables_in_memory",] >= 1
    for until in ("commit", "broadcast"):
        count = more["cantstop_action_seconds_count", until]
        assert count == sum(
            more["cantstop_actions_total", by, kind, "accepted"]
            for by in ("player", "bot")
            for kind in ("roll", "move", "stop")
        )


def test_no_label_has_a_value_of_its_own_for_each_table(watched: TestClient) -> None:
    opened = [open_table(watched, human(salt="a"), bot(), mode="hotseat") for _ in range(3)]
    for table in opened:
        with at_table(watched, table["id"], table["secret"]) as player:
            player.act("react", 0, reaction="cheer")
        watched.get(f"/t/{table['id']}")
    text = watched.get("/metrics").text
    assert not any(table["id"] in text for table in opened)
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert all("Anne" not in line and "testclient" not in line for line in lines)


WORKER = """
import os, sys
os.environ["PROMETHEUS_MULTIPROC_DIR"] = sys.argv[1]
from cantstop.server.ops import metrics
metrics.EVENTS.labels("rolled").inc(2)
metrics.SOCKETS.inc(5)
print(metrics.render_metrics().decode(), flush=True)
sys.stdin.read()
"""


def test_workers_are_added_up_and_the_dead_have_no_sockets(tmp_path: Path) -> None:
    def start() -> Any:
        return subprocess.Popen(
            [sys.executable, "-c", WORKER, str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def read(worker: subprocess.Popen[str]) -> dict[str, float]:
        assert worker.stdout is not None
        text = ""
        for line in worker.stdout:
            text += line
            if line == "\n":
                break
        values = dict(re.findall(r"^(\S+) (\S+)$", text, re.MULTILINE))
        return {
            name: float(values[name])
            for name in ('cantstop_events_total{kind="rolled"}', "cantstop_sockets")
        }

    first, second = start(), None
    try:
        assert list(read(first).values()) == [2, 5]
        second = start()
        assert list(read(second).values()) == [4, 10]
    finally:
        first.kill()
        first.communicate()
        if second is not None:
            second.communicate()
    third = start()
    try:
        assert list(read(third).values()) == [6, 5]
    finally:
        third.communicate()
