"""The game itself: pure, immutable, standard library only. docs/rules.md has every rule's id."""

from cantstop.rules.actions import Action, Choice, parse_action
from cantstop.rules.board import OFFICIAL, Board
from cantstop.rules.chance import Chance, chances, ways
from cantstop.rules.check import check
from cantstop.rules.editions import EDITIONS, Edition, edition_named
from cantstop.rules.errors import (
    CantStopError,
    IllegalAction,
    ImpossiblePosition,
    InvalidRules,
    InvalidText,
    Phrase,
    WrongType,
    check_is_text,
    choices_for,
    whole_number,
)
from cantstop.rules.events import Busted, Event, Moved, Rolled, Stopped, moves_after
from cantstop.rules.moves import (
    AnyDice,
    AnyMove,
    Dice,
    LegalMoves,
    Move,
    Roll,
    Split,
    dice_text,
    parse_dice,
    read_dice,
    splits,
)
from cantstop.rules.options import read_rules, rules_for, rules_from_text
from cantstop.rules.outcome import Ending, Outcome
from cantstop.rules.position import Phase, Position, check_is_position
from cantstop.rules.settings import RULES_VERSION, Rules, Sharing, Start
from cantstop.rules.start import RollOff
from cantstop.rules.text import parse_position, position_text
from cantstop.rules.tokens import NOBODY, Tokens

__all__ = [
    "EDITIONS",
    "NOBODY",
    "OFFICIAL",
    "RULES_VERSION",
    "Action",
    "AnyDice",
    "AnyMove",
    "Board",
    "Busted",
    "CantStopError",
    "Chance",
    "Choice",
    "Dice",
    "Edition",
    "Ending",
    "Event",
    "IllegalAction",
    "ImpossiblePosition",
    "InvalidRules",
    "InvalidText",
    "LegalMoves",
    "Move",
    "Moved",
    "Outcome",
    "Phase",
    "Phrase",
    "Position",
    "Roll",
    "RollOff",
    "Rolled",
    "Rules",
    "Sharing",
    "Split",
    "Start",
    "Stopped",
    "Tokens",
    "WrongType",
    "chances",
    "check",
    "check_is_position",
    "check_is_text",
    "choices_for",
    "dice_text",
    "edition_named",
    "moves_after",
    "parse_action",
    "parse_dice",
    "parse_position",
    "position_text",
    "read_dice",
    "read_rules",
    "rules_for",
    "rules_from_text",
    "splits",
    "ways",
    "whole_number",
]
