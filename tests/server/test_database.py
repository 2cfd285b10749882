"""Migrations, and databases that cannot be used."""

import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from cantstop.server import database
from cantstop.server.database import UnusableDatabase, open_database
from cantstop.server.migrations.upgrade import NewerDatabase, upgrade
from cantstop.server.schema import metadata
from cantstop.server.serving import check_database


def test_the_migrations_lead_to_what_the_program_expects(tmp_path):
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'tables.db'}")
    with engine.begin() as connection:
        upgrade(connection)
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    fresh = sa.create_engine("sqlite://")
    metadata.create_all(fresh)
    for table in metadata.tables:
        for look in (
            "get_pk_constraint",
            "get_foreign_keys",
            "get_unique_constraints",
            "get_indexes",
        ):
            migrated, expected = (
                getattr(sa.inspect(source), look)(table) for source in (engine, fresh)
            )
            assert migrated == expected
    engine.dispose()
    fresh.dispose()


def test_a_database_is_brought_up_to_date_only_once(url):
    check_database(url)
    check_database(url)
    file = sqlite3.connect(url.removeprefix("sqlite:///"))
    assert file.execute("SELECT version_num FROM alembic_version").fetchall() == [("0001",)]
    assert file.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    file.close()


def test_a_database_of_a_newer_program_is_refused(url):
    check_database(url)
    file = sqlite3.connect(url.removeprefix("sqlite:///"))
    file.execute("UPDATE alembic_version SET version_num = '9999'")
    file.commit()
    file.close()
    with pytest.raises(NewerDatabase, match=r"newer version \(9999\) than this program"):
        check_database(url)


def test_a_folder_that_is_missing_is_made(tmp_path):
    check_database(f"sqlite:///{tmp_path / 'a' / 'b' / 'tables.db'}")
    assert (tmp_path / "a" / "b" / "tables.db").is_file()


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://localhost/cantstop",
        "mysql:///x",
        "sqlite://",
        "sqlite:///",
        "sqlite:///:memory:",
        "sqlite:///x.db?mode=ro",
        "tables.db",
        "",
    ],
)
def test_only_a_file_of_sqlite_can_keep_tables(url):
    with pytest.raises(UnusableDatabase, match="is not a database that tables can be kept in"):
        check_database(url)


def test_a_file_that_is_no_database_is_refused(tmp_path):
    path = Path(tmp_path / "letter.txt")
    path.write_text("Dear Sid, " * 100)
    with pytest.raises(UnusableDatabase, match="file is not a database"):
        check_database(f"sqlite:///{path}")


def test_a_folder_that_cannot_be_made_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UnusableDatabase, match=r"cannot be used: (File exists|Not a directory)"):
        check_database(f"sqlite:///{tmp_path / 'file' / 'tables.db'}")


@pytest.mark.anyio
async def test_every_connection_is_durable_and_checks_references(url, monkeypatch):
    monkeypatch.setattr(
        database, "_PRAGMAS", tuple(one for one in database._PRAGMAS if "OFF" not in one)
    )
    async with open_database(url) as opened, opened._engine.connect() as connection:
        for pragma, value in {"synchronous": 2, "foreign_keys": 1, "busy_timeout": 10000}.items():
            assert (await connection.exec_driver_sql(f"PRAGMA {pragma}")).scalar() == value
