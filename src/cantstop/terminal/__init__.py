"""The game in a plain terminal: everything said in words, everything typed in words."""

from cantstop.terminal.console import Talk, console
from cantstop.terminal.leaving import FINE, INTERRUPTED, play_and_keep
from cantstop.terminal.options import Variant, WantedRules, variant_named
from cantstop.terminal.saving import SaveError, check_new
from cantstop.terminal.seating import USUAL_PLAYERS, ask_seats, seal_dice, seat_number, usual_seats
from cantstop.terminal.seats import Seat, check_names, seat_named
from cantstop.terminal.session import Quit, Session
from cantstop.terminal.table import Table, TableDice

__all__ = [
    "FINE",
    "INTERRUPTED",
    "USUAL_PLAYERS",
    "Quit",
    "SaveError",
    "Seat",
    "Session",
    "Table",
    "TableDice",
    "Talk",
    "Variant",
    "WantedRules",
    "ask_seats",
    "check_names",
    "check_new",
    "console",
    "play_and_keep",
    "seal_dice",
    "seat_named",
    "seat_number",
    "usual_seats",
    "variant_named",
]
