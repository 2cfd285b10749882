"""A player's side of the server's protocol: links, seats, and the line to a table."""

from cantstop.client.line import Line
from cantstop.client.links import TableLink
from cantstop.client.requests import Refused, Unreachable, take_seat
from cantstop.client.secrets import SeatKeeper

__all__ = ["Line", "Refused", "SeatKeeper", "TableLink", "Unreachable", "take_seat"]
