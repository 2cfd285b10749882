"""What an operator erases: the name is in no row, in no backup made afterwards, on no page."""

import gzip
import io
import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from cantstop.cli.app import main
from cantstop.server import ServerOptions, create_app
from cantstop.server.database.backup import back_up
from cantstop.server.database.sql import open_database
from cantstop.server.runtime.housekeeping import Cleanup
from table_client import human, open_table

NAME = "Annegret Unverwechselbar"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


def url_of(path: Path) -> str:
    return f"sqlite:///{path}"


def is_known(path: Path) -> bool:
    """Whether the name is in any row, or in a backup."""
    saved = io.BytesIO()
    back_up(url_of(path), saved, lambda _: None)
    lines = gzip.decompress(saved.getvalue()).decode()
    with closing(sqlite3.connect(path)) as connection:
        rows = "\n".join(connection.iterdump())
    assert (NAME in lines) == (NAME in rows)
    return NAME in rows


def add_result(path: Path, table: str, day: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "INSERT INTO daily_tries (day, device_hash, table_id, name, opened_at, finished_at, "
            "turns, signs) VALUES (?, ?, ?, ?, ?, ?, 7, 'sssssss')",
            (
                day,
                f"device {table}",
                table,
                NAME,
                f"{day} 10:00:00.000000",
                f"{day} 11:00:00.000000",
            ),
        )
        connection.commit()


def run(*arguments: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--lang", "en"])
    assert not ended.value.code


def test_a_deleted_table_is_gone_from_the_database_and_the_server(
    path: Path, web: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = create_app(ServerOptions(url_of(path), web=web))
    with TestClient(app) as server:
        seats = [human(NAME, salt="a"), human("Bob", salt="b")]
        table = open_table(server, *seats, mode="hotseat")["id"]
        other = open_table(server, human("Bob", salt="b"), human("C", salt="c"), mode="hotseat")
        assert is_known(path)
        run("tables", "delete", table, "--database", url_of(path))
        assert f"Table {table} is deleted." in capsys.readouterr().out
        assert not is_known(path)
        assert server.portal is not None
        server.portal.call(app.state.runtime.master.resync)
        assert server.get(f"/api/tables/{table}").status_code == 404
        assert server.get(f"/api/tables/{table}/record").status_code == 404
        assert server.get(f"/api/tables/{other['id']}").status_code == 200


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "Which table is to be deleted? Give its id."),
        (("k7QmZr3pW9xA",), "There is no such table."),
    ],
)
def test_what_cannot_be_deleted_is_one_sentence(
    path: Path,
    web: Path,
    arguments: tuple[str, ...],
    sentence: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with TestClient(create_app(ServerOptions(url_of(path), web=web))):
        pass
    with pytest.raises(SystemExit) as ended:
        main(["tables", "delete", *arguments, "--database", url_of(path), "--lang", "en"])
    assert ended.value.code == 2
    assert sentence in capsys.readouterr().err


def test_a_removed_result_leaves_no_name_and_no_table(path: Path, web: Path) -> None:
    noon = datetime(2026, 11, 15, 12, tzinfo=UTC)
    app = create_app(ServerOptions(url_of(path), web=web, clock=lambda: noon))
    with TestClient(app) as server:
        seats = [human(NAME, salt="a")]
        table = open_table(server, *seats, mode="solo")["id"]
        add_result(path, table, "2026-11-15")
        assert [one["name"] for one in server.get("/api/daily").json()["results"]] == [NAME]
        run("results", "remove", table, "--database", url_of(path))
        assert server.get("/api/daily").json()["results"] == []
    assert not is_known(path)
    with closing(sqlite3.connect(path)) as connection:
        # the device has had its try
        assert connection.execute("SELECT count(*) FROM daily_tries").fetchone() == (1,)


@pytest.mark.anyio
@pytest.mark.parametrize("keep", [timedelta(days=365), None])
async def test_names_of_results_are_dropped_after_a_year(
    path: Path, keep: timedelta | None
) -> None:
    now = datetime(2026, 11, 15, 12, tzinfo=UTC)
    async with open_database(url_of(path)) as storage:
        days = ["2025-11-14", "2025-11-16", "2026-11-14"]
        for number, day in enumerate(days):
            add_result(path, f"table{number}", day)
        await Cleanup(storage, timedelta(days=30), lambda: now, keep).forget_names()
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("SELECT name, turns FROM daily_tries ORDER BY day").fetchall()
    first = NAME if keep is None else "–"
    assert found == [(first, 7), (NAME, 7), (NAME, 7)]


def test_a_deleted_table_is_told_as_json(path: Path, web: Path, capsys: object) -> None:
    with TestClient(create_app(ServerOptions(url_of(path), web=web))) as server:
        table = open_table(server, human(NAME, salt="a"), mode="solo")["id"]
        run("tables", "delete", table, "--json", "--database", url_of(path))
        out: str = capsys.readouterr().out  # type: ignore[attr-defined]
        assert json.loads(out) == {"deleted": table}
