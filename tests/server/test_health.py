"""The address that monitors ask."""

import asyncio
import resource
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from cantstop import __version__
from cantstop.cli.app import main
from cantstop.server import ServerOptions, create_app
from cantstop.server.database.storage import Unavailable
from cantstop.server.http import health
from cantstop.server.http.health import HealthCheck
from cantstop.server.limits.policy import Limits
from postgresql import Postgres
from table_client import at_table, human, open_table


def test_a_server_whose_database_answers_is_well(server: TestClient) -> None:
    answer = server.get("/healthz")
    assert answer.status_code == 200
    told = answer.json()
    assert told["version"] == __version__
    assert told["database"] == "ok"
    assert answer.headers["Cache-Control"] == "no-store"


def test_one_whose_database_does_not_is_not(url: str, web: Path) -> None:
    async def gone() -> None:
        raise Unavailable

    app = create_app(ServerOptions(url, web=web))
    with TestClient(app) as server:
        app.state.health = HealthCheck(gone)
        answer = server.get("/healthz")
        assert answer.status_code == 503
        assert answer.json()["error"]["code"] == "unavailable"


@pytest.mark.anyio
async def test_nobody_waits_for_ever_and_the_database_is_asked_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(health, "PING_TIMEOUT", 0.01)
    monkeypatch.setattr(health, "FRESH_SECONDS", 0.0)
    asked, answered = 0, asyncio.Event()

    async def slow() -> None:
        nonlocal asked
        asked += 1
        await answered.wait()

    well = HealthCheck(slow)
    assert await asyncio.gather(*(well.is_healthy() for _ in range(5))) == [False] * 5
    assert not await well.is_healthy()
    assert asked == 1
    monkeypatch.setattr(health, "PING_TIMEOUT", 60.0)
    answered.set()
    assert await well.is_healthy()
    assert await well.is_healthy()
    assert asked == 2


def test_a_server_whose_database_crashes_is_well_again_when_that_is(
    web: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "FRESH_SECONDS", 0.0)
    postgres = Postgres("fsync=off")  # what it has committed outlives its processes
    try:
        limits = Limits().times(0)  # it is asked as long as the processes take
        options = ServerOptions(postgres.new_database(), web=web, limits=limits)
        with TestClient(create_app(options)) as server:
            assert server.get("/healthz").status_code == 200
            postgres.kill()
            while (answer := server.get("/healthz")).status_code == 200:
                pass  # its processes end when they notice
            assert answer.status_code == 503
            assert answer.json()["error"]["code"] == "unavailable"
            postgres.start()
            while server.get("/healthz").status_code == 503:
                pass
            assert server.get("/healthz").status_code == 200
    finally:
        postgres.close()


@pytest.mark.anyio
async def test_an_answer_is_good_for_a_moment() -> None:
    asked = 0

    async def well() -> None:
        nonlocal asked
        asked += 1

    check = HealthCheck(well)
    assert [await check.is_healthy() for _ in range(100)] == [True] * 100
    assert asked == 1


# What can happen to the file of a SQLite database


def delete(path: Path) -> None:
    path.unlink()


def replace(path: Path) -> None:
    copy = path.with_name("copy")
    copy.write_bytes(path.read_bytes())
    copy.rename(path)


def overwrite(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(b"not a database " * 1000)


@pytest.mark.parametrize("harm", [delete, replace, overwrite])
def test_a_lost_file_is_told_and_no_event_is_acknowledged(
    tmp_path: Path, web: Path, monkeypatch: pytest.MonkeyPatch, harm: Callable[[Path], None]
) -> None:
    monkeypatch.setattr(health, "FRESH_SECONDS", 0.0)
    path = tmp_path / "tables.db"
    with TestClient(create_app(ServerOptions(f"sqlite:///{path}", web=web))) as server:
        opened = open_table(server, human(salt="a"), human("Bob", salt="b"), mode="hotseat")
        with at_table(server, opened["id"], opened["secret"]) as anne:
            assert server.get("/healthz").status_code == 200
            harm(path)
            answer = server.get("/healthz")
            assert answer.status_code == 503
            assert answer.json()["error"]["code"] == "unavailable"
            anne.say("act", id="aaaaaaaa", seat=0, kind="roll")
            with pytest.raises(WebSocketDisconnect) as closed:
                anne.hear_until(lambda message: message["t"] in ("ack", "event"))
            assert closed.value.code == 1012
        answer = server.post("/api/tables", json={"mode": "solo", "seats": [human(salt="a")]})
        assert answer.status_code == 503
        assert server.get("/api/tables/k7QmZr3pW9xA").status_code == 503


def test_a_full_disk_is_told(tmp_path: Path, web: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "FRESH_SECONDS", 0.0)
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    with TestClient(create_app(ServerOptions(url, web=web))) as server:
        assert server.get("/healthz").status_code == 200
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        size = max(file.stat().st_size for file in tmp_path.iterdir())
        old = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
        try:
            while (answer := server.get("/healthz")).status_code == 200:
                pass
            assert answer.json()["error"]["code"] == "unavailable"
            answer = server.post("/api/tables", json={"mode": "solo", "seats": [human(salt="a")]})
            assert answer.status_code == 503
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            signal.signal(signal.SIGXFSZ, old)
        assert server.get("/healthz").status_code == 200


def test_a_second_server_on_one_sqlite_file_is_refused(
    tmp_path: Path, web: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    with TestClient(create_app(ServerOptions(url, web=web))) as server:
        with pytest.raises(SystemExit) as ended:
            main(["serve", "--port", "0", "--database", url, "--lang", "en"])
        assert ended.value.code == 2
        assert "Another server already uses the database" in capsys.readouterr().err
        open_table(server, human(salt="a"), human("Bob", salt="b"), mode="hotseat")
        with pytest.raises(SystemExit) as ended:
            main(["backup", str(tmp_path / "backup"), "--database", url])
        assert not ended.value.code
    with TestClient(create_app(ServerOptions(url, web=web))) as server:
        assert server.get("/healthz").status_code == 200
