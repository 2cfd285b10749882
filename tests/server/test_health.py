"""The address that monitors ask."""

import asyncio
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from cantstop import __version__
from cantstop.server import ServerOptions, create_app
from cantstop.server.database.storage import Unavailable
from cantstop.server.http import health
from cantstop.server.http.health import HealthCheck
from postgresql import Postgres


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
    asked, answered = 0, asyncio.Event()

    async def slow() -> None:
        nonlocal asked
        asked += 1
        await answered.wait()

    well = HealthCheck(slow)
    assert await asyncio.gather(*(well.is_healthy() for _ in range(5))) == [False] * 5
    assert not await well.is_healthy()
    assert asked == 1
    answered.set()
    assert await well.is_healthy()
    assert await well.is_healthy()
    assert asked == 2


def test_a_server_whose_database_crashes_is_well_again_when_that_is(web: Path) -> None:
    postgres = Postgres("fsync=off", "synchronous_commit=off")
    try:
        with TestClient(create_app(ServerOptions(postgres.new_database(), web=web))) as server:
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
