"""Brings a database up to date; one that is newer than the program is refused."""

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from cantstop.rules import CantStopError

_UPGRADING = 0xCA57
"""Our own number among PostgreSQL's advisory locks."""


class NewerDatabase(CantStopError):
    """A database of a later version."""


def upgrade(connection: sa.Connection) -> None:
    """Run the migrations that the database has not seen."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    if connection.dialect.name == "postgresql":  # programs that start at once do it one by one
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_UPGRADING)))
    known = {step.revision for step in ScriptDirectory.from_config(config).walk_revisions()}
    revision = MigrationContext.configure(connection).get_current_revision()
    if revision is not None and revision not in known:
        raise NewerDatabase(
            "The database is of a newer version ({revision}) than this program: update cantstop.",
            revision=revision,
        )
    command.upgrade(config, "head")
