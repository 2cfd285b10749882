"""What people read, in their language: gettext catalogues, and the rules of a game in short."""

from cantstop.language.languages import LANGUAGES, pick_language
from cantstop.language.rules_text import short_rules
from cantstop.language.translator import Translator, message

__all__ = ["LANGUAGES", "Translator", "message", "pick_language", "short_rules"]
