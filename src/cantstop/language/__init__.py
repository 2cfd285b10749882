"""What people read, in their language: gettext catalogues, and the rules of a game in short."""

from cantstop.language.rules_text import short_rules
from cantstop.language.translator import LANGUAGES, Translator, message, pick_language

__all__ = ["LANGUAGES", "Translator", "message", "pick_language", "short_rules"]
