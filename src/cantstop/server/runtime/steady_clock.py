"""The time of day, as long as it goes on like time: a clock that jumps ages no table.

A clock that is a month ahead, if only for a minute, would expire every table and tell the keys of
days to come. So the time of day is compared with the time that has passed; and what is done by it
that cannot be undone, with the newest time that servers on the same database have believed.
"""

import logging
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

MOST_JUMP = timedelta(hours=6)
"""What the clock of a machine may be set right by; no zone or summer time is in UTC."""

SETTLING = timedelta(minutes=15)
"""After the start the clock may be set by any amount: some machines keep no time while off."""

MOST_OFF = timedelta(days=8)
"""How long a server may have been off, as for a club that meets once a week: a clock that is
further ahead of what its database has seen is not believed until the operator says that it is right
(``--clock-is-right``)."""

_log = logging.getLogger(__name__)


def _time_passed() -> float:
    """Seconds that include those in which the machine slept, where the system counts them."""
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.time()  # other clocks stand still during sleep: no jump is noticed


def now() -> datetime:
    """The time of day in UTC, to the millisecond: events tell no more of it."""
    return _in_milliseconds(datetime.now(UTC))


def _in_milliseconds(at: datetime) -> datetime:
    return at.replace(microsecond=at.microsecond // 1000 * 1000)


class SteadyClock:
    """The time of day in UTC, unless it has jumped: then the time that it should be."""

    def __init__(
        self,
        time_of_day: Callable[[], datetime] = now,
        time_passed: Callable[[], float] = _time_passed,
    ) -> None:
        self._time_of_day = time_of_day
        self._time_passed = time_passed
        self._since = time_passed()
        self._begin = time_of_day()
        self._jumped = False

    def __call__(self) -> datetime:
        """The time to go by."""
        now, passed = self._time_of_day(), timedelta(seconds=self._time_passed() - self._since)
        expected = self._begin + passed
        if abs(now - expected) <= MOST_JUMP or passed < SETTLING:
            # small corrections add up over the months
            self._begin, self._jumped = now - passed, False
            return now
        if not self._jumped:
            self._jumped = True
            _log.error(
                "The clock of this machine has jumped from %s to %s: this server goes on by the "
                "old time. If the new one is right, start it again.",
                expected.isoformat(timespec="seconds"),
                now.isoformat(timespec="seconds"),
            )
        return _in_milliseconds(expected)


class BelievedClock:
    """The time by which tables expire and keys are revealed: never far ahead of what was seen.

    A clock that is behind tells nothing early, and is taken as it is.
    """

    def __init__(
        self,
        clock: Callable[[], datetime],
        seen: datetime | None,
        *,
        is_right: bool = False,
        time_passed: Callable[[], float] = _time_passed,
    ) -> None:
        self._clock = clock
        self._time_passed = time_passed
        self._since = time_passed()
        self._seen = seen
        self._is_right = is_right
        self.doubt: str | None = None
        """Why the clock is not believed, if it is not."""

    def __call__(self) -> datetime:
        """The time to go by."""
        now, expected = self._clock(), self._expected()
        if self._is_right or expected is None or now - expected <= MOST_OFF:
            self.doubt = None
            if expected is None or now > expected:
                self._seen, self._since = now, self._time_passed()
            return now
        doubt = (
            f"the clock says {now:%Y-%m-%d}, but this database has seen no day after "
            f"{expected:%Y-%m-%d}"
        )
        if self.doubt is None:
            _log.error(
                "Is the clock right? It says %s, but this database has seen no day after %s: until "
                "that is clear, no table expires and no key of a later day is told. If it is, "
                "start the server once with --clock-is-right.",
                f"{now:%Y-%m-%d}",
                f"{expected:%Y-%m-%d}",
            )
        self.doubt = doubt
        return expected

    def newest(self) -> datetime:
        """The time, or what was seen where that is later: the clock may have been set back."""
        now, expected = self(), self._expected()
        return now if expected is None else max(now, expected)

    def _expected(self) -> datetime | None:
        if self._seen is None:
            return None
        return self._seen + timedelta(seconds=self._time_passed() - self._since)
