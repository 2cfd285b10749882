"""The daily game in the database: its secret, the one try of each device, and the results.

A try is written with the table that it opens, and its result with the event that ends the game: in
the same transaction, so that neither is there without the other.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

import sqlalchemy as sa

from cantstop.server.database import schema
from cantstop.server.tables.changes import Change, NewTable
from cantstop.server.tables.tries import DailyEntry, first_entry, result_of

_TRIES = schema.daily_tries.c
_ONLY = 1
NO_NAME = "–"
"""Instead of a name that was removed."""
_RANKED = sa.select(schema.daily_tries).order_by(
    _TRIES.turns, _TRIES.skill.desc().nulls_last(), _TRIES.finished_at, _TRIES.table_id
)


def write_tries(connection: sa.Connection, changes: Iterable[Change]) -> None:
    """Write the tries that these changes begin, and the results of those that they end."""
    for change in changes:
        if change.table.opened.daily is None:
            continue
        if isinstance(change, NewTable) and (entry := first_entry(change)) is not None:
            connection.execute(schema.daily_tries.insert(), _row(entry))
        if (found := result_of(change)) is not None:
            result, at = found
            connection.execute(
                schema.daily_tries.update()
                .where(_TRIES.table_id == change.table.id)
                .values(finished_at=at, turns=result.turns, signs=result.letters)
            )


def forget_names(connection: sa.Connection, before: date) -> None:
    """Remove the names from the results of days before this one."""
    connection.execute(
        schema.daily_tries.update()
        .where(_TRIES.day < before.isoformat(), _TRIES.name != NO_NAME)
        .values(name=NO_NAME)
    )


def forget_name(connection: sa.Connection, table_id: str) -> None:
    """Remove the name of whoever played at a table."""
    connection.execute(
        schema.daily_tries.update().where(_TRIES.table_id == table_id).values(name=NO_NAME)
    )


def delete_tries(connection: sa.Connection, tables: Sequence[str]) -> None:
    """Delete the tries that came to nothing with their tables: nobody can ask for them any more."""
    over = _TRIES.table_id.in_(tables), _TRIES.finished_at.is_(None)
    connection.execute(schema.daily_tries.delete().where(*over))


def _row(entry: DailyEntry) -> Mapping[str, object]:
    return {
        "day": entry.day.isoformat(),
        "device_hash": entry.device,
        "table_id": entry.table,
        "name": entry.name,
        "opened_at": entry.opened_at,
    }


def secret_of(connection: sa.Connection) -> bytes | None:
    """The secret, if one was ever drawn."""
    secret: bytes | None = connection.scalar(sa.select(schema.daily_secret.c.secret))
    return secret


def write_secret(connection: sa.Connection, secret: bytes) -> None:
    """Write the secret; where another worker was faster, that is an ``IntegrityError``."""
    connection.execute(schema.daily_secret.insert(), {"id": _ONLY, "secret": secret})


def try_of(connection: sa.Connection, day: date, device: str) -> DailyEntry | None:
    """The one try of a device on a day."""
    query = sa.select(schema.daily_tries).where(
        _TRIES.day == day.isoformat(), _TRIES.device_hash == device
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else _entry(row)


def results_of(
    connection: sa.Connection, day: date, limit: int | None
) -> tuple[list[DailyEntry], int]:
    """The results of a day, the best first, up to a limit; and how many there are."""
    over = (_TRIES.day == day.isoformat(), _TRIES.finished_at.is_not(None))
    count = connection.scalar(sa.select(sa.func.count()).where(*over)) or 0
    return list(map(_entry, connection.execute(_RANKED.where(*over).limit(limit)))), count


def counts_of(connection: sa.Connection, since: date) -> dict[date, int]:
    """How many results each day since then has."""
    query = (
        sa.select(_TRIES.day, sa.func.count())
        .where(_TRIES.day >= since.isoformat(), _TRIES.finished_at.is_not(None))
        .group_by(_TRIES.day)
    )
    return {date.fromisoformat(day): count for day, count in connection.execute(query)}


def place_of(connection: sa.Connection, entry: DailyEntry) -> int:
    """The place of a result on its day: one more than how many needed fewer turns."""
    better = sa.select(sa.func.count()).where(
        _TRIES.day == entry.day.isoformat(), _TRIES.turns < entry.turns
    )
    return 1 + (connection.scalar(better) or 0)


def write_grade(connection: sa.Connection, table_id: str, luck: float, skill: float) -> None:
    """Write what luck and skill a game had: the same whoever finds it out."""
    connection.execute(
        schema.daily_tries.update()
        .where(_TRIES.table_id == table_id)
        .values(luck=luck, skill=skill)
    )


def result_at(connection: sa.Connection, table_id: str) -> DailyEntry | None:
    """The result of a table's game, if it is in the ranking."""
    query = sa.select(schema.daily_tries).where(
        _TRIES.table_id == table_id, _TRIES.finished_at.is_not(None)
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else _entry(row)


def clear_result(connection: sa.Connection, table_id: str) -> None:
    """Take a result out of the ranking: its try is then one that was given up."""
    connection.execute(
        schema.daily_tries.update()
        .where(_TRIES.table_id == table_id)
        .values(finished_at=None, turns=None, signs=None, luck=None, skill=None)
    )


def _entry(row: Sequence[Any]) -> DailyEntry:
    day, *rest = row
    return DailyEntry(date.fromisoformat(day), *rest)
