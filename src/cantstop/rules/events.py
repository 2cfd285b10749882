"""What can happen in a game: the list of these is the game, positions are derived from it."""

from dataclasses import dataclass

from cantstop.rules.moves import Dice, Move


@dataclass(frozen=True, slots=True)
class Rolled:
    """Dice were thrown: four in a turn, two in the roll-off for the start.

    >>> from cantstop import Position
    >>> Position.initial().after(Rolled((2, 3, 4, 5)))
    <Position v1,players=2 -/- 1 - 2345>
    """

    dice: Dice


@dataclass(frozen=True, slots=True)
class Moved:
    """The player used the roll.

    >>> from cantstop import Position
    >>> Position.initial().roll("2345").after(Moved(Move(6, 8)))
    <Position v1,players=2 -/- 1 6:1,8:1 ->
    """

    move: Move


@dataclass(frozen=True, slots=True)
class Stopped:
    """The player stopped: runners became tokens.

    >>> from cantstop import Position
    >>> Position.parse("v1,players=2 -/- 1 6:1,8:1 -").after(Stopped())
    <Position v1,players=2 6:1,8:1/- 2 - ->
    """


@dataclass(frozen=True, slots=True)
class Busted:
    """The roll was of no use: the runners left the board.

    >>> from cantstop import Position
    >>> Position.parse("v1,players=2 -/- 1 2:1,3:1,12:1 6666").after(Busted())
    Traceback (most recent call last):
    cantstop.rules.errors.IllegalAction: This is not a bust.
    >>> Position.parse("v1,players=2 -/- 1 2:1,3:1,12:1 5555").after(Busted())
    <Position v1,players=2 -/- 2 - ->
    """


Event = Rolled | Moved | Stopped | Busted


def moves_after(moves: int, event: Event) -> int:
    """The number of moves of the turn after an event, given the number before it.

    >>> [moves_after(2, event) for event in (Rolled((1, 2, 3, 4)), Moved(Move(7)), Stopped())]
    [2, 3, 0]
    """
    match event:
        case Moved():
            return moves + 1
        case Stopped() | Busted():
            return 0
    return moves
