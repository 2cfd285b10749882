"""The turns that wait for a player, as feed and calendar show them at a secret address."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class WaitingTurn:
    """A turn of a player at a slow table."""

    id: str
    """The same for as long as it is the same turn."""
    title: str
    text: str
    url: str
    began: datetime
    due: datetime
