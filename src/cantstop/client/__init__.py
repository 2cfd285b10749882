"""A player's side of the server's protocol: open a table, take a seat, play.

``play(link, "careful")`` puts a bot at a seat; ``Player`` is for what one decides oneself.
"""

from cantstop.client.line import Line
from cantstop.client.links import TableLink
from cantstop.client.player import Player
from cantstop.client.playing import play
from cantstop.client.requests import (
    OPEN,
    Refused,
    Unreachable,
    bot,
    human,
    look,
    open_lesson,
    open_table,
    record,
    take_seat,
)
from cantstop.client.secrets import SeatKeeper
from cantstop.client.table import Play, Seat, Table, game_event

__all__ = [
    "OPEN",
    "Line",
    "Play",
    "Player",
    "Refused",
    "Seat",
    "SeatKeeper",
    "Table",
    "TableLink",
    "Unreachable",
    "bot",
    "game_event",
    "human",
    "look",
    "open_lesson",
    "open_table",
    "play",
    "record",
    "take_seat",
]
