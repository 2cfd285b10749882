"""Runs migrations with Alembic; a database that is newer than the program is refused."""

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from cantstop.rules import CantStopError

_MIGRATION_LOCK = 0xCA57
"""The key of the advisory lock under which migrations run."""


class NewerDatabase(CantStopError):
    """A database of a later version."""


def upgrade(connection: sa.Connection, to: str = "head") -> None:
    """Run the migrations that the database has not seen, all of them or up to a revision."""
    if connection.dialect.name == "postgresql":  # workers that start together take turns
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_MIGRATION_LOCK)))
    check_known(revision_of(connection))
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, to)


def revision_of(connection: sa.Connection) -> str | None:
    """The migration that a database saw last; None for one that has seen none."""
    return MigrationContext.configure(connection).get_current_revision()


def check_known(revision: str | None) -> None:
    """Refuse a database whose last migration this program does not have."""
    if revision is not None and not is_known(revision):
        raise NewerDatabase(
            "The database is from a newer version ({revision}) than this program: update cantstop.",
            revision=revision,
        )


def is_known(revision: str) -> bool:
    """Whether this program has a migration of that name."""
    steps = ScriptDirectory.from_config(_config()).walk_revisions()
    return revision in {step.revision for step in steps}


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
