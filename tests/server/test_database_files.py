"""An SQLite file holds the secrets of running games' dice: only its owner can read it."""

import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from cantstop.server.database.connections import migrate, open_engine

pytestmark = pytest.mark.skipif(os.name != "posix", reason="permissions as POSIX has them")


@pytest.fixture(params=[0o000, 0o022, 0o077], ids=oct)
def any_umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def written_to(path: Path) -> sa.Engine:
    """A database with something in it, so that its log and its index are there."""
    engine = open_engine(f"sqlite:///{path}")
    migrate(engine)
    with engine.connect() as connection:
        connection.execute(sa.text("SELECT count(*) FROM tables"))
    return engine


@pytest.mark.usefixtures("any_umask")
def test_all_files_of_a_new_database_are_for_their_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "data" / "tables.db"
    engine = written_to(path)
    files = sorted(path.parent.iterdir())
    assert [file.name for file in files] == ["tables.db", "tables.db-shm", "tables.db-wal"]
    assert {mode(file) for file in files} == {0o600}
    assert mode(path.parent) == 0o700
    engine.dispose()


def test_the_file_is_never_there_with_other_permissions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between making it and tightening it, another user could open it and keep it open."""
    made: list[int] = []
    really_open = os.open

    def watched(path: Path, flags: int, given: int = 0o777, **more: int) -> int:
        file = really_open(path, flags, given, **more)
        made.append(stat.S_IMODE(os.fstat(file).st_mode))
        return file

    before = os.umask(0)
    with monkeypatch.context() as patch:
        patch.setattr(os, "open", watched)
        written_to(tmp_path / "tables.db").dispose()
    os.umask(before)
    assert made
    assert set(made) == {0o600}


def test_files_that_others_could_read_are_tightened_and_that_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "tables.db"
    before = os.umask(0o022)
    engine = written_to(path)
    os.umask(before)
    files = [path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))]
    for file in files:
        file.chmod(0o644)
    with caplog.at_level(logging.WARNING):
        again = written_to(path)
    assert {mode(file) for file in files} == {0o600}
    assert [f"Others could read {file}" in caplog.text for file in files] == [True] * 3
    again.dispose()
    engine.dispose()
