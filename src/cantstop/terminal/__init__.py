"""The game in a terminal: ``plain`` in lines of text, ``tui`` as a Textual app."""

from cantstop.terminal.console import (
    EXIT_INTERRUPTED,
    EXIT_OK,
    Console,
    standard_console,
    supports_tui,
)
from cantstop.terminal.local_game import LocalGame, LocalSeat, check_names
from cantstop.terminal.narration import Narrator
from cantstop.terminal.new_game import (
    DiceKind,
    NewGameOptions,
    ask_sealed_dice,
    ask_seats,
    default_name,
    default_seats,
    seat_number,
    set_up_game,
)
from cantstop.terminal.options import RulesOptions, Variant, variant_named
from cantstop.terminal.save_file import SaveError, SaveFile, check_new

__all__ = [
    "EXIT_INTERRUPTED",
    "EXIT_OK",
    "Console",
    "DiceKind",
    "LocalGame",
    "LocalSeat",
    "Narrator",
    "NewGameOptions",
    "RulesOptions",
    "SaveError",
    "SaveFile",
    "Variant",
    "ask_sealed_dice",
    "ask_seats",
    "check_names",
    "check_new",
    "default_name",
    "default_seats",
    "seat_number",
    "set_up_game",
    "standard_console",
    "supports_tui",
    "variant_named",
]
