"""How much one address, one socket or one table may ask for: the usual figures."""

from dataclasses import dataclass, fields
from math import inf
from typing import Self

LARGEST_BODY = 64 * 1024


@dataclass(frozen=True)
class Rate:
    """So many a second in the long run, and so many at once after a pause."""

    per_second: float
    burst: float

    def times(self, factor: float) -> Self:
        """So many times as many."""
        return type(self)(self.per_second * factor, max(1, self.burst * factor))


@dataclass(frozen=True)
class Cap:
    """So many at the same time."""

    most: float

    def times(self, factor: float) -> Self:
        """So many times as many."""
        return type(self)(max(1, self.most * factor))


@dataclass(frozen=True)
class Limits:
    """What each worker allows."""

    requests: Rate = Rate(50, 600)
    """HTTP requests, and sockets opened, from one address. A page asks for 12 things when it is
    seen first: a class of 30 that opens one at the same moment, behind one address, for 360."""
    tables: Rate = Rate(1, 60)
    """Tables that are opened from one address."""
    sockets: Cap = Cap(200)
    """Sockets from one address."""
    guests: Cap = Cap(100)
    """Sockets at one table."""
    actions: Rate = Rate(10, 60)
    """Actions of one seat, over however many sockets."""
    reactions: Rate = Rate(0.5, 10)
    """Reactions of one seat: of all that players do, only these could fill a table for ever."""
    messages: Rate = Rate(20, 60)
    """Messages on one socket; those beyond are refused."""
    refusals: Rate = Rate(20, 200)
    """Messages on one socket that are refused so; with those beyond it is closed."""

    def times(self, factor: float) -> "Limits":
        """Limits that are so many times as wide; 0 switches them off.

        >>> Limits().times(2).messages
        Rate(per_second=40, burst=120)
        >>> Limits().times(0).sockets
        Cap(most=inf)
        """
        wider = factor or inf
        return Limits(**{one.name: getattr(self, one.name).times(wider) for one in fields(self)})
