"""When a player's time for slow games counts: not while they are away, nor on weekends off.

A turn at a slow table ends when its time has passed, counted by these hours. Quiet hours do not
stop the count; they only hold back the end, so that nobody loses a turn in their sleep. All of it
is worked out from a moment on and never back: hours that are changed later cannot give back time
that has passed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cantstop.server.errors import Malformed, Refused

MOST_AWAY = timedelta(days=21)
"""Time away that a player has in each calendar year, in UTC."""
MOST_PERIODS = 40
"""Times away in a calendar year: each is a row, which is sent to everybody at the table."""
MOST_AHEAD = timedelta(days=366)
"""How far ahead a time away may begin."""
LATE = timedelta(hours=1)
"""A time away may begin in the hour that has begun."""
SHORTEST_STEP = timedelta(minutes=15)
"""Zones differ by quarters of an hour: so that everywhere a full hour can be named."""

MOST_QUIET = 12 * 60
"""Minutes of quiet hours in a day: they hold back the end of a turn by no more."""
ZONE_KEPT = timedelta(days=7)
"""How long a zone is kept by whoever has weekends off: who moved west every Saturday and back in
the week would have longer ones."""

SATURDAY, MONDAY = 5, 0
_DAY = timedelta(days=1)
_MINUTES = 24 * 60


@dataclass(frozen=True)
class Hours:
    """What a player has said about their days."""

    zone: str = "UTC"
    """The name of an IANA time zone."""
    quiet_from: int | None = None
    quiet_until: int | None = None
    """Minutes of the day between which no turn ends; both or neither."""
    weekends_off: bool = False


@dataclass(frozen=True, order=True)
class Away:
    """A time in which a player is away."""

    start: datetime
    end: datetime


@dataclass(frozen=True)
class Calendar:
    """The hours of a player, with the times in which they are away."""

    hours: Hours = Hours()
    away: tuple[Away, ...] = ()

    def counted(self, start: datetime, end: datetime) -> float:
        """The seconds between two moments that count; 0 where the second is not later."""
        if end <= start:
            return 0.0
        free = sum(
            ((min(off.end, end) - max(off.start, start)) for off in self._off(start, end)),
            timedelta(),
        )
        return (end - start - free).total_seconds()

    def end_of(self, start: datetime, seconds: float) -> datetime:
        """The moment at which this many seconds that count have passed since ``start``."""
        left = timedelta(seconds=seconds)
        at = start
        for off in self._off(start, None):
            if off.start - at >= left:
                break
            left -= max(timedelta(), off.start - at)
            at = max(at, off.end)
        return at + left

    def held_back(self, end: datetime) -> datetime:
        """When a turn whose time is up at a moment does end: not in quiet hours."""
        first, last = self.hours.quiet_from, self.hours.quiet_until
        if first is None or last is None:
            return end
        zone = zone_named(self.hours.zone)
        local = end.astimezone(zone)
        minute = local.hour * 60 + local.minute
        if (minute - first) % _MINUTES >= (last - first) % _MINUTES:
            return end
        day = local.date() + (_DAY if minute >= last else timedelta())
        morning = datetime(day.year, day.month, day.day, last // 60, last % 60, tzinfo=zone)
        found = morning.astimezone(UTC)
        # an hour that there is twice: the second one
        return found if found >= end else morning.replace(fold=1).astimezone(UTC)

    def away_until(self, at: datetime) -> datetime | None:
        """Until when the player is away at a moment, if they are."""
        return next((one.end for one in self.away if one.start <= at < one.end), None)

    def _off(self, start: datetime, end: datetime | None) -> Iterator[Away]:
        """What does not count from a moment on, in order, each once."""
        merged: Away | None = None
        for off in self._sorted(start, end):
            if merged is None:
                merged = off
            elif off.start <= merged.end:
                merged = Away(merged.start, max(merged.end, off.end))
            else:
                yield merged
                merged = off
        if merged is not None:
            yield merged

    def _sorted(self, start: datetime, end: datetime | None) -> Iterator[Away]:
        away = iter(sorted(one for one in self.away if one.end > start))
        weekends = self._weekends(start)
        next_away, next_weekend = next(away, None), next(weekends, None)
        while next_away is not None or next_weekend is not None:
            if next_weekend is None or (next_away is not None and next_away < next_weekend):
                assert next_away is not None
                found, next_away = next_away, next(away, None)
            else:
                found, next_weekend = next_weekend, next(weekends, None)
            if end is not None and found.start >= end:
                return
            yield found

    def _weekends(self, start: datetime) -> Iterator[Away]:
        """The weekends off from a moment on: without end, if there are any."""
        if not self.hours.weekends_off:
            return
        zone = zone_named(self.hours.zone)
        day = (start.astimezone(zone) - 2 * _DAY).date()
        day += ((SATURDAY - day.weekday()) % 7) * _DAY
        while True:
            after = day + 2 * _DAY
            first = datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)
            last = datetime(after.year, after.month, after.day, tzinfo=zone).astimezone(UTC)
            if last > start:
                yield Away(first, last)
            day += 7 * _DAY


ALWAYS = Calendar()
"""The hours of whoever has said nothing, and of whoever has no profile: all time counts."""


# What players may say


@lru_cache(64)
def zone_named(name: str) -> ZoneInfo:
    """The time zone of a name; refused where there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Malformed("There is no time zone “{name}”.", name=name) from None


