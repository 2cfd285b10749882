"""The lobby in the database: who is here, who looks for others, which tables are for everybody.

Whoever is seated is seated in one transaction, which writes the table, its holders, and where each
of them sits. All who pair take one lock, so no two workers see the same seeks; a worker that is
killed in between has written nothing.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from cantstop.server.database import schema
from cantstop.server.tables.changes import NewTable
from cantstop.server.tables.opening import LobbyPlayer, open_for_players
from cantstop.server.tables.pairing import Block, Seek, bot_for, groups, in_random_order
from cantstop.server.tables.players import Player

ALIVE = timedelta(seconds=10)
"""A seek that was not renewed for so long is over."""
SEATED = timedelta(minutes=2)
"""How long whoever was seated is shown where."""
HERE = timedelta(seconds=45)
"""Whoever was seen so lately is here."""
LISTED = timedelta(hours=2)
"""Tables opened before this are not in the lobby any more."""
MOST_SEEKS = 200
"""Seeks that are looked at together: those that wait longest."""
MOST_TABLES, MOST_OF_ONE = 30, 3

_LOCK = 0x63737070
"""PostgreSQL's advisory lock of whoever pairs."""
_SEEKS, _TABLES, _HERE = schema.seeks.c, schema.lobby_tables.c, schema.lobby_here.c
_PLAYERS, _RATINGS = schema.players.c, schema.ratings.c

Insert = Callable[[sa.Connection, list[NewTable]], None]
"""Writes new tables, in the transaction of the connection."""


