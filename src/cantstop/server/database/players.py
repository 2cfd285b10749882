"""Players in the database: their keys, codes and words, and what goes when one is erased."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from cantstop.server.database import schema
from cantstop.server.database.contacts import delete_calls_of, delete_contacts_of_device
from cantstop.server.database.hours import lock_players
from cantstop.server.database.results import NO_NAME
from cantstop.server.errors import NameTaken, NotFound, Refused, UnknownPlayer, WrongCode, WrongKey
from cantstop.server.tables.changes import NewTable
from cantstop.server.tables.names import name_shape
from cantstop.server.tables.players import MOST_DEVICES, Device, Player
from cantstop.wire.club import Courtesy, CourtesyView, PlayerView, RatingKind, RatingView, TableSize
from cantstop.wire.events import time_text

_PLAYERS, _KEYS = schema.players.c, schema.player_keys.c
REWRITTEN = timedelta(minutes=10)
"""How long servers are given to read a table again whose events a name was taken out of."""


@dataclass(frozen=True)
class Known:
    """The player that a key belongs to, and the device that has it."""

    player: Player
    device: Device


def _player(row: sa.Row[Any]) -> Player:
    return Player(
        row.id,
        row.name,
        row.mark,
        row.public,
        row.created_at,
        row.words_hash is not None,
        row.excluded_at is not None,
        row.household,
    )


# Who is it?


def player_of_key(connection: sa.Connection, key_hash: str) -> Known | None:
    """The player who has a key."""
    query = (
        sa.select(
            schema.players,
            _KEYS.id.label("device"),
            _KEYS.name.label("device_name"),
            _KEYS.added_at,
            _KEYS.seen_at,
        )
        .join_from(schema.player_keys, schema.players)
        .where(_KEYS.key_hash == key_hash)
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    device = Device(row.device, row.device_name, row.added_at, row.seen_at, key_hash)
    return Known(_player(row), device)


def note_seen(connection: sa.Connection, key_hash: str, at: datetime) -> None:
    """A key was used: that is kept to the day."""
    connection.execute(
        schema.player_keys.update().where(_KEYS.key_hash == key_hash).values(seen_at=to_the_day(at))
    )


def note_household(connection: sa.Connection, player_id: str, household: int) -> None:
    """A player has sat down at a rated table somewhere else than before."""
    connection.execute(
        schema.players.update().where(_PLAYERS.id == player_id).values(household=household)
    )


def to_the_day(at: datetime) -> datetime:
    """When a day began: the hour is nobody's business."""
    return at.replace(hour=0, minute=0, second=0, microsecond=0)


def player_by_id(connection: sa.Connection, player_id: str) -> Player | None:
    """The player with an id."""
    row = connection.execute(
        sa.select(schema.players).where(_PLAYERS.id == player_id)
    ).one_or_none()
    return None if row is None else _player(row)


def player_named(connection: sa.Connection, name: str) -> Player | None:
    """The player with exactly this name, or with this id."""
    query = sa.select(schema.players).where(_PLAYERS.shape == name_shape(name))
    row = connection.execute(query).one_or_none()
    if row is None or row.name != name:
        return player_by_id(connection, name)
    return _player(row)


def devices_of(connection: sa.Connection, player_id: str) -> list[Device]:
    """The devices of a player, the oldest first."""
    query = (
        sa.select(schema.player_keys)
        .where(_KEYS.player_id == player_id)
        .order_by(_KEYS.added_at, _KEYS.id)
    )
    return [
        Device(row.id, row.name, row.added_at, row.seen_at, row.key_hash)
        for row in connection.execute(query)
    ]


def ratings_of(
    connection: sa.Connection, ids: Sequence[str]
) -> Mapping[str, tuple[RatingView, ...]]:
    """The ratings of players, by their ids."""
    table = schema.ratings
    found: dict[str, list[RatingView]] = {}
    if ids:
        query = sa.select(table).where(table.c.player_id.in_(ids)).order_by(*table.primary_key)
        for row in connection.execute(query):
            found.setdefault(row.player_id, []).append(rating_view(row))
    return {player: tuple(ratings) for player, ratings in found.items()}


def player_view(player: Player, ratings: tuple[RatingView, ...]) -> PlayerView:
    """A player as everybody sees them."""
    return PlayerView(player.id, player.name, player.mark, ratings)


