"""Resigning, or being given up for missed turns: of two seats the other one wins; more play on.

The rules know of nobody who leaves: every seat takes its turns. So a bot takes those of whoever has
resigned, for good, and the game stays the one that the others sat down to. Once one seat is left,
it has won; where nobody is left but bots, there is nothing to play for. Where the players throw
their own dice, no bot can take the turns of whoever leaves: there, only one of two resigns.
"""

from datetime import datetime

from cantstop.server.errors import Malformed, Refused, check_permission
from cantstop.server.tables.clock import SUBSTITUTE_BOT
from cantstop.table.events import EndReason, Finished, Resigned, Substituted, SubstituteReason
from cantstop.table.permissions import why_no_drop
from cantstop.table.table import SeatKind, Stage, Table
from cantstop.wire.actions import Drop, Resign


def leave(
    table: Table, secret: str | None, action: Resign | Drop, at: datetime
) -> tuple[Table, ...]:
    """The versions of a table after a seat has resigned, or was given up by another one.

    ``secret`` is that of the dice.
    """
    if isinstance(action, Drop):
        return _drop(table, secret, action, at)
    seat = table.seats[action.seat]
    if table.stage is Stage.OPEN:
        raise Refused("The game has not begun: seats are still free.")
    if table.stage is Stage.OVER:
        raise Refused("The game is over.")
    if seat.resigned:
        raise Refused("You have resigned already.")
    if table.opened.entered and len(table.seats) > 2:
        raise Refused("No bot can throw your dice: with three or more, all play to the end.")
    return _given_up(table.append(Resigned(), action.seat, at, action.id), action.seat, secret, at)


def _drop(table: Table, secret: str | None, action: Drop, at: datetime) -> tuple[Table, ...]:
    """The versions of a table after a seat has given up another one, for missed turns."""
    if action.absent >= len(table.seats):
        raise Malformed("There is no seat {seat}.", seat=action.absent + 1)
    check_permission(why_no_drop(table, action.seat, action.absent))
    after = table.append(Resigned(by=action.seat), action.absent, at, action.id)
    return _given_up(after, action.absent, secret, at)


def _given_up(after: Table, number: int, secret: str | None, at: datetime) -> tuple[Table, ...]:
    """The versions from the one in which a seat has resigned on."""
    left = [number for number, other in enumerate(after.seats) if not other.resigned]
    if len(left) == 1 or not any(after.seats[number].kind is SeatKind.HUMAN for number in left):
        winners = tuple(left) if len(left) == 1 else ()
        ended = Finished(winners, secret, EndReason.RESIGNED)
        return (after, after.append(ended, None, at))
    if after.seats[number].substitute is not None:
        return (after,)
    bot = Substituted(SUBSTITUTE_BOT, number, reason=SubstituteReason.RESIGNED)
    return (after, after.append(bot, number, at))
