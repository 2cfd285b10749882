"""Resigning: with two seats the other one wins; with more, the others play on.

The rules know of nobody who leaves: every seat takes its turns. So a bot takes those of whoever has
resigned, for good, and the game stays the one that the others sat down to. Once one seat is left,
it has won; where nobody is left but bots, there is nothing to play for. Where the players throw
their own dice, no bot can take the turns of whoever leaves: there, only one of two resigns.
"""

from datetime import datetime

from cantstop.server.errors import Refused
from cantstop.server.tables.clock import SUBSTITUTE_BOT
from cantstop.table.events import EndReason, Finished, Resigned, Substituted, SubstituteReason
from cantstop.table.table import SeatKind, Stage, Table
from cantstop.wire.actions import Resign


def resign(table: Table, secret: str | None, action: Resign, at: datetime) -> tuple[Table, ...]:
    """The versions of a table after a seat has resigned; ``secret`` is that of the dice."""
    seat = table.seats[action.seat]
    if table.stage is Stage.OPEN:
        raise Refused("The game has not begun: seats are still free.")
    if table.stage is Stage.OVER:
        raise Refused("The game is over.")
    if seat.resigned:
        raise Refused("You have resigned already.")
    if table.opened.entered and len(table.seats) > 2:
        raise Refused("No bot can throw your dice: with three or more, all play to the end.")
    after = table.append(Resigned(), action.seat, at, action.id)
    left = [number for number, other in enumerate(after.seats) if not other.resigned]
    if len(left) == 1 or not any(after.seats[number].kind is SeatKind.HUMAN for number in left):
        winners = tuple(left) if len(left) == 1 else ()
        ended = Finished(winners, secret, EndReason.RESIGNED)
        return (after, after.append(ended, None, at))
    if seat.substitute is not None:
        return (after,)
    bot = Substituted(SUBSTITUTE_BOT, action.seat, reason=SubstituteReason.RESIGNED)
    return (after, after.append(bot, action.seat, at))
