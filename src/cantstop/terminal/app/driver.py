"""What stands between a table and the screen that shows it: the table may be here or far away."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol

from cantstop.game import Game
from cantstop.rules import Dice, Event, Moved, Position, Stopped

Decision = Moved | Stopped | None
"""What a player does; None is to roll."""


@dataclass(frozen=True)
class Step:
    """Something that happened in the game."""

    before: Position
    event: Event
    after: Position


def steps_of(game: Game) -> list[Step]:
    """Everything that has happened in a game."""
    positions = game.positions
    return list(map(Step, positions, game.events, positions[1:]))


@dataclass(frozen=True)
class Note:
    """Something that happened around the game: a message, said in the reader's language."""

    text: str
    fields: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))


Entry = Step | Note


class Driver(Protocol):
    """A table as a screen needs it: what there is to see, and what can be asked for."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats."""

    @property
    def colours(self) -> tuple[int, ...]:
        """The number of each seat's mark."""

    @property
    def edition(self) -> str | None:
        """The name of the edition that is played."""

    @property
    def position(self) -> Position:
        """The position now."""

    @property
    def turn(self) -> int:
        """The number of the turn."""

    @property
    def dice(self) -> Dice:
        """The dice thrown last, as they fell."""

    @property
    def entries(self) -> Sequence[Entry]:
        """Everything that happened, oldest first."""

    @property
    def trouble(self) -> Note | None:
        """Why nothing can be done at the moment, though a player is due."""

    @property
    def may_act(self) -> bool:
        """Whether somebody at this screen is to decide."""

    @property
    def may_undo(self) -> bool:
        """Whether somebody at this screen can take something back."""

    def listen(self, changed: Callable[[], None]) -> None:
        """Have a function called after every change."""

    async def run(self) -> None:
        """Let happen what happens by itself: bots here, messages from afar. Never returns."""

    async def act(self, decision: Decision) -> None:
        """Roll, move or stop; what is not possible is a ``CantStopError``."""

    async def undo(self) -> None:
        """Take the last decision back."""
