"""What a bot is: two decisions, each from a position and the moves made in the turn so far."""

from typing import Protocol

from cantstop.game import Game
from cantstop.rules import Busted, Move, Moved, Position, Stopped


class Bot(Protocol):
    """A player that a program is.

    ``moves`` counts the moves that the turn has had. With the position it is all that a bot is
    told, so that a compiled bot, or one in another process, can be asked the same questions.
    """

    @property
    def name(self) -> str:
        """The name with its parameter: ``bot_named`` makes the same bot of it again."""

    def choose(self, position: Position, moves: int) -> Move:
        """The move to make: one of ``position.legal_moves``, of which there is at least one."""

    def stop(self, position: Position, moves: int) -> bool:
        """Whether to stop rather than roll again; asked only where stopping is legal."""


def moves_made(game: Game) -> int:
    """How many moves the turn in progress has had.

    >>> game = Game()
    >>> game.roll("2345") and game.move("7+7")
    >>> moves_made(game)
    1
    """
    made = 0
    for event in reversed(game.events):
        if isinstance(event, Stopped | Busted):
            break
        made += isinstance(event, Moved)
    return made
