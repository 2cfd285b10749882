"""The daily game as JSON: a day with its results, and the past days."""

from msgspec import UNSET, UnsetType

from cantstop.wire.types import Time, Wire


class DailySealView(Wire, frozen=True, kw_only=True):
    """What the dice of a day are bound to, before anybody knows them."""

    day: str
    commitment: str
    """SHA-256 of the day's key: docs/daily.md."""


class DailyTry(Wire, frozen=True):
    """The one try of a device on a day."""

    name: str
    mine: bool
    """Whether it is that of the device that asks."""
    finished_at: Time | None
    """``null`` where it is not over, or was not over in time."""
    turns: int | None
    signs: str | None
    """How each turn ended: ``s`` stopped, ``c`` a column won, ``b`` bust."""
    luck: float | None
    """Turns saved by luck; ``null`` until the server has found it out."""
    skill: float | None
    """The same by skill."""
    table: str | None
    """The table it was played at; others see it once the day's key is revealed."""


class DailyAnswer(DailySealView, frozen=True, kw_only=True):
    """A day of the daily game."""

    now: Time
    """The server's clock, which decides."""
    begins: Time
    ends: Time
    counts_until: Time
    """When a game of the day has to be over to count."""
    reveals_at: Time
    key: str | None
    """The key of the day's dice, once it is revealed."""
    par: float
    count: int
    """How many results there are."""
    results: tuple[DailyTry, ...]
    """The best of them, the best first."""
    mine: DailyTry | None
    unfinished: bool
    """Whether ``mine`` goes on and may still count: neither over, given up, nor too late."""
    place: int | None
    """That of ``mine``, from 1; the same for all who needed as many turns."""
    best: str | None
    """How best play ends each turn with these dice, as ``signs``: once the own try is over, or the
    key is revealed."""
    next: DailySealView | UnsetType = UNSET
    """The day after, where today is asked for."""


class ArchivedDay(DailySealView, frozen=True, kw_only=True):
    """A past day."""

    results: int


class DailyArchive(Wire, frozen=True):
    """The past days that can be played again, the last one first."""

    days: tuple[ArchivedDay, ...]
