"""Can't Stop: the rules, records, dice and odds of the press-your-luck dice game.

>>> import cantstop
>>> game = cantstop.Game()
>>> game.roll("2345")
<LegalMoves: 5+9, 6+8, 7+7>
>>> game.move("7+7")
>>> game.runners[7]
2
>>> game.stop()
"""

from importlib import import_module
from typing import TYPE_CHECKING

from cantstop.dice import DiceSource, EnteredDice, Seal, SealedDice, SecureDice, SeededDice
from cantstop.draw import Arrow, board_png, board_svg, board_text
from cantstop.game import Game
from cantstop.record import (
    Annotation,
    Comment,
    Record,
    RecordError,
    Verification,
    VerificationError,
    read_record,
    read_records,
    record_text,
    verify,
)
from cantstop.rules import (
    EDITIONS,
    Board,
    Busted,
    CantStopError,
    Edition,
    Ending,
    Event,
    IllegalAction,
    ImpossiblePosition,
    InvalidRules,
    InvalidText,
    Move,
    Moved,
    Outcome,
    Phase,
    Position,
    Rolled,
    Rules,
    Sharing,
    Start,
    Stopped,
    WrongType,
    splits,
)

if TYPE_CHECKING:
    from cantstop import arena, bots, client, drills, engine, language, odds, rl, solver
    from cantstop.arena import compete
    from cantstop.bots import play_game
    from cantstop.engine import Analysis, Hint, Option, analyse, analyze
    from cantstop.review import review

__version__ = "0.1.0"


_LAZY = {
    "Analysis": "engine",
    "Hint": "engine",
    "Option": "engine",
    "analyse": "engine",
    "analyze": "engine",
    "compete": "arena",
    "play_game": "bots",
}
"""Names that need more than the standard library, or time to load, and the packages they are in."""

_PACKAGES = frozenset(
    ("arena", "bots", "client", "drills", "engine", "language", "odds", "review", "rl", "solver")
)


def __getattr__(name: str) -> object:
    """What needs more than the core is loaded when it is asked for."""
    if name in _PACKAGES:
        return import_module(f"cantstop.{name}")
    if name in _LAZY:
        return getattr(import_module(f"cantstop.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Everything that is public, also what is not loaded yet."""
    loaded = ("dice", "draw", "record", "rules", *(name for name in globals() if name[:2] == "__"))
    return sorted({*__all__, *loaded})


__all__ = [
    "EDITIONS",
    "Analysis",
    "Annotation",
    "Arrow",
    "Board",
    "Busted",
    "CantStopError",
    "Comment",
    "DiceSource",
    "Edition",
    "Ending",
    "EnteredDice",
    "Event",
    "Game",
    "Hint",
    "IllegalAction",
    "ImpossiblePosition",
    "InvalidRules",
    "InvalidText",
    "Move",
    "Moved",
    "Option",
    "Outcome",
    "Phase",
    "Position",
    "Record",
    "RecordError",
    "Rolled",
    "Rules",
    "Seal",
    "SealedDice",
    "SecureDice",
    "SeededDice",
    "Sharing",
    "Start",
    "Stopped",
    "Verification",
    "VerificationError",
    "WrongType",
    "analyse",
    "analyze",
    "arena",
    "board_png",
    "board_svg",
    "board_text",
    "bots",
    "client",
    "compete",
    "drills",
    "engine",
    "language",
    "odds",
    "play_game",
    "read_record",
    "read_records",
    "record_text",
    "review",
    "rl",
    "solver",
    "splits",
    "verify",
]