def renew_seek(
    connection: sa.Connection, asked: Seek, at: datetime, insert: Insert, *, with_bot: bool = False
) -> tuple[Seek, int]:
    """Go on looking, or begin to; who can be seated, is. Returns the seek, and how many wait too.

    ``with_bot`` has whoever is still alone sit down with a bot of their own level.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
    _delete_dead(connection, at)
    mine = _renewed(connection, asked, at)
    if mine.table is not None:
        return mine, 0
    waiting = _waiting(connection)
    for group in groups(waiting, _blocks(connection, [one.player for one in waiting]), at):
        _seat(connection, group, at, insert)
    found = seek_of(connection, asked.player)
    assert found is not None
    if found.table is None and with_bot:
        _seat(connection, [found], at, insert)
        found = seek_of(connection, asked.player)
        assert found is not None
    others = sum(one.wants == found.wants for one in waiting) - 1
    return found, others if found.table is None else 0


def _delete_dead(connection: sa.Connection, at: datetime) -> None:
    dead = sa.and_(_SEEKS.table_id.is_(None), _SEEKS.seen_at < at - ALIVE)
    seated = _SEEKS.seen_at < at - SEATED
    connection.execute(schema.seeks.delete().where(sa.or_(dead, seated)))


def _renewed(connection: sa.Connection, asked: Seek, at: datetime) -> Seek:
    """The seek of a player as it is now: the one that goes on, or a new one."""
    before = seek_of(connection, asked.player)
    if before is not None and before.secret_hash == asked.secret_hash:
        connection.execute(
            schema.seeks.update().where(_SEEKS.player_id == asked.player).values(seen_at=at)
        )
        return before
    connection.execute(schema.seeks.delete().where(_SEEKS.player_id == asked.player))
    rating = connection.scalar(
        sa.select(_RATINGS.value).where(
            _RATINGS.player_id == asked.player,
            _RATINGS.kind == "play",
            _RATINGS.size == ("two" if asked.players == 2 else "more"),
        )
    )
    connection.execute(
        schema.seeks.insert(),
        {
            "player_id": asked.player,
            "secret_hash": asked.secret_hash,
            "players": asked.players,
            "edition": asked.edition,
            "rated": asked.rated,
            "rating": rating,
            "since": at,
            "seen_at": at,
        },
    )
    return replace(asked, since=at, rating=rating)


_SEEK = sa.select(schema.seeks, _PLAYERS.name).join_from(
    schema.seeks, schema.players, _SEEKS.player_id == _PLAYERS.id
)


def _seek(row: sa.Row[Any]) -> Seek:
    return Seek(
        row.player_id,
        row.name,
        row.secret_hash,
        row.players,
        row.edition,
        row.rated,
        row.since,
        row.rating,
        row.table_id,
        row.seat,
    )


def seek_of(connection: sa.Connection, player_id: str) -> Seek | None:
    """What a player looks for."""
    row = connection.execute(_SEEK.where(_SEEKS.player_id == player_id)).one_or_none()
    return None if row is None else _seek(row)


def _waiting(connection: sa.Connection) -> list[Seek]:
    query = _SEEK.where(_SEEKS.table_id.is_(None)).order_by(_SEEKS.since, _SEEKS.player_id)
    return [_seek(row) for row in connection.execute(query.limit(MOST_SEEKS))]


def _blocks(connection: sa.Connection, ids: Sequence[str]) -> Collection[Block]:
    courtesies = schema.courtesies.c
    query = sa.select(courtesies.player_id, courtesies.other_id).where(
        courtesies.kind == "block",
        courtesies.player_id.in_(ids),
        courtesies.other_id.in_(ids),
    )
    return {frozenset((row.player_id, row.other_id)) for row in connection.execute(query)}


def _seat(connection: sa.Connection, group: Sequence[Seek], at: datetime, insert: Insert) -> None:
    """Seat a group at a new table; whoever is alone gets bots."""
    wanted = group[0]
    seats: list[LobbyPlayer | str] = [
        LobbyPlayer(seek.player, seek.name, seek.secret_hash) for seek in group
    ]
    seats += [bot_for(wanted.rating)[0]] * (wanted.players - len(group))
    opened = open_for_players(in_random_order(seats), wanted.edition, at, rated=wanted.rated)
    insert(connection, [opened])
    list_table(connection, opened.table.id, None, at)
    for seat, player in opened.players.items():
        connection.execute(
            schema.seeks.update()
            .where(_SEEKS.player_id == player)
            .values(table_id=opened.table.id, seat=seat)
        )


def end_seek(connection: sa.Connection, player_id: str) -> None:
    """A player does not look for others any more; who was seated stays so."""
    connection.execute(
        schema.seeks.delete().where(_SEEKS.player_id == player_id, _SEEKS.table_id.is_(None))
    )


# What can be seen


def note_here(connection: sa.Connection, player_id: str, at: datetime) -> None:
    """A player has looked at the lobby."""
    found = connection.execute(
        schema.lobby_here.update().where(_HERE.player_id == player_id).values(seen_at=at)
    )
    if not found.rowcount:
        connection.execute(schema.lobby_here.insert(), {"player_id": player_id, "seen_at": at})
        connection.execute(schema.lobby_here.delete().where(_HERE.seen_at < at - HERE))


def who_is_here(connection: sa.Connection, at: datetime, most: int) -> tuple[list[Player], int]:
    """Those who were seen lately, the last one first, and how many there are."""
    here = _HERE.seen_at >= at - HERE, _PLAYERS.excluded_at.is_(None)
    joined = sa.join(schema.lobby_here, schema.players, _HERE.player_id == _PLAYERS.id)
    count = connection.scalar(sa.select(sa.func.count()).select_from(joined).where(*here)) or 0
    query = (
        sa.select(schema.players)
        .select_from(joined)
        .where(*here)
        .order_by(_HERE.seen_at.desc(), _PLAYERS.id)
        .limit(most)
    )
    rows = connection.execute(query)
    return [Player(row.id, row.name, row.mark, row.public, row.created_at) for row in rows], count


def count_seeking(connection: sa.Connection, at: datetime) -> int:
    """How many look for others."""
    alive = _SEEKS.table_id.is_(None), _SEEKS.seen_at >= at - ALIVE
    return connection.scalar(sa.select(sa.func.count()).where(*alive)) or 0


def list_table(
    connection: sa.Connection, table_id: str, player_id: str | None, at: datetime
) -> None:
    """A table is for everybody: to sit down at, and to watch.

    Of one player there are a few at most: nobody fills the lobby alone.
    """
    row = {"table_id": table_id, "opened_at": at, "player_id": player_id}
    connection.execute(schema.lobby_tables.insert(), row)
    if player_id is not None:
        older = (
            sa.select(_TABLES.table_id)
            .where(_TABLES.player_id == player_id, _TABLES.table_id != table_id)
            .order_by(_TABLES.opened_at.desc(), _TABLES.table_id)
        )
        ids = connection.scalars(older).all()[MOST_OF_ONE - 1 :]
        connection.execute(schema.lobby_tables.delete().where(_TABLES.table_id.in_(ids)))


def listed_tables(connection: sa.Connection, at: datetime) -> list[tuple[str, datetime]]:
    """The tables for everybody, the newest first."""
    query = (
        sa.select(_TABLES.table_id, _TABLES.opened_at)
        .where(_TABLES.opened_at >= at - LISTED)
        .order_by(_TABLES.opened_at.desc(), _TABLES.table_id)
        .limit(MOST_TABLES)
    )
    return [(row.table_id, row.opened_at) for row in connection.execute(query)]


def unlist_tables(connection: sa.Connection, ids: Sequence[str], at: datetime) -> None:
    """These are over, or gone; and those that are too old to be shown."""
    old = _TABLES.opened_at < at - LISTED
    connection.execute(schema.lobby_tables.delete().where(sa.or_(_TABLES.table_id.in_(ids), old)))


def blocked_at(connection: sa.Connection, table_id: str, player_id: str) -> bool:
    """Whether a player would sit at a table of the lobby with whom they block, or who blocks them.

    A table that is opened by link only is between those who know each other.
    """
    is_listed = sa.select(_TABLES.table_id).where(_TABLES.table_id == table_id)
    if connection.scalar(is_listed) is None:
        return False
    holders, courtesies = schema.holders.c, schema.courtesies.c
    query = (
        sa.select(holders.seat)
        .join_from(
            schema.holders,
            schema.courtesies,
            sa.or_(
                sa.and_(
                    courtesies.player_id == holders.player_id, courtesies.other_id == player_id
                ),
                sa.and_(
                    courtesies.other_id == holders.player_id, courtesies.player_id == player_id
                ),
            ),
        )
        .where(holders.table_id == table_id, courtesies.kind == "block")
        .limit(1)
    )
    return connection.scalar(query) is not None
