"""What a standing order decides: between stopping and rolling, and no more than was said.

An order acts where its seat has just decided, or its turn has begun, in the same change: nobody has
to be connected. So a table at rest never waits for an order, and whoever follows one can tell an
event that an order is about to follow.
"""

from fractions import Fraction

from cantstop.odds import usable_chance
from cantstop.rules import Action, Choice, Phase, Position
from cantstop.table.events import Order
from cantstop.table.table import Table

_ROLLS = (Phase.ROLL, Phase.CHOICE)


def ordered_action(table: Table) -> Action | None:
    """What the standing order of the seat in turn decides now; None where its player has to.

    A roll, a stop, or the only move that a roll allows: a choice among moves is never made. Where a
    salt is revealed before the first roll (docs/dice.md), its player is there, and rolls.
    """
    seat = table.decider
    if table.owes_salt or table.has_just_revealed:
        return None
    order = None if seat is None else table.seats[seat].order
    return None if order is None else decision_of(order, table.position)


def decision_of(order: Order, position: Position) -> Action | None:
    """What an order decides in a position, or None.

    >>> order = Order(runners=True, column=True)
    >>> start = Position.parse("v1,players=2 2:2/- 1 - -")
    >>> str(decision_of(order, start)), decision_of(order, start.roll("1124"))
    ('roll', None)
    >>> str(decision_of(order, start.roll("1124").move("2+6")))
    'stop'
    """
    if position.phase is Phase.MOVE:
        moves = position.legal_moves
        return next(iter(moves)) if order.runners and len(moves) == 1 else None
    if position.phase is Phase.CHOICE and _says_stop(order, position):
        # where that is not allowed (V3), it says nothing: its player was not asked about rolling
        return Choice.STOP if position.may_stop else None
    if position.phase in _ROLLS and order.runners and position.free_runners:
        return Choice.ROLL
    return None


def _says_stop(order: Order, position: Position) -> bool:
    """Whether an order wants to stop in a position where there is a choice."""
    return (order.column and _wins_column(position)) or (
        order.bust is not None and 1 - usable_chance(position) > Fraction(order.bust, 100)
    )


def _wins_column(position: Position) -> bool:
    """Whether a runner stands on a top: stopping would win that column (W2)."""
    lengths = position.rules.board.lengths
    return any(space == top for space, top in zip(position.runners[2:], lengths, strict=True))