def rating_view(row: sa.Row[Any]) -> RatingView:
    """A row of the ratings, as it is shown."""
    return RatingView(
        RatingKind(row.kind),
        TableSize(row.size),
        row.value,
        row.low,
        row.high,
        row.games,
        row.replaces,
        row.opponents,
    )


# Beginning and changing


def add_player(connection: sa.Connection, player: Player, device: Device) -> None:
    """A player with a first device."""
    _check_name(connection, player.name, None)
    _check_new(connection, device.key_hash)
    connection.execute(
        schema.players.insert(),
        {
            "id": player.id,
            "name": player.name,
            "shape": name_shape(player.name),
            "mark": player.mark,
            "public": player.public,
            "created_at": player.created_at,
        },
    )
    _insert_device(connection, player.id, device)


def change_player(connection: sa.Connection, player: Player) -> None:
    """Write a player's name, mark, and who may see their games."""
    _check_name(connection, player.name, player.id)
    connection.execute(
        schema.players.update()
        .where(_PLAYERS.id == player.id)
        .values(
            name=player.name,
            shape=name_shape(player.name),
            mark=player.mark,
            public=player.public,
        )
    )


def _check_name(connection: sa.Connection, name: str, mine: str | None) -> None:
    found = connection.scalar(sa.select(_PLAYERS.id).where(_PLAYERS.shape == name_shape(name)))
    if found not in (None, mine):
        raise NameTaken("Another player has the name “{name}”, or one like it.", name=name)


def _check_new(connection: sa.Connection, key_hash: str) -> None:
    if connection.scalar(sa.select(_KEYS.id).where(_KEYS.key_hash == key_hash)) is not None:
        raise Refused("This device has a profile already.")


def _insert_device(connection: sa.Connection, player_id: str, device: Device) -> None:
    connection.execute(
        schema.player_keys.insert(),
        {
            "key_hash": device.key_hash,
            "id": device.id,
            "player_id": player_id,
            "name": device.name,
            "added_at": device.added_at,
            "seen_at": device.seen_at,
        },
    )


def add_device(connection: sa.Connection, player_id: str, device: Device) -> None:
    """Add a device to a player; refused where it has a player already, or is one too many."""
    _check_new(connection, device.key_hash)
    count = connection.scalar(sa.select(sa.func.count()).where(_KEYS.player_id == player_id))
    if (count or 0) >= MOST_DEVICES:
        raise Refused("A player has {most} devices at most: remove one first.", most=MOST_DEVICES)
    _insert_device(connection, player_id, device)


def remove_device(connection: sa.Connection, player_id: str, device_id: str) -> None:
    """Lock a device out; the last one only where words bring the player back."""
    keys = {device.id for device in devices_of(connection, player_id)}
    if device_id not in keys:
        raise NotFound("You have no such device.")
    words = connection.scalar(sa.select(_PLAYERS.words_hash).where(_PLAYERS.id == player_id))
    if len(keys) == 1 and words is None:
        raise Refused("This is your only device: without recovery words you could not come back.")
    connection.execute(schema.player_keys.delete().where(_KEYS.id == device_id))
    delete_contacts_of_device(connection, device_id)


# A second device


def write_code(
    connection: sa.Connection, player_id: str, code_hash: str, expires_at: datetime
) -> None:
    """A code for a second device; the one before it is not valid any more."""
    codes = schema.link_codes
    connection.execute(codes.delete().where(codes.c.player_id == player_id))
    connection.execute(
        codes.insert(),
        {"code_hash": code_hash, "player_id": player_id, "expires_at": expires_at},
    )


def use_code(connection: sa.Connection, code_hash: str, device: Device, at: datetime) -> str:
    """Add a device by a code, which is good for one; returns whose it is."""
    codes = schema.link_codes
    row = connection.execute(
        codes.delete()
        .where(codes.c.code_hash == code_hash)
        .returning(codes.c.player_id, codes.c.expires_at)
    ).one_or_none()
    if row is None or row.expires_at <= at:
        raise WrongCode("This code is not valid, or not any more: a code is good for a minute.")
    player_id: str = row.player_id
    add_device(connection, player_id, device)
    return player_id


def write_words(connection: sa.Connection, player_id: str, words_hash: str) -> None:
    """Recovery words; those before them are not valid any more."""
    connection.execute(
        schema.players.update().where(_PLAYERS.id == player_id).values(words_hash=words_hash)
    )


