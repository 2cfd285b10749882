"""What an operator does about players while servers run; all of it is written down."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TypeVar

import msgspec
import sqlalchemy as sa

from cantstop.server.database import players, profiles, schema
from cantstop.server.database.sql import open_database
from cantstop.server.tables.players import player_name
from cantstop.wire.club import DeviceView, Me, PlayerExport
from cantstop.wire.codec import encode
from cantstop.wire.events import time_text
from cantstop.wire.reports import OperatorAct, PlayerReport, ReportedPlayer

TABLES_AT_ONCE = 50
"""From how many tables a player is erased in one transaction."""

Found = TypeVar("Found")


def _read(url: str, read: Callable[[sa.Connection], Found]) -> Found:
    async def reading() -> Found:
        async with open_database(url, must_exist=True) as database:
            return await database.read(read)

    return asyncio.run(reading())


def _write(url: str, write: Callable[[sa.Connection], Found]) -> Found:
    async def writing() -> Found:
        async with open_database(url, must_exist=True) as database:
            return await database.write(write)

    return asyncio.run(writing())


def list_players(url: str, most: int | None) -> list[PlayerReport]:
    """Players with the number of their games, the newest first."""
    found = _read(url, partial(players.list_players, most=most))
    return [
        PlayerReport(
            player.id,
            player.name,
            player.created_at.isoformat(timespec="seconds"),
            games,
            player.public,
            player.excluded,
        )
        for player, games in found
    ]


def rename_player(url: str, name: str, new: str) -> None:
    """Give a player another name; the tables where they sit keep the old one."""

    def rename(connection: sa.Connection) -> None:
        player = players.known_player(connection, name)
        players.change_player(connection, replace(player, name=player_name(new)))
        players.log_act(connection, "rename", player.id, datetime.now(UTC))

    _write(url, rename)


def exclude(url: str, name: str, *, excluded: bool) -> None:
    """Keep a player out of lobby and ratings, or let them in again."""

    def change(connection: sa.Connection) -> None:
        player, now = players.known_player(connection, name), datetime.now(UTC)
        players.exclude_player(connection, player.id, now if excluded else None)
        players.log_act(connection, "exclude" if excluded else "include", player.id, now)

    _write(url, change)


def erase(url: str, name: str) -> None:
    """Erase a player: first out of their tables, some at a time, since others want to write too."""
    player = _read(url, partial(players.known_player, name=name))
    now = datetime.now(UTC)
    forget = partial(players.forget_seats, player_id=player.id, most=TABLES_AT_ONCE, at=now)
    while _write(url, forget):
        pass

    def change(connection: sa.Connection) -> None:
        players.erase_player(connection, player.id, now)
        players.log_act(connection, "erase", player.id, now)

    _write(url, change)


def export_player(url: str, name: str) -> str:
    """Everything that is known of a player, as JSON; that it was asked for is written down, too."""

    def export(connection: sa.Connection) -> PlayerExport:
        player = players.known_player(connection, name)
        ratings = players.ratings_of(connection, [player.id])
        me = Me(
            id=player.id,
            name=player.name,
            mark=player.mark,
            public=player.public,
            since=time_text(player.created_at),
            devices=tuple(
                DeviceView(
                    device.id,
                    device.name,
                    time_text(device.added_at),
                    time_text(device.seen_at),
                    this=False,
                )
                for device in players.devices_of(connection, player.id)
            ),
            words=player.has_words,
            excluded=player.excluded,
            ratings=ratings.get(player.id, ()),
        )
        players.log_act(connection, "export", player.id, datetime.now(UTC))
        return profiles.export_of(connection, player, me)

    return msgspec.json.format(encode(_write(url, export)), indent=2).decode()


def list_reports(url: str, most: int | None) -> list[ReportedPlayer]:
    """What players have reported, the last one first."""
    reports, known = schema.reports.c, schema.players.c
    query = (
        sa.select(schema.reports, known.name)
        .join_from(schema.reports, schema.players, known.id == reports.player_id)
        .order_by(reports.at.desc(), reports.id.desc())
        .limit(most)
    )

    def read(connection: sa.Connection) -> list[ReportedPlayer]:
        return [
            ReportedPlayer(
                row.at.isoformat(timespec="seconds"),
                row.player_id,
                row.name,
                row.reason,
                row.table_id,
                row.seat,
                row.n,
            )
            for row in connection.execute(query)
        ]

    return _read(url, read)


def list_log(url: str, most: int | None) -> list[OperatorAct]:
    """What operators have done, the last one first."""
    log = schema.operator_log
    query = sa.select(log).order_by(log.c.id.desc()).limit(most)

    def read(connection: sa.Connection) -> list[OperatorAct]:
        return [
            OperatorAct(row.at.isoformat(timespec="seconds"), row.what, row.player_id)
            for row in connection.execute(query)
        ]

    return _read(url, read)
