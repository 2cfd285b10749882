"""What stands between a game and the screen that shows it: the game may be here or on a server."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from cantstop.game import Game
from cantstop.language import Translator, message, name_text, resigned_text
from cantstop.record import Record
from cantstop.rules import Dice, Event, Position, Rolled
from cantstop.table.events import Order, OrderPart
from cantstop.terminal.console import Console
from cantstop.terminal.local_game import Decision

if TYPE_CHECKING:
    from cantstop.engine import Hint


THINKING = message("Thinking…")
"""What is shown while the engine is asked: the review of a long game can take a second."""


@dataclass(frozen=True)
class Step:
    """An event of the game, with the positions before and after it."""

    before: Position
    event: Event
    after: Position
    ordered: bool = False
    """Whether the standing order of the seat has decided it."""


def steps_of(game: Game) -> list[Step]:
    """Everything that has happened in a game."""
    positions = game.positions
    return list(map(Step, positions, game.events, positions[1:]))


def last_roll(events: Sequence[Event]) -> Dice | None:
    """The dice of the last roll among some events."""
    rolls = (event.dice for event in reversed(events) if isinstance(event, Rolled))
    return next(rolls, None)


@dataclass(frozen=True)
class Note:
    """A message about the game, to be translated for the reader."""

    text: str | Callable[[Translator], str]
    """What to translate, or a function that says it."""
    fields: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))

    def say(self, words: Translator) -> str:
        """The message in the reader's language; bots have their names there, too."""
        if callable(self.text):
            return self.text(words)
        fields = dict(self.fields)
        if "name" in fields:
            fields["name"] = name_text(words, str(fields["name"]))
        return words.say(self.text, **fields)


def resigned_note(names: Sequence[str], winner: int) -> Note:
    """Who has won because everybody else resigned."""
    return Note(
        lambda words: resigned_text(words, [name_text(words, name) for name in names], winner)
    )


Entry = Step | Note


def print_rejoin_command(console: Console, address: str) -> None:
    """Say how to come back to a table on a server."""
    console.print(console.words.say("Your seat stays yours. Come back with:"))
    console.write(f"  cantstop join {address}")


class ShownGame(Protocol):
    """A game as every screen shows it, a replay too."""

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
    def address(self) -> str | None:
        """The link of the table on a server, if a player at this screen has a seat there."""

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
    def problem(self) -> Note | None:
        """Why nobody can act at the moment, in place of the usual status."""

    @property
    def may_act(self) -> bool:
        """Whether a player at this screen has to decide."""

    @property
    def may_skip(self) -> bool:
        """Whether a bot plays, and nobody else waits for it: then its turn can be skipped."""

    @property
    def is_over(self) -> bool:
        """Whether the game is over, won or given up."""

    @property
    def asking(self) -> str | None:
        """The seat that asks this screen to let it take back its last decision."""

    @property
    def orders(self) -> Mapping[int, Order]:
        """The standing orders of seats, by their numbers."""

    @property
    def order_parts(self) -> Sequence[OrderPart]:
        """What a standing order may say at this table; nothing where none can be given."""

    @property
    def score(self) -> Sequence[tuple[str, int]]:
        """Names and wins in a series of rematches; nothing where there is none."""

    @property
    def rematch_offer(self) -> Note | None:
        """The state of a rematch once the game is over; None if there can be none."""

    @property
    def seconds_left(self) -> int | None:
        """Seconds that are left for the decision; None where no clock runs."""

    def record(self) -> Record:
        """The game written down, to be reviewed."""

    @property
    def own_seat(self) -> int | None:
        """The seat of the only player at this screen: a review tells its story."""


class GameController(ShownGame, Protocol):
    """A game that is played: its state, and the actions on it."""

    def on_change(self, callback: Callable[[], None]) -> None:
        """Call a function after every change."""

    async def run(self) -> None:
        """Play bots, or receive messages of a server. Runs until it is cancelled."""

    async def act(self, decision: Decision) -> None:
        """Roll, move or stop; what is not possible is a ``CantStopError``."""

    async def undo(self) -> None:
        """Undo the last decision."""

    async def resign(self) -> None:
        """Give up the game."""

    async def answer(self, *, agree: bool) -> None:
        """Let another player take back their last decision, or not."""

    async def come_back(self) -> None:
        """Play again where a bot plays for us."""

    async def skip(self) -> None:
        """Let bots play without pauses, until a player at this screen has to decide."""

    async def order(self, order: Order | None) -> None:
        """Give a standing order in place of the one before it, or revoke it."""

    async def react(self, reaction: str) -> None:
        """Say something about it to the others."""

    async def rematch(self) -> "GameController":
        """The next game with the same people."""

    async def hint(self) -> "Hint":
        """What can be done now, the best first; the game's record says that a hint was given."""
