"""Seats: who may sit where, under which name and colour, and the secret that holds a seat.

Secrets are never stored, only their hashes.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from cantstop.bots import bot_named
from cantstop.dice import new_salt
from cantstop.server.errors import Malformed, ProfileNeeded, TableFull
from cantstop.server.tables.changes import Change
from cantstop.server.tables.names import distinct_name
from cantstop.table.events import Seated, Started
from cantstop.table.table import SeatKind, Table
from cantstop.wire.offers import COLOURS
from cantstop.wire.requests import TakeSeat

_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
"""Without those that look alike: a table's id may be read out."""

_ID_LENGTH = 12  # 70 bits
_TABLE_ID = re.compile(r"[0-9A-Za-z]{1,32}")


@dataclass(frozen=True)
class Absence:
    """A player's absence: since when, and whether its timeout has ended."""

    left_at: datetime
    is_over: bool = False


# Ids and secrets


def new_table_id() -> str:
    """An id for a table. Who knows it may watch, so it cannot be guessed."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_ID_LENGTH))


def is_table_id(text: str) -> bool:
    """Whether a text can be the id of a table at all."""
    return _TABLE_ID.fullmatch(text) is not None


def new_seat_secret() -> str:
    """A secret for a seat: 192 bits."""
    return secrets.token_urlsafe(24)


def hashed(secret: str) -> str:
    """What is stored of a secret: it has too many bits to be guessed, so no salt is needed."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def seats_held(secret: str | None, holders: Mapping[int, str]) -> frozenset[int]:
    """The seats that a secret holds, by the stored hashes."""
    if secret is None:
        return frozenset()
    mine = hashed(secret)
    return frozenset(seat for seat, kept in holders.items() if hmac.compare_digest(kept, mine))


# Colours


def free_colours(wanted: Iterable[int | None]) -> list[int]:
    """A colour for every seat: the wanted one if nobody before has it, else a free one.

    >>> free_colours([2, None, 2])
    [2, 0, 1]
    """
    asked = list(wanted)
    firsts = {colour: seat for seat, colour in reversed(list(enumerate(asked)))}
    others = (colour for colour in range(COLOURS) if colour not in firsts)
    return [
        colour if colour is not None and firsts[colour] == seat else next(others)
        for seat, colour in enumerate(asked)
    ]


# Sitting down


def bot_seated(bot: str, colour: int) -> Seated:
    """A bot sits down; an unknown one is refused."""
    name = bot_named(bot).name
    return Seated(name, colour, name, new_salt())


def person_seated(name: str, colour: int, salt: str | None, promised: str | None) -> Seated:
    """A person sits down, with a commitment to a salt, or with a salt in the open.

    Programs that know of neither leave their salt to the server.
    """
    if promised is None:
        return Seated(name, colour, None, salt or new_salt())
    if salt is not None:
        raise Malformed("A seat gives a salt or a commitment to one, not both.")
    return Seated(name, colour, None, None, promised)


def start_if_full(versions: Iterable[Table], at: datetime) -> tuple[Table, ...]:
    """The same versions of a table; if nothing is missing any more, the game starts."""
    seated = tuple(versions)
    table = seated[-1]
    if not table.has_started:
        return seated
    gradual = table.opened.gradual
    salts = tuple(seat.salt for seat in table.seats) if gradual else table.salts
    return (*seated, table.append(Started(salts), None, at))


def take_free_seat(
    table: Table, request: TakeSeat, secret: str, at: datetime, player: str | None = None
) -> Change:
    """A player sits down at the first open seat and holds it with a secret.

    ``player`` is the id of a player of the club: a rated game is for those only.
    """
    number = _first_open_seat(table)
    if table.opened.rated and player is None:
        raise ProfileNeeded("This game is rated: to sit down, begin a profile with your name.")
    others = [seat.colour for seat in table.seats if seat.colour is not None]
    colour = free_colours([*others, request.colour])[-1]
    people = [seat.name for seat in table.seats if seat.name is not None and seat.bot is None]
    name = distinct_name(request.name, people)
    seated = person_seated(name, colour, request.salt, request.salt_commitment)
    versions = start_if_full([table.append(seated, number, at)], at)
    players = {} if player is None else {number: player}
    return Change(versions, {number: hashed(secret)}, players=players)


def _first_open_seat(table: Table) -> int:
    for number, seat in enumerate(table.seats):
        if seat.kind is SeatKind.OPEN:
            return number
    raise TableFull("Every seat of this table is taken.")


def take_reserved_seats(
    table: Table, held: frozenset[int], salt: str | None, promised: str | None, at: datetime
) -> Change | None:
    """A player who has connected sits down at every seat that is reserved for them."""
    versions = []
    for number in sorted(held):
        seat = table.seats[number]
        if seat.kind is SeatKind.RESERVED and seat.name is not None and seat.colour is not None:
            seated = person_seated(seat.name, seat.colour, salt, promised)
            table = table.append(seated, number, at)
            versions.append(table)
    return Change(start_if_full(versions, at)) if versions else None