def use_words(connection: sa.Connection, words_hash: str, device: Device) -> str:
    """Add a device by recovery words, which stay valid; returns whose it is."""
    player_id: str | None = connection.scalar(
        sa.select(_PLAYERS.id).where(_PLAYERS.words_hash == words_hash)
    )
    if player_id is None:
        raise WrongCode("These are not the recovery words of any player here.")
    add_device(connection, player_id, device)
    return player_id


# Daily games


def claim_days(connection: sa.Connection, player_id: str, device_hash: str) -> int:
    """The daily games of a device are this player's; returns how many there are."""
    devices, tries = schema.daily_devices, schema.daily_tries.c
    owner = connection.scalar(
        sa.select(devices.c.player_id).where(devices.c.device_hash == device_hash)
    )
    if owner not in (None, player_id):
        raise Refused("The daily games of this device are another player's.")
    if owner is None:
        count = connection.scalar(
            sa.select(sa.func.count()).where(devices.c.player_id == player_id)
        )
        if (count or 0) >= MOST_DEVICES:
            raise Refused(
                "A player has {most} devices at most: remove one first.", most=MOST_DEVICES
            )
        row = {"device_hash": device_hash, "player_id": player_id}
        connection.execute(devices.insert(), row)
    over = tries.device_hash == device_hash, tries.finished_at.is_not(None)
    return connection.scalar(sa.select(sa.func.count()).where(*over)) or 0


def days_of(connection: sa.Connection, player_id: str) -> int:
    """How many daily games a player has finished."""
    devices, tries = schema.daily_devices.c, schema.daily_tries.c
    query = (
        sa.select(sa.func.count())
        .select_from(schema.daily_devices)
        .join(schema.daily_tries, tries.device_hash == devices.device_hash)
        .where(devices.player_id == player_id, tries.finished_at.is_not(None))
    )
    return connection.scalar(query) or 0


# Seats


def seat_of(connection: sa.Connection, table_id: str, player_id: str) -> tuple[int, str] | None:
    """The seat that a player has at a table, with the hash of the secret that holds it."""
    holders = schema.holders.c
    row = connection.execute(
        sa.select(holders.seat, holders.secret_hash).where(
            holders.table_id == table_id, holders.player_id == player_id
        )
    ).one_or_none()
    return None if row is None else (row.seat, row.secret_hash)


def seat_of_key(connection: sa.Connection, table_id: str, key_hash: str) -> int | None:
    """The seat at a table of the player whose device has a key."""
    holders, keys = schema.holders.c, schema.player_keys.c
    return connection.scalar(
        sa.select(holders.seat)
        .join_from(schema.holders, schema.player_keys, keys.player_id == holders.player_id)
        .where(holders.table_id == table_id, keys.key_hash == key_hash)
    )


def players_at(
    connection: sa.Connection, tables: Sequence[str]
) -> Mapping[str, list[tuple[int, Player]]]:
    """The players at tables, by their seats."""
    holders = schema.holders.c
    query = (
        sa.select(schema.players, holders.table_id, holders.seat)
        .join_from(schema.holders, schema.players, holders.player_id == _PLAYERS.id)
        .where(holders.table_id.in_(tables))
        .order_by(holders.table_id, holders.seat)
    )
    found: dict[str, list[tuple[int, Player]]] = {table: [] for table in tables}
    for row in connection.execute(query) if tables else ():
        found[row.table_id].append((row.seat, _player(row)))
    return found


def keep_players(connection: sa.Connection, opened: Iterable[NewTable]) -> None:
    """Whoever was a player at a table is the same one at the table of its rematch."""
    for change in opened:
        series = change.table.opened.series
        if series is None:
            continue
        holders, before = schema.holders, schema.holders.alias()
        count = len(change.table.seats)
        seats = sa.select(before.c.seat, before.c.player_id).where(
            before.c.table_id == series.previous, before.c.player_id.is_not(None)
        )
        for seat, player_id in connection.execute(seats).all():
            connection.execute(
                holders.update()
                .where(
                    holders.c.table_id == change.table.id,
                    holders.c.seat == (seat - 1) % count,
                )
                .values(player_id=player_id)
            )


# Erasing


