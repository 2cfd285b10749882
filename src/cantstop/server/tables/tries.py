"""The daily game as a table: solo, by the official rules, with the dice of a day.

The one try of a device that counts is a table like any other; its result is what the table's own
events say, so there is nothing that a client could send instead. docs/daily.md has the rules.
"""

import base64
import hmac
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from cantstop.daily import ARCHIVE_DAYS, DailyResult, counts_until, daily_result, day_of, reveals_at
from cantstop.dice import DailyDice, new_salt, read_day
from cantstop.record.record import OFFICIAL_SOLO
from cantstop.server.errors import NotFound
from cantstop.server.tables.changes import Change, NewTable, StoredTable
from cantstop.server.tables.names import clean_name
from cantstop.server.tables.seating import hashed, new_table_id, start_if_full
from cantstop.table.events import Daily, Entry, Finished, Mode, Opened, Seated
from cantstop.table.table import Table
from cantstop.wire.requests import PlayDaily

EDITION = "classic"


@dataclass(frozen=True)
class DailyEntry:
    """The one try of a device on a day, and what it came to, once it is over."""

    day: date
    device: str
    """The hash of what the device is known by."""
    table: str
    name: str
    opened_at: datetime
    finished_at: datetime | None = None
    """None while it goes on, and for ever if it was given up or not over in time."""
    turns: int | None = None
    signs: str | None = None
    luck: float | None = None
    skill: float | None = None
    """Turns saved by luck and by skill; None until they have been computed."""


@dataclass(frozen=True)
class DailyOpening:
    """A new table for a daily game, and the secret of its seat."""

    new_table: NewTable
    secret: str


def asked_day(text: str | None, at: datetime) -> date:
    """The day that is asked for: today, or one of the archive."""
    today = day_of(at)
    if text is None:
        return today
    day = read_day(text)
    if not today - timedelta(days=ARCHIVE_DAYS) <= day <= today:
        raise NotFound(
            "There is no daily game of {day} here: only those of the last {days} days.",
            day=text,
            days=ARCHIVE_DAYS,
        )
    return day


def seat_secret(device: str, table_id: str) -> str:
    """The secret of a device's seat at a table, which can be derived again at any time."""
    message = f"cantstop-daily-seat-1\n{table_id}".encode()
    return base64.urlsafe_b64encode(hmac.digest(device.encode(), message, "sha256")).decode()[:43]


def open_daily(
    request: PlayDaily, device: str, dice: DailyDice, at: datetime, *, counts: bool
) -> DailyOpening:
    """A table for the daily game of the dice's day; ``counts`` says whether it is the one try."""
    opened = Opened(
        Mode.SOLO,
        EDITION,
        str(OFFICIAL_SOLO),
        help=True,
        youngest=0,
        lesson=None,
        commitment=dice.seal.commitment,
        reserved=(None,),
        # as long as a game with these dice may count, nobody gets hints on how to play them
        hints=not counts and at >= counts_until(dice.seal.day),
        daily=Daily(dice.seal.day, counts),
    )
    table_id = new_table_id()
    secret = seat_secret(device, table_id)
    table = Table.opening(table_id, Entry(1, at, None, opened))
    # nobody's salt changes the dice of a day
    seated = Seated(clean_name(request.name), request.colour or 0, None, new_salt())
    versions = start_if_full([table, table.append(seated, 0, at)], at)
    claim = hashed(device) if counts else None
    return DailyOpening(NewTable(versions, {0: hashed(secret)}, dice.key, claim), secret)


def first_entry(change: NewTable) -> DailyEntry | None:
    """The entry of a table that is a device's one try; None for any other table."""
    daily = change.table.opened.daily
    if daily is None or change.device is None:
        return None
    name = change.table.seats[0].name
    assert name is not None
    return DailyEntry(daily.day, change.device, change.table.id, name, change.entries[0].at)


def result_of(change: Change) -> tuple[DailyResult, datetime] | None:
    """What a daily game came to and when, if it counts and this change has ended it in time."""
    daily = change.table.opened.daily
    if daily is None or not daily.counts:
        return None
    entry = next((one for one in change.entries if isinstance(one.event, Finished)), None)
    if entry is None or entry.at >= counts_until(daily.day):
        return None
    found = daily_result(change.table.game_events)
    return None if found is None else (found, entry.at)


def revealed_key(stored: StoredTable, at: datetime) -> bytes | None:
    """The key of a table's day, once it is revealed; None at a table of any other kind."""
    daily = stored.table.opened.daily
    return None if daily is None or at < reveals_at(daily.day) else stored.dice_secret
