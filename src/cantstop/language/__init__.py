"""What people read, in their language: gettext catalogues, rules in short, decisions in words."""

from cantstop.language.bot_names import BOT_NAMES, name_text
from cantstop.language.decision_text import (
    action_text,
    bust_text,
    resigned_text,
    stake_text,
    worth_text,
)
from cantstop.language.figures import (
    points_text,
    round_of,
    signed,
    time_left_text,
    turns_text,
    uncertain,
    with_time_left,
)
from cantstop.language.rules_text import short_rules
from cantstop.language.translator import LANGUAGES, Translator, message, pick_language

__all__ = [
    "BOT_NAMES",
    "LANGUAGES",
    "Translator",
    "action_text",
    "bust_text",
    "message",
    "name_text",
    "pick_language",
    "points_text",
    "resigned_text",
    "round_of",
    "short_rules",
    "signed",
    "stake_text",
    "time_left_text",
    "turns_text",
    "uncertain",
    "with_time_left",
    "worth_text",
]
