"""What can happen in a game: the list of these is the game, positions are derived from it."""

from dataclasses import dataclass

from cantstop.rules.moves import Dice, Move


@dataclass(frozen=True)
class Rolled:
    """Dice were thrown: four in a turn, two in the roll-off for the start."""

    dice: Dice


@dataclass(frozen=True)
class Moved:
    """The player used the roll."""

    move: Move


@dataclass(frozen=True)
class Stopped:
    """The player stopped: runners became tokens."""


@dataclass(frozen=True)
class Busted:
    """The roll was of no use: the runners left the board."""


Event = Rolled | Moved | Stopped | Busted


def moves_after(moves: int, event: Event) -> int:
    """How many moves the turn has had after an event, if it had had so many before.

    >>> [moves_after(2, event) for event in (Rolled((1, 2, 3, 4)), Moved(Move(7)), Stopped())]
    [2, 3, 0]
    """
    match event:
        case Moved():
            return moves + 1
        case Stopped() | Busted():
            return 0
    return moves
