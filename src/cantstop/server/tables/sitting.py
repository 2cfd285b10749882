"""Sitting down: at a free seat, or at the one that is reserved."""

from cantstop.dice import new_salt
from cantstop.server.errors import TableFull
from cantstop.server.protocol.requests import TakeSeat
from cantstop.server.tables.events import Happened, Seated
from cantstop.server.tables.names import clean_name
from cantstop.server.tables.opening import free_colours, starting
from cantstop.server.tables.table import SeatKind, Table


def free_seat(table: Table) -> int:
    """The first seat that is for whoever comes."""
    for number, seat in enumerate(table.seats):
        if seat.kind is SeatKind.OPEN:
            return number
    raise TableFull("Every seat of this table is taken.")


def take_free_seat(table: Table, number: int, request: TakeSeat) -> list[Happened]:
    """Somebody sits down at a free seat."""
    others = [seat.colour for seat in table.seats if seat.colour is not None]
    colour = free_colours([*others, request.colour])[-1]
    salt = request.salt or new_salt()
    seated = Seated(clean_name(request.name), colour, None, salt)
    return [Happened(number, seated), *_starting(table, {number: salt})]


def take_reserved_seats(table: Table, held: frozenset[int], salt: str | None) -> list[Happened]:
    """Somebody who has come sits down wherever a seat is reserved for them."""
    salts = {}
    happened = []
    for number in sorted(held):
        seat = table.seats[number]
        if seat.kind is SeatKind.RESERVED and seat.name is not None and seat.colour is not None:
            salts[number] = salt or new_salt()
            happened.append(Happened(number, Seated(seat.name, seat.colour, None, salts[number])))
    return [*happened, *_starting(table, salts)] if happened else []


def _starting(table: Table, salts: dict[int, str]) -> list[Happened]:
    return starting(salts.get(number, seat.salt) for number, seat in enumerate(table.seats))
