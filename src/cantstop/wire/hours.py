"""When a player has time for slow games, as JSON: zone, quiet hours, weekends, and times away."""

from typing import Annotated

from msgspec import Meta

from cantstop.wire.types import Request, Time, Wire

MinuteOfDay = Annotated[int, Meta(ge=0, lt=24 * 60)]
ZoneName = Annotated[str, Meta(min_length=1, max_length=64)]


class AwayView(Wire, frozen=True):
    """A time in which a player is away: it counts at no slow table."""

    from_at: Time
    until_at: Time


class KnownHours(Wire, frozen=True, kw_only=True):
    """What a player has said about their time."""

    zone: str
    """The name of an IANA time zone; ``UTC`` until one is set."""
    quiet_from: MinuteOfDay | None
    quiet_until: MinuteOfDay | None
    """Minutes of the day between which no turn ends and nothing is sent; ``null`` for none."""
    weekends_off: bool
    """Whether Saturdays and Sundays do not count."""
    away: tuple[AwayView, ...]
    """Times away, the first one first: those that are not over, and in an export all."""


class PlayerHours(KnownHours, frozen=True, kw_only=True):
    """When a player has time for slow games."""

    away_hours_left: float
    """Hours that one can still be away in this calendar year, in UTC."""


class SetHours(Request, frozen=True):
    """New hours; what is left out is as it is for beginners."""

    zone: ZoneName = "UTC"
    """The name of an IANA time zone, such as ``Europe/Berlin``."""
    quiet_from: MinuteOfDay | None = None
    quiet_until: MinuteOfDay | None = None
    """Minutes of the day, both or neither: at most 12 hours, also over midnight."""
    weekends_off: bool = False


class AnnounceAway(Request, frozen=True):
    """A time away, from one full hour to a later one."""

    from_at: Annotated[str, Meta(max_length=40)]
    """ISO 8601 with a zone; not in the past."""
    until_at: Annotated[str, Meta(max_length=40)]