def check_hours(hours: Hours) -> None:
    """Refuse hours that cannot be, or that hold back turns for too long."""
    zone_named(hours.zone)
    first, last = hours.quiet_from, hours.quiet_until
    if (first is None) != (last is None):
        raise Malformed("Quiet hours have a beginning and an end.")
    if first is not None and last is not None and not 0 < (last - first) % _MINUTES <= MOST_QUIET:
        raise Malformed("Quiet hours are up to 12 hours of a day.")


def check_away(away: Away, known: tuple[Away, ...], now: datetime) -> None:
    """Refuse a time away that is over, too long, or one of too many."""
    if any(_is_crooked(moment) for moment in (away.start, away.end)) or away.end <= away.start:
        raise Malformed("A time away is from one full hour to a later one.")
    if away.start < now - LATE:
        raise Refused("A time away cannot begin in the past.")
    if away.start > now + MOST_AHEAD:
        raise Refused("A time away begins within a year from now.")
    if any(away.start < one.end and one.start < away.end for one in known):
        raise Refused("You have already said that you are away then.")
    for year in range(away.start.year, away.end.year + 1):
        if away_in(year, (*known, away)) > MOST_AWAY:
            raise Refused("You can be away for 21 days in a calendar year.")
        if sum(one.start.year == year for one in known) >= MOST_PERIODS:
            raise Refused("You have been away too often in this year.")


def _is_crooked(moment: datetime) -> bool:
    passed = timedelta(minutes=moment.minute, seconds=moment.second)
    return moment.microsecond != 0 or bool(passed % SHORTEST_STEP)


def away_in(year: int, away: tuple[Away, ...]) -> timedelta:
    """How much time away falls in a calendar year, in UTC."""
    first, last = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
    return sum(
        (max(timedelta(), min(one.end, last) - max(one.start, first)) for one in away), timedelta()
    )


def cut_short(away: Away, now: datetime) -> Away | None:
    """What is left of a time away that its player ends: None if it has not begun.

    Up to the next quarter of an hour it counts as taken.
    """
    if away.start >= now:
        return None
    passed = (now - away.start) % SHORTEST_STEP
    rest = SHORTEST_STEP - passed if passed else timedelta()
    return Away(away.start, min(away.end, now + rest))


def moved(ends: datetime, now: datetime, old: Calendar, new: Calendar) -> datetime:
    """When a running turn's time is up after its player's hours have changed at a moment.

    What has passed has passed by the old hours, and a turn whose time was up stays over.
    """
    return ends if ends <= now else new.end_of(now, old.counted(now, ends))


def resumed(ends: datetime, stopped: datetime, now: datetime, calendar: Calendar) -> datetime:
    """The same after a time without a server, from a moment up to now, which counts for nobody."""
    return calendar.end_of(now, calendar.counted(stopped, ends))
