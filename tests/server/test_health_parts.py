"""What the health check does: it writes and reads what players need, and names what is short."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from starlette.testclient import TestClient

from cantstop.server import ServerOptions, create_app
from cantstop.server.database import connections
from cantstop.server.http import health
from postgresql import Postgres
from table_client import human, open_table


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "FRESH_SECONDS", 0.0)


def app_at(path: Path, web: Path) -> Any:
    return create_app(ServerOptions(f"sqlite:///{path}", web=web))


def test_nothing_is_left_of_what_it_writes(tmp_path: Path, web: Path) -> None:
    path = tmp_path / "tables.db"
    with TestClient(app_at(path, web)) as server:
        for _ in range(3):
            assert server.get("/healthz").json()["database"] == "ok"
        with closing(sqlite3.connect(path)) as connection:
            for table in ("tables", "events", "holders"):
                assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


@pytest.mark.parametrize("table", ["tables", "events", "holders"])
def test_a_table_that_is_gone_is_noticed(tmp_path: Path, web: Path, table: str) -> None:
    path = tmp_path / "tables.db"
    with TestClient(app_at(path, web)) as server:
        assert server.get("/healthz").status_code == 200
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(f"ALTER TABLE {table} RENAME TO other")
        assert server.get("/healthz").status_code == 503


@pytest.mark.skipif(os.name != "posix", reason="a file that is written to while it is open")
def test_damage_that_was_found_once_is_told_from_then_on(tmp_path: Path, web: Path) -> None:
    path = tmp_path / "tables.db"
    with TestClient(app_at(path, web)) as server:
        for _ in range(30):
            open_table(server, human(salt="a"), human("Bob", salt="b"), mode="hotseat")
        assert server.get("/healthz").status_code == 200
    data = path.read_bytes()
    with closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'events' AND type = 'table'"
        ).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    app = app_at(path, web)
    with TestClient(app) as server:
        at = (root - 1) * size
        path.open("r+b").close()
        with path.open("r+b") as file:
            file.seek(at)
            file.write(os.urandom(size))
        statuses = {server.get("/healthz").status_code for _ in range(5)}
        assert statuses == {503}
        with path.open("r+b") as file:  # even if it can be read again: who knows what was written
            file.write(data)
        assert server.get("/healthz").status_code == 503


@pytest.mark.parametrize(
    ("name", "patch", "told"),
    [
        ("free_bytes", lambda: 5_000_000, {"disk": "only 5 MB are left"}),
        ("idle_pool", lambda: "no process is ready", {"pool": "no process is ready"}),
    ],
)
def test_what_is_short_is_named_and_players_are_still_served(
    tmp_path: Path, web: Path, name: str, patch: Callable[[], object], told: dict[str, str]
) -> None:
    app = app_at(tmp_path / "tables.db", web)
    with TestClient(app) as server:
        assert server.get("/healthz").json()["status"] == "ok"
        setattr(app.state.health, name, patch)
        answer = server.get("/healthz")
        assert answer.status_code == 200
        assert answer.json()["status"] == "degraded"
        assert told.items() <= answer.json().items()


def test_a_locked_table_is_told_and_nobody_waits_without_end(
    postgres: Postgres, web: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connections._STATEMENT_SECONDS, "lock_timeout", 1)
    url = postgres.new_database()
    with TestClient(create_app(ServerOptions(url, web=web))) as server:
        with psycopg.connect(url) as locking:
            locking.execute("LOCK TABLE events IN ACCESS EXCLUSIVE MODE")
            assert server.get("/healthz").status_code == 503
            body = {"mode": "solo", "seats": [human(salt="a")]}
            assert server.post("/api/tables", json=body).status_code == 503
            locking.rollback()
        assert server.post("/api/tables", json=body).status_code == 201
        assert server.get("/healthz").status_code == 200