def tables_of(
    connection: sa.Connection, player_id: str, most: int | None = None
) -> list[tuple[str, int]]:
    """The tables that there still are where a player has a seat."""
    holders = schema.holders.c
    query = sa.select(holders.table_id, holders.seat).where(holders.player_id == player_id)
    query = query.limit(most)
    return [(row.table_id, row.seat) for row in connection.execute(query)]


def forget_seats(connection: sa.Connection, player_id: str, most: int, at: datetime) -> list[str]:
    """Take a player's name out of some tables, and the link to them; returns which.

    A few at a time: others want to write too.
    """
    seats = tables_of(connection, player_id, most)
    holders = schema.holders.c
    for table_id, seat in seats:
        _forget_seat(connection, table_id, seat)
        connection.execute(
            schema.holders.update()
            .where(holders.table_id == table_id, holders.seat == seat)
            .values(player_id=None)
        )
    ids = [table_id for table_id, _ in seats]
    _note_rewritten(connection, ids, at)
    return ids


def _note_rewritten(connection: sa.Connection, ids: Sequence[str], at: datetime) -> None:
    """Have servers read these tables again."""
    rewritten = schema.rewritten_tables
    old = sa.or_(rewritten.c.table_id.in_(ids), rewritten.c.at < at - REWRITTEN)
    connection.execute(rewritten.delete().where(old))
    if ids:
        connection.execute(rewritten.insert(), [{"table_id": one, "at": at} for one in ids])


def erase_player(connection: sa.Connection, player_id: str, at: datetime) -> list[str]:
    """Erase all that is known of a player; returns the tables whose events were changed.

    Games stay, of “a player”: their seats lose the name, which was in two events, and the link.
    """
    if player_by_id(connection, player_id) is None:
        raise UnknownPlayer
    lock_players(connection, {player_id}, to_change=True)
    seats = tables_of(connection, player_id)
    for table_id, seat in seats:
        _forget_seat(connection, table_id, seat)
    ids = [table_id for table_id, _ in seats]
    _note_rewritten(connection, ids, at)
    devices, tries = schema.daily_devices, schema.daily_tries
    mine = sa.select(devices.c.device_hash).where(devices.c.player_id == player_id)
    connection.execute(tries.update().where(tries.c.device_hash.in_(mine)).values(name=NO_NAME))
    played = schema.game_seats
    connection.execute(
        played.update().where(played.c.player_id == player_id).values(household=None)
    )
    for table in (schema.holders, schema.turns, schema.game_seats, schema.reports):
        connection.execute(
            table.update().where(table.c.player_id == player_id).values(player_id=None)
        )
    reports = schema.reports
    connection.execute(
        reports.update().where(reports.c.reporter_id == player_id).values(reporter_id=None)
    )
    courtesies = schema.courtesies
    connection.execute(courtesies.delete().where(courtesies.c.other_id == player_id))
    delete_calls_of(connection, player_id)
    for table in (
        schema.courtesies,
        schema.costly_decisions,
        schema.ratings,
        schema.leaders,
        schema.daily_devices,
        schema.link_codes,
        schema.seeks,
        schema.lobby_tables,
        schema.lobby_here,
        schema.player_hours,
        schema.player_away,
        schema.passkeys,
        schema.player_keys,
    ):
        connection.execute(table.delete().where(table.c.player_id == player_id))
    connection.execute(schema.players.delete().where(_PLAYERS.id == player_id))
    return ids


def rewritten_since(connection: sa.Connection, at: datetime) -> list[str]:
    """Tables whose events a name was taken out of since then."""
    rewritten = schema.rewritten_tables.c
    return list(connection.scalars(sa.select(rewritten.table_id).where(rewritten.at >= at)))


def _forget_seat(connection: sa.Connection, table_id: str, seat: int) -> None:
    """Take a name out of a table's events: those of its opening and of its seat."""
    events = schema.events.c
    rows = connection.execute(
        sa.select(events.n, events.kind, events.seat, events.data).where(
            events.table_id == table_id, events.kind.in_(("opened", "seated"))
        )
    ).all()
    for row in rows:
        data = dict(row.data)
        if row.kind == "seated" and row.seat == seat:
            data["name"] = NO_NAME
        elif row.kind == "opened" and data["reserved"][seat] is not None:
            data["reserved"] = [
                who if at != seat else {**who, "name": NO_NAME}
                for at, who in enumerate(data["reserved"])
            ]
        else:
            continue
        connection.execute(
            schema.events.update()
            .where(events.table_id == table_id, events.n == row.n)
            .values(data=data)
        )


