"""Migrations, and databases that cannot be used."""

from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from cantstop.server.database import connections as engines
from cantstop.server.database.connections import UnusableDatabase, migrate, open_engine
from cantstop.server.database.migrations.upgrade import NewerDatabase
from cantstop.server.database.schema import metadata, unsaved
from cantstop.server.run import check_database
from postgresql import Postgres


@pytest.fixture
def url(each_url: str) -> str:
    """Each of these tests is run on both databases."""
    return each_url


BOTH = [metadata, unsaved]


def test_the_migrations_lead_to_what_the_program_expects(each_new_url: Callable[[], str]) -> None:
    migrated, fresh = open_engine(each_new_url()), open_engine(each_new_url())
    migrate(migrated)
    with migrated.begin() as connection:
        assert compare_metadata(MigrationContext.configure(connection), BOTH) == []  # type: ignore[arg-type]
    for one in BOTH:
        one.create_all(fresh)
    for table in (table for one in BOTH for table in one.tables):
        for look in (
            "get_pk_constraint",
            "get_foreign_keys",
            "get_unique_constraints",
            "get_indexes",
        ):
            found, expected = (
                getattr(sa.inspect(source), look)(table) for source in (migrated, fresh)
            )
            assert found == expected
    migrated.dispose()
    fresh.dispose()


def test_a_database_is_brought_up_to_date_only_once(url: str) -> None:
    check_database(url)
    check_database(url)
    engine = open_engine(url)
    with engine.connect() as connection:
        versions = connection.execute(sa.text("SELECT version_num FROM alembic_version"))
        assert versions.all() == [("0011",)]
        if engine.dialect.name == "sqlite":
            assert connection.exec_driver_sql("PRAGMA journal_mode").one() == ("wal",)
    engine.dispose()


def test_a_database_of_a_newer_program_is_refused(url: str) -> None:
    check_database(url)
    engine = open_engine(url)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(NewerDatabase, match=r"newer version \(9999\) than this program"):
        check_database(url)


def test_a_folder_that_is_missing_is_made(tmp_path: Path) -> None:
    check_database(f"sqlite:///{tmp_path / 'a' / 'b' / 'tables.db'}")
    assert (tmp_path / "a" / "b" / "tables.db").is_file()


@pytest.mark.parametrize(
    "url",
    [
        "postgresql:localhost/cantstop",
        "mysql:///x",
        "sqlite://",
        "sqlite:///",
        "sqlite:///:memory:",
        "sqlite:///x.db?mode=ro",
        "tables.db",
        "",
    ],
)
def test_only_a_file_of_sqlite_or_postgresql_can_keep_tables(url: str) -> None:
    with pytest.raises(UnusableDatabase, match="is not a database URL"):
        check_database(url)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = Path(tmp_path / "letter.txt")
    path.write_text("Dear Sid, " * 100, encoding="utf-8")
    with pytest.raises(UnusableDatabase, match="file is not a database"):
        check_database(f"sqlite:///{path}")


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UnusableDatabase, match=r"cannot be used: (File exists|Not a directory)"):
        check_database(f"sqlite:///{tmp_path / 'file' / 'tables.db'}")


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("postgresql://127.0.0.1:1/cantstop", "refused"),
        ("postgresql://nobody@127.0.0.1:{port}/nowhere", "does not exist"),
        ("postgres://who:secret@127.0.0.1:{port}/nowhere", "does not exist"),
    ],
)
def test_a_postgresql_that_does_not_let_us_in_is_refused(
    postgres: Postgres, url: str, reason: str
) -> None:
    with pytest.raises(UnusableDatabase, match=f"cannot be used: .*{reason}") as refused:
        check_database(url.format(port=postgres.port))
    assert "secret" not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_every_connection_is_durable_and_checks_references(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        engines, "_PRAGMAS", tuple(one for one in engines._PRAGMAS if "OFF" not in one)
    )
    engine = open_engine(f"sqlite:///{tmp_path / 'tables.db'}")
    with engine.connect() as connection:
        for pragma, value in {"synchronous": 2, "foreign_keys": 1, "busy_timeout": 10000}.items():
            assert connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() == value
    engine.dispose()
