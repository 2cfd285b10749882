"""A clock that a test sets: no time passes unless the test says so."""

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass
class SetClock:
    """Tells the time that it was set to."""

    now: datetime

    def __call__(self) -> datetime:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)
