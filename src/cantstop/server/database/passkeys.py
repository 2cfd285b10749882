"""Passkeys in the database, and the challenges that they are to sign."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from cantstop.server.database import schema
from cantstop.server.database.players import add_device, to_the_day
from cantstop.server.errors import NotFound, Refused
from cantstop.server.tables.passkeys import (
    CHALLENGE_SECONDS,
    MOST_PASSKEYS,
    Passkey,
    Site,
    counted,
    unknown_passkey,
)
from cantstop.server.tables.players import Device
from cantstop.wire.club import UsePasskey

_KEYS, _CHALLENGES = schema.passkeys.c, schema.passkey_challenges.c


def _passkey(row: sa.Row[Any]) -> Passkey:
    return Passkey(
        row.id, row.credential, row.public_key, row.signatures, row.name, row.added_at, row.used_at
    )


def passkeys_of(connection: sa.Connection, player_id: str) -> list[Passkey]:
    """The passkeys of a player, the oldest first."""
    query = (
        sa.select(schema.passkeys)
        .where(_KEYS.player_id == player_id)
        .order_by(_KEYS.added_at, _KEYS.id)
    )
    return [_passkey(row) for row in connection.execute(query)]


def known_credentials(connection: sa.Connection, key_hash: str) -> tuple[str, ...]:
    """The passkeys of the player whose device has a key; none where it is nobody's."""
    keys = schema.player_keys.c
    query = (
        sa.select(_KEYS.credential)
        .join_from(schema.passkeys, schema.player_keys, keys.player_id == _KEYS.player_id)
        .where(keys.key_hash == key_hash)
        .order_by(_KEYS.added_at, _KEYS.id)
    )
    return tuple(connection.scalars(query))


def write_challenge(
    connection: sa.Connection, key_hash: str, challenge_hash: str, at: datetime
) -> None:
    """A challenge for the device that asks; the one before it is not valid any more."""
    challenges = schema.passkey_challenges
    old = sa.or_(_CHALLENGES.key_hash == key_hash, _CHALLENGES.expires_at <= at)
    connection.execute(challenges.delete().where(old))
    connection.execute(
        challenges.insert(),
        {
            "key_hash": key_hash,
            "challenge_hash": challenge_hash,
            "expires_at": at + CHALLENGE_SECONDS,
        },
    )


def _use_challenge(
    connection: sa.Connection, key_hash: str, challenge_hash: str, at: datetime
) -> None:
    """A challenge is good for one answer, of the device that has asked for it."""
    found = connection.execute(
        schema.passkey_challenges.delete()
        .where(
            _CHALLENGES.key_hash == key_hash,
            _CHALLENGES.challenge_hash == challenge_hash,
            _CHALLENGES.expires_at > at,
        )
        .returning(_CHALLENGES.key_hash)
    ).one_or_none()
    if found is None:
        raise unknown_passkey()


def add_passkey(
    connection: sa.Connection,
    player_id: str,
    passkey: Passkey,
    key_hash: str,
    challenge_hash: str,
) -> None:
    """Add a passkey to a player, made by a device of theirs."""
    _use_challenge(connection, key_hash, challenge_hash, passkey.added_at)
    if _found(connection, passkey.credential) is not None:
        raise Refused("This passkey belongs to a profile already.")
    count = connection.scalar(sa.select(sa.func.count()).where(_KEYS.player_id == player_id)) or 0
    if count >= MOST_PASSKEYS:
        raise Refused("A player has {most} passkeys at most: remove one first.", most=MOST_PASSKEYS)
    connection.execute(
        schema.passkeys.insert(),
        {
            "credential": passkey.credential,
            "id": passkey.id,
            "player_id": player_id,
            "public_key": passkey.public_key,
            "signatures": passkey.signatures,
            "name": passkey.name,
            "added_at": passkey.added_at,
            "used_at": to_the_day(passkey.used_at),
        },
    )


def _found(connection: sa.Connection, credential: str) -> sa.Row[Any] | None:
    query = sa.select(schema.passkeys).where(_KEYS.credential == credential)
    return connection.execute(query).one_or_none()


def remove_passkey(connection: sa.Connection, player_id: str, passkey_id: str) -> None:
    """Remove a passkey: nobody is let in by it any more."""
    mine = _KEYS.player_id == player_id, _KEYS.id == passkey_id
    if not connection.execute(schema.passkeys.delete().where(*mine)).rowcount:
        raise NotFound("You have no such passkey.")


def use_passkey(
    connection: sa.Connection,
    asked: UsePasskey,
    site: Site,
    challenge_hash: str,
    device: Device,
    at: datetime,
) -> str:
    """Add a device by what a passkey has signed; returns whose it is."""
    _use_challenge(connection, device.key_hash, challenge_hash, at)
    row = _found(connection, asked.credential)
    if row is None:
        raise unknown_passkey()
    passkey = replace(_passkey(row), signatures=counted(_passkey(row), asked, site))
    connection.execute(
        schema.passkeys.update()
        .where(_KEYS.credential == passkey.credential)
        .values(signatures=passkey.signatures, used_at=to_the_day(at))
    )
    player_id: str = row.player_id
    add_device(connection, player_id, device)
    return player_id
