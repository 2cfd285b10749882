"""The rate-limit policy: how much one address, one socket or one table may ask for."""

from dataclasses import dataclass, fields
from math import inf
from typing import Self

MAX_BODY_BYTES = 64 * 1024


@dataclass(frozen=True)
class Rate:
    """The rate limit of a token bucket: sustained rate and burst."""

    per_second: float
    burst: float

    def times(self, factor: float) -> Self:
        """The rate multiplied."""
        return type(self)(self.per_second * factor, max(1, self.burst * factor))


@dataclass(frozen=True)
class Cap:
    """At most this many at the same time."""

    most: float

    def times(self, factor: float) -> Self:
        """The cap multiplied."""
        return type(self)(max(1, self.most * factor))


@dataclass(frozen=True)
class Limits:
    """What each worker allows."""

    requests: Rate = Rate(50, 600)
    """HTTP requests, and sockets opened, from one address. A page makes 12 requests when it is
    first loaded: a class of 30 that opens it at the same moment, behind one address, makes 360."""
    tables: Rate = Rate(1, 60)
    """Tables opened from one address."""
    sockets: Cap = Cap(200)
    """Sockets from one address."""
    guests: Cap = Cap(100)
    """Sockets at one table."""
    actions: Rate = Rate(10, 60)
    """Actions of one seat, over all of its sockets."""
    reactions: Rate = Rate(0.5, 10)
    """Reactions of one seat: the only action that can make a table grow without end."""
    messages: Rate = Rate(20, 60)
    """Messages on one socket; those beyond are refused."""
    refusals: Rate = Rate(20, 200)
    """Messages on one socket refused by the limit above; beyond this it is closed as a flood."""

    def times(self, factor: float) -> "Limits":
        """All limits multiplied; 0 switches them off.

        >>> Limits().times(2).messages
        Rate(per_second=40, burst=120)
        >>> Limits().times(0).sockets
        Cap(most=inf)
        """
        wider = factor or inf
        return Limits(**{one.name: getattr(self, one.name).times(wider) for one in fields(self)})
