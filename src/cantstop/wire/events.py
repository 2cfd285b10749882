"""Events of a table as JSON: one text for sockets, notices to other workers and the database.

An event is encoded once. Its entry keeps the bytes while it travels: to the database, to the other
workers, to everybody at the table. A worker that hears of it from another one passes those on.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated, get_args

import msgspec

from cantstop.rules import Busted, Dice, Move, Moved, Rolled, Stopped
from cantstop.table.events import Entry, Played, TableEvent, Unknown

Fields = dict[str, object]
"""The fields of an event on their way from or to JSON."""


# What the rules' own events are written as: their moves are text, and a table adds to them


@dataclass(frozen=True, slots=True)
class RolledData:
    """Dice were thrown; ``roll`` counts the throws of the game from 1."""

    dice: Dice
    roll: int
    spent: float = 0.0
    """Seconds of its bank that the seat has thought before it."""
    ordered: bool = False
    """Whether the seat's standing order has decided it."""


@dataclass(frozen=True, slots=True)
class MovedData:
    """The roll was used."""

    move: str
    spent: float = 0.0
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class StoppedData:
    """The turn was ended; ``won`` are the columns that this has won."""

    won: tuple[int, ...]
    spent: float = 0.0
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class BustedData:
    """The roll was of no use."""


EventData = RolledData | MovedData | StoppedData | BustedData | TableEvent

_PLAYED = {
    "rolled": RolledData,
    "moved": MovedData,
    "stopped": StoppedData,
    "busted": BustedData,
}


def _data_by_kind() -> Iterator[tuple[str, type[EventData]]]:
    for kind in get_args(TableEvent):
        if kind is Played:
            yield from _PLAYED.items()
        elif kind is not Unknown:
            yield kind.__name__.lower(), kind


DATA = dict(_data_by_kind())
"""What every kind of event has as its data."""

_NAMES = {
    kind: tuple((field.name, field.default) for field in fields(kind)) for kind in DATA.values()
}
_ENCODER = msgspec.json.Encoder()
_RAW_ROWS = msgspec.json.Decoder(list[tuple[str, str | None, msgspec.Raw]])


class EventJson(msgspec.Struct, frozen=True):
    """An event of any kind, as it is read."""

    n: Annotated[int, msgspec.Meta(ge=1)]
    at: datetime
    kind: str
    seat: int | None
    data: Fields


_ENTRY = msgspec.json.Decoder(EventJson)
# msgspec examines a class when it first meets it. A second thread that uses the class in between
# finds half of its fields and crashes the process: so all are examined while this is imported.
for _kind in DATA.values():
    msgspec.json.Decoder(_kind)
_move = lru_cache(256)(Move.parse)


def time_text(at: datetime) -> str:
    """A timestamp as the wire writes it: ISO 8601, UTC, milliseconds."""
    utc = at if at.tzinfo is UTC else at.astimezone(UTC)  # most are: every event has one
    return utc.isoformat("T", "milliseconds")[:-6] + "Z"


def event_data(event: TableEvent) -> Fields:
    """An event's own fields; those that have their default are left out."""
    data = _data(event)
    return {
        name: value
        for name, default in _NAMES[type(data)]
        if (value := getattr(data, name)) != default  # no value is MISSING
    }


def _data(event: TableEvent) -> EventData:
    match event:
        case Played(Rolled(dice), spent, roll, _, ordered):
            return RolledData(dice, roll, spent, ordered)
        case Played(Moved(move), spent, _, _, ordered):
            return MovedData(str(move), spent, ordered)
        case Played(Stopped(), spent, _, won, ordered):
            return StoppedData(won, spent, ordered)
        case Played(Busted()):
            return BustedData()
    return event


def event_from(kind: str, data: Mapping[str, object]) -> TableEvent:
    """An event of its kind and fields.

    Raises:
        ValueError: If there is no such kind, or the fields are not those of such an event.
    """
    found = DATA.get(kind)
    if found is None:
        raise ValueError(f"there is no event {kind!r}")
    match msgspec.convert(data, found):
        case RolledData(dice, roll, spent, ordered):
            return Played(Rolled(dice), spent, roll, ordered=ordered)
        case MovedData(move, spent, ordered):
            return Played(Moved(_move(move)), spent, ordered=ordered)
        case StoppedData(won, spent, ordered):
            return Played(Stopped(), spent, won=won, ordered=ordered)
        case BustedData():
            return Played(Busted())
        case event:
            return event


def encode_entry(entry: Entry) -> bytes:
    """An event as JSON, without its view: what its entry keeps, or encoded now."""
    return entry.encoded or _ENCODER.encode(
        {
            "n": entry.n,
            "at": time_text(entry.at),
            "kind": entry.kind,
            "seat": entry.seat,
            "data": event_data(entry.event),
        }
    )


def forget(entry: Entry) -> None:
    """Let go of an entry's bytes: it has been sent to everybody, and is in memory for long."""
    object.__setattr__(entry, "encoded", None)


def with_view(event: bytes, view: bytes) -> bytes:
    """An event as JSON with the view of the table right after it."""
    return b'%b,"view":%b}' % (event[:-1], view)


def decode_entry(encoded: bytes, action: str | None = None) -> Entry:
    """The event that JSON describes; its entry keeps the bytes."""
    entry = _entry(_ENTRY.decode(encoded), action)
    object.__setattr__(entry, "encoded", encoded)
    return entry


def entry_from(event: EventJson) -> Entry:
    """The event that a message of the protocol describes.

    A server may be newer: then the kind may be unknown.

    Raises:
        ValueError: If the message does not describe an event.
    """
    if event.kind not in DATA:
        return Entry(event.n, event.at, event.seat, Unknown(event.kind))
    return _entry(event)


def _entry(event: EventJson, action: str | None = None) -> Entry:
    return Entry(event.n, event.at, event.seat, event_from(event.kind, event.data), action)


# Rows: an event with its table and the id of its action, for the database and other workers


def encode_row(table_id: str, entry: Entry) -> bytes:
    """``[table, action, event]``; the entry keeps its JSON until ``forget``."""
    encoded = encode_entry(entry)
    # entries are frozen, but these bytes are no part of their value: the same event, written down
    object.__setattr__(entry, "encoded", encoded)
    return b"[%b,%b,%b]" % (_ENCODER.encode(table_id), _ENCODER.encode(entry.action), encoded)


def decode_rows(text: str) -> list[tuple[str, Entry]]:
    """The events in a list of rows, each with its table."""
    return [
        (table_id, decode_entry(bytes(event), action))
        for table_id, action, event in _RAW_ROWS.decode(text)
    ]
