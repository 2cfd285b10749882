"""What a client reads of states and events: what it uses. A newer server may say more."""

from msgspec import Raw

from cantstop.wire.events import EventJson
from cantstop.wire.types import EventNumber, SeatNumber, Wire


class SeenView(Wire, frozen=True):
    """What a client needs of a view: it works out the rest by the rules."""

    position: str
    turn: int
    take_back: SeatNumber | None


class SeenEvent(EventJson, frozen=True):
    """An event of any kind, as it happens."""

    view: SeenView


class SeenState(Wire, frozen=True):
    """The state of a table."""

    id: str
    n: EventNumber
    you: tuple[SeatNumber, ...]
    view: SeenView
    log: tuple[EventJson, ...]


class SeenMessage(Wire, frozen=True):
    """A message of the server, of any kind."""

    t: str
    d: Raw
