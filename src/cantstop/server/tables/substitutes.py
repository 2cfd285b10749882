"""A bot plays for somebody who is not there, when the others ask, and gives the seat back."""

from cantstop.dice import new_salt
from cantstop.server.errors import Malformed, Refused
from cantstop.server.tables.actions import Return, Substitute
from cantstop.server.tables.attendance import Attendance
from cantstop.server.tables.events import Happened, Returned, Seated, Substituted
from cantstop.server.tables.opening import starting
from cantstop.server.tables.table import Seat, SeatKind, Stage, Table

STAND_IN = "careful"
"""The bot that plays for the absent: one that risks little with what is not its own."""


def substituted(table: Table, action: Substitute, attendance: Attendance) -> list[Happened]:
    """A bot takes an absent player's seat because another player asks for it."""
    if action.absent >= len(table.seats):
        raise Malformed("There is no seat {seat}.", seat=action.absent + 1)
    seat = table.seats[action.absent]
    _check(table, action, seat, attendance)
    in_place = [Happened(action.absent, Substituted(STAND_IN, action.seat))]
    if seat.kind is not SeatKind.RESERVED:
        return in_place
    assert seat.name is not None
    assert seat.colour is not None
    salt = new_salt()
    return [
        Happened(action.absent, Seated(seat.name, seat.colour, None, salt)),
        *in_place,
        *starting(salt if one is seat else one.salt for one in table.seats),
    ]


def _check(table: Table, action: Substitute, seat: Seat, attendance: Attendance) -> None:
    if table.stage is Stage.OVER:
        raise Refused("The game is over.")
    if seat.kind not in (SeatKind.HUMAN, SeatKind.RESERVED) or action.absent == action.seat:
        raise Refused("A bot can only play for another person.")
    if seat.substitute is not None:
        raise Refused("A bot plays for {name} already.", name=seat.name)
    if action.absent in attendance.present:
        raise Refused("{name} is there: nobody can play for them.", name=seat.name)
    if action.absent in attendance.expected:
        raise Refused("{name} has only just gone: wait a moment.", name=seat.name)


def returned(table: Table, action: Return) -> list[Happened]:
    """The owner of a seat plays again."""
    if table.seats[action.seat].substitute is None:
        raise Refused("No bot plays for you.")
    return [Happened(action.seat, Returned())]
