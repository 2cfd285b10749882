"""The game in a terminal: plain, everything said and typed in words; or as an app."""

from cantstop.terminal.console import Talk, console, is_modern
from cantstop.terminal.keeping import Keeping
from cantstop.terminal.leaving import (
    FINE,
    INTERRUPTED,
    keep_for_later,
    play_and_keep,
    tell_record,
)
from cantstop.terminal.options import Variant, WantedRules, variant_named
from cantstop.terminal.retelling import retell
from cantstop.terminal.saving import SaveError, check_new
from cantstop.terminal.seating import (
    USUAL_PLAYERS,
    ask_seats,
    seal_dice,
    seat_number,
    usual_name,
    usual_seats,
)
from cantstop.terminal.seats import Seat, check_names, seat_named
from cantstop.terminal.session import Quit, Session
from cantstop.terminal.table import Table, TableDice

__all__ = [
    "FINE",
    "INTERRUPTED",
    "USUAL_PLAYERS",
    "Keeping",
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
    "is_modern",
    "keep_for_later",
    "play_and_keep",
    "retell",
    "seal_dice",
    "seat_named",
    "seat_number",
    "tell_record",
    "usual_name",
    "usual_seats",
    "variant_named",
]
