"""Games that end without a winner, and bots that do not play for nobody."""

import io
import json
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from cantstop import read_record, verify
from cantstop.cli import main
from cantstop.client import RemoteTable
from cantstop.server import ServerOptions, create_app
from cantstop.server.limits.policy import Limits
from cantstop.server.runtime import housekeeping
from cantstop.server.runtime.presence import Clocks
from cantstop.server.tables import decisions
from table_client import OPEN, Refusal, at_table, bot, human, open_table, sit_down
from wire_json import seen_event, seen_state

NEVER_STOPS = bot("bold:99")


@pytest.fixture
def few_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "MOST_TURNS_PER_SEAT", 2)


@pytest.mark.usefixtures("few_turns")
def test_a_game_that_would_never_end_is_ended_and_says_so(server: TestClient) -> None:
    opened = open_table(server, *[NEVER_STOPS] * 4, edition="custom", win=4)
    with at_table(server, opened["id"]) as watcher:
        told = watcher.hear_event("finished")
        assert told["data"]["winners"] == []
        assert told["data"]["reason"] == "turns"
        assert told["view"]["outcome"] is None
        assert watcher.kinds.count("busted") + watcher.kinds.count("stopped") == 8
        table = RemoteTable.from_state(seen_state(watcher.state))
        for event in watcher.events:
            table = table.after_event(seen_event(event))
        assert (table.is_over, table.ended, table.outcome) == (True, "turns", None)
    state = server.get(f"/api/tables/{opened['id']}").json()
    assert state["stage"] == "over"
    assert RemoteTable.from_state(seen_state(state)) == table
    text = server.get(f"/api/tables/{opened['id']}/record").text
    assert '[Ended "turns"]' in text
    assert text.splitlines()[-1] == "*"
    record = read_record(text)
    assert record.ended == "turns"
    assert verify(record).rolls == state["view"]["rolls"]


def test_a_game_that_is_won_says_nothing_of_it(server: TestClient) -> None:
    opened = open_table(server, bot(), bot())
    with at_table(server, opened["id"]) as watcher:
        assert watcher.hear_event("finished")["data"].keys() == {"winners", "secret"}
    assert "Ended" not in server.get(f"/api/tables/{opened['id']}/record").text


def test_bots_play_only_while_somebody_is_there(url: str, web: Path) -> None:
    options = ServerOptions(
        url, pace=0.01, web=web, clocks=Clocks(600, 0, 0), limits=Limits().times(0)
    )
    app = create_app(options)
    with TestClient(app) as server:
        # nobody can win four columns in one turn, and the most turns of a game take minutes
        table = open_table(server, *[NEVER_STOPS] * 4, edition="custom", win=4)["id"]
        bots = app.state.runtime.bots
        assert bots.tables == 0
        with at_table(server, table) as watcher:
            watcher.hear_event("busted")
        while bots.tables:
            server.get("/healthz")
        assert server.get(f"/api/tables/{table}").json()["stage"] == "playing"
        with at_table(server, table) as watcher:
            watcher.hear_event("busted")


def test_bots_go_on_for_who_has_just_left(url: str, web: Path) -> None:
    options = ServerOptions(
        url, pace=0, web=web, clocks=Clocks(600, 0, 3600), limits=Limits().times(0)
    )
    with TestClient(create_app(options)) as server:
        opened = open_table(server, human(salt="a"), bot(), mode="hotseat")
        table = opened["id"]
        with at_table(server, table, opened["secret"]) as anne:
            while anne.view["seat"] == 0:
                kind = {"move": "move", "choice": "stop"}.get(anne.view["phase"], "roll")
                moves = {"move": anne.view["moves"][0]["move"]} if kind == "move" else {}
                anne.act(kind, 0, **moves)
        while server.get(f"/api/tables/{table}").json()["view"]["seat"] == 1:
            pass


# cantstop tables


def tables(*arguments: str) -> str:
    """What the command prints."""
    said = io.StringIO()
    with redirect_stdout(said), pytest.raises(SystemExit) as ended:
        main(["tables", *arguments])
    assert not ended.value.code
    return said.getvalue()


def test_the_operator_lists_tables_and_closes_one_while_the_server_runs(
    each_url: str, web: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = each_url
    monkeypatch.setattr(housekeeping, "HEARTBEAT_SECONDS", 0.05)
    monkeypatch.setattr(housekeeping, "RESYNC_BEATS", 1)
    with TestClient(create_app(ServerOptions(url, pace=3600, web=web))) as server:
        opened = open_table(server, human(salt="a"), OPEN)
        table = opened["id"]
        waiting = open_table(server, human("Carl", salt="c"), OPEN)["id"]
        sit_down(server, table, "Bob", salt="b")
        with at_table(server, table, opened["secret"]) as anne:
            anne.act("roll", 0)
            listed = json.loads(tables("--database", url, "--json"))
            assert [one["id"] for one in listed] == [table, waiting]
            assert listed[0]["players"] == ["Anne", "Bob"]
            assert listed[0]["stage"] == "playing"
            assert listed[0]["events"] == anne.n
            assert listed[1]["stage"] == "open"
            assert tables("--database", url, "close", table) == f"Table {table} is closed.\n"
            assert anne.hear_event("finished")["data"]["reason"] == "closed"
            with pytest.raises(Refusal, match="The game is over"):
                anne.act("roll", 0)
        assert verify(read_record(server.get(f"/api/tables/{table}/record").text)).rolls == 1
        tables("--database", url, "close", waiting)
        lines = tables("--database", url, "--most", "1").splitlines()
        assert len(lines) == 1
        assert lines[0].startswith(f"{waiting}  closed; Carl; opened ")
        record = server.get(f"/api/tables/{waiting}/record")
        assert record.status_code == 409
        assert server.get(f"/api/tables/{waiting}").json()["secret"] is None