# What an operator does


def list_players(connection: sa.Connection, most: int | None) -> list[tuple[Player, int]]:
    """Players with the number of their games, the newest first."""
    seats = schema.game_seats.c
    count = (
        sa.select(sa.func.count()).where(seats.player_id == _PLAYERS.id).scalar_subquery()
    ).label("games")
    query = (
        sa.select(schema.players, count)
        .order_by(_PLAYERS.created_at.desc(), _PLAYERS.id)
        .limit(most)
    )
    return [(_player(row), row.games) for row in connection.execute(query)]


def exclude_player(connection: sa.Connection, player_id: str, at: datetime | None) -> None:
    """Keep a player out of lobby and ratings, or let them in again."""
    connection.execute(
        schema.players.update().where(_PLAYERS.id == player_id).values(excluded_at=at)
    )


def log_act(connection: sa.Connection, what: str, player_id: str, at: datetime) -> None:
    """Note what an operator has done."""
    row = {"at": at, "what": what, "player_id": player_id}
    connection.execute(schema.operator_log.insert(), row)


def known_player(connection: sa.Connection, name: str) -> Player:
    """The player with a name or an id; refused where there is none."""
    found = player_named(connection, name)
    if found is None:
        raise UnknownPlayer
    return found


def known_key(connection: sa.Connection, key_hash: str) -> Known:
    """The player who has a key; refused where nobody has it."""
    found = player_of_key(connection, key_hash)
    if found is None:
        raise WrongKey
    return found


# Courtesy


def set_courtesy(
    connection: sa.Connection, player_id: str, other_id: str, kind: str, at: datetime
) -> None:
    """Mute or block a player."""
    if player_by_id(connection, other_id) is None:
        raise UnknownPlayer
    if other_id == player_id:
        raise Refused("You cannot mute or block yourself.")
    lift_courtesy(connection, player_id, other_id)
    row = {"player_id": player_id, "other_id": other_id, "kind": kind, "since": at}
    connection.execute(schema.courtesies.insert(), row)


def lift_courtesy(connection: sa.Connection, player_id: str, other_id: str) -> None:
    """Neither mute nor block a player any more."""
    courtesies = schema.courtesies
    connection.execute(
        courtesies.delete().where(
            courtesies.c.player_id == player_id, courtesies.c.other_id == other_id
        )
    )


def courtesies_of(connection: sa.Connection, player_id: str) -> tuple[CourtesyView, ...]:
    """Everybody whom a player has muted or blocked, the last one first."""
    courtesies = schema.courtesies
    query = (
        sa.select(schema.players, courtesies.c.kind, courtesies.c.since)
        .join_from(courtesies, schema.players, courtesies.c.other_id == _PLAYERS.id)
        .where(courtesies.c.player_id == player_id)
        .order_by(courtesies.c.since.desc(), _PLAYERS.id)
    )
    return tuple(
        CourtesyView(player_view(_player(row), ()), Courtesy(row.kind), time_text(row.since))
        for row in connection.execute(query)
    )


def muted_by(connection: sa.Connection, player_id: str) -> set[str]:
    """Those whom a player has muted, or blocked."""
    courtesies = schema.courtesies.c
    return set(
        connection.scalars(sa.select(courtesies.other_id).where(courtesies.player_id == player_id))
    )


def add_report(
    connection: sa.Connection,
    reporter: str,
    table_id: str,
    seat: int,
    n: int,
    reason: str,
    at: datetime,
) -> None:
    """Note what a player reports, with the moment; once for each seat of a table."""
    reports = schema.reports
    holders = schema.holders.c
    player = connection.scalar(
        sa.select(holders.player_id).where(holders.table_id == table_id, holders.seat == seat)
    )
    if player is None or player == reporter:
        raise UnknownPlayer
    mine = reports.c.reporter_id == reporter, reports.c.table_id == table_id, reports.c.seat == seat
    connection.execute(reports.delete().where(*mine))
    connection.execute(
        reports.insert(),
        {
            "at": at,
            "reporter_id": reporter,
            "player_id": player,
            "table_id": table_id,
            "seat": seat,
            "n": n,
            "reason": reason,
        },
    )
