"""SQLite files after a power cut, a restore or a move: none is damaged, one sentence says why."""

import asyncio
import io
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cantstop.cli.app import main
from cantstop.server.database.backup import back_up, restore
from cantstop.server.database.connections import UnusableDatabase, check_integrity, open_engine
from cantstop.server.database.sql import open_database
from cantstop.server.run import check_database

pytestmark = pytest.mark.skipif(os.name != "posix", reason="files that are copied while open")

SIDE = ("", "-wal", "-shm", "-lock")


def url_of(path: Path) -> str:
    return f"sqlite:///{path}"


def write_row(path: Path, table: str) -> None:
    """One more row, as a server would write it."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute(
            "INSERT INTO tables (id, opened_at, touched_at, bot_to_act) VALUES (?, ?, ?, 0)",
            (table, "2026-11-15 10:20:00.000000", "2026-11-15 10:20:00.000000"),
        )
        connection.commit()


def rows(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [row[0] for row in connection.execute("SELECT id FROM tables ORDER BY id")]


def copy(path: Path, folder: Path) -> Path:
    """All files of a database as they are now: what a power cut leaves."""
    folder.mkdir()
    for end in SIDE:
        file = path.with_name(path.name + end)
        if file.exists():
            shutil.copy(file, folder / file.name)
    return folder / path.name


def cut_off(path: Path, folder: Path, runs: int = 1) -> Path:
    """What is left of a server that wrote a table in each of its runs, and lost power in the last.

    The copy of the first run is kept as ``first``, without its log, as a file-level backup has it.
    """
    left = path

    async def run(number: int) -> Path:
        async with open_database(url_of(path), serve=True):
            if number == 2:
                shutil.copy(path, folder / "first")
            write_row(path, f"table{number}")
            return copy(path, folder / f"run{number}")

    for number in range(1, runs + 1):
        left = asyncio.run(run(number))
    return left


def test_a_log_is_applied_to_the_copy_that_it_belongs_to(tmp_path: Path) -> None:
    left = cut_off(tmp_path / "tables.db", tmp_path)
    assert left.with_name("tables.db-wal").stat().st_size > 0
    check_database(url_of(left))
    assert rows(left) == ["table1"]


def test_the_log_of_a_newer_copy_is_refused_beside_an_older_one(tmp_path: Path) -> None:
    left = cut_off(tmp_path / "tables.db", tmp_path, runs=3)
    shutil.copy(tmp_path / "first", left)
    log = left.with_name("tables.db-wal").read_bytes()
    with pytest.raises(UnusableDatabase, match=r"tables.db-wal is not the log of this copy"):
        check_database(url_of(left))
    with pytest.raises(UnusableDatabase, match="move it away"):
        open_engine(url_of(left))
    # nothing was touched: whoever moves it away has the copy as it was
    assert left.with_name("tables.db-wal").read_bytes() == log
    left.with_name("tables.db-wal").unlink()
    left.with_name("tables.db-shm").unlink(missing_ok=True)
    check_database(url_of(left))
    assert rows(left) == ["table1"]


def test_a_backup_replaces_a_damaged_database_and_its_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "saved"
    left = cut_off(tmp_path / "tables.db", tmp_path)
    with saved.open("wb") as file:
        back_up(url_of(left), file, lambda _: None)
    data = bytearray(left.read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    left.write_bytes(data)
    left.with_name("tables.db-wal").write_bytes(b"stale" * 1000)
    with pytest.raises(UnusableDatabase):
        check_database(url_of(left))
    with pytest.raises(SystemExit) as ended:
        main(["restore", str(saved), "--replace", "--database", url_of(left), "--lang", "en"])
    assert not ended.value.code
    assert "One table is restored." in capsys.readouterr().out
    check_database(url_of(left))
    assert rows(left) == ["table1"]
    assert [one.name for one in left.parent.iterdir() if one.name.startswith("restoring-")] == []


def test_a_backup_that_is_refused_replaces_nothing(tmp_path: Path) -> None:
    left = cut_off(tmp_path / "tables.db", tmp_path)
    before = {end: left.with_name(left.name + end).read_bytes() for end in ("", "-wal")}
    with pytest.raises(Exception, match="not a Can't Stop backup"):
        restore(url_of(left), io.BytesIO(b"nonsense"), lambda _: None, replace=True)
    assert {end: left.with_name(left.name + end).read_bytes() for end in before} == before


def test_nothing_is_replaced_under_a_server(tmp_path: Path) -> None:
    url, saved = url_of(tmp_path / "tables.db"), io.BytesIO()

    async def run() -> None:
        async with open_database(url, serve=True):
            back_up(url, saved, lambda _: None)
            saved.seek(0)
            with pytest.raises(UnusableDatabase, match="Another server already uses"):
                restore(url, saved, lambda _: None, replace=True)

    asyncio.run(run())


@pytest.mark.parametrize("link", [os.symlink, os.link], ids=["symbolic", "hard"])
def test_two_servers_on_one_file_through_a_link_are_refused(tmp_path: Path, link: object) -> None:
    path, other = tmp_path / "tables.db", tmp_path / "elsewhere" / "other.db"
    other.parent.mkdir()

    async def run() -> None:
        async with open_database(url_of(path), serve=True):
            link(path, other)  # type: ignore[operator]
            with pytest.raises(UnusableDatabase, match="Another server already uses"):
                async with open_database(url_of(other), serve=True):
                    pass

    asyncio.run(run())


@pytest.mark.parametrize("damage", ["middle", "all", "none of it a database"])
def test_a_damaged_file_is_one_sentence(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "tables.db"
    left = cut_off(path, tmp_path)
    check_database(url_of(left))
    data = bytearray(left.read_bytes())
    match damage:
        case "middle":
            data[4096 : 3 * 4096] = bytes(2 * 4096)
        case "all":
            data[100:] = bytes(len(data) - 100)
        case _:
            data[:] = b"hello" * 2000
    left.write_bytes(data)
    with pytest.raises(UnusableDatabase) as refused:
        check_database(url_of(left))
    assert "tables.db is damaged (" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_new_database_and_an_empty_file_are_sound(tmp_path: Path) -> None:
    check_integrity(url_of(tmp_path / "none.db"))
    (tmp_path / "empty.db").touch()
    check_integrity(url_of(tmp_path / "empty.db"))
