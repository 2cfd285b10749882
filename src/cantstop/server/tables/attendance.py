"""Who is at a table, and the three clocks that say so."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Attendance:
    """The seats whose player is there, and of the others those who may be back in a moment."""

    present: frozenset[int] = frozenset()
    expected: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Clocks:
    """Three clocks that run one after the other, all in seconds."""

    heartbeat: float = 9.0
    """A connection that says nothing for so long is given up."""
    presence: float = 2.0
    """A player is shown as there for so long after the last connection: a reload is no goodbye."""
    absence: float = 15.0
    """A player has to be away for so long before a bot may be asked to play for them."""


USUAL_CLOCKS = Clocks()
