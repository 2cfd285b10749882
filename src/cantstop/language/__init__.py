"""What people read, in their language: gettext catalogues, rules in short, decisions in words."""

from cantstop.language.decision_text import action_text, bust_text, stake_text, worth_text
from cantstop.language.rules_text import short_rules
from cantstop.language.translator import LANGUAGES, Translator, message, pick_language

__all__ = [
    "LANGUAGES",
    "Translator",
    "action_text",
    "bust_text",
    "message",
    "pick_language",
    "short_rules",
    "stake_text",
    "worth_text",
]
