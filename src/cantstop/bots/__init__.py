"""The players that programs are, behind one protocol and by name."""

from cantstop.bots.bot import PACE, Bot, BotFailure, Choice, Decisions, decide
from cantstop.bots.ladder import LADDER, Level
from cantstop.bots.loading import any_bot, as_bot, register_bot
from cantstop.bots.registry import BOTS, BotEntry, bot_named, is_instant

__all__ = [
    "BOTS",
    "LADDER",
    "PACE",
    "Bot",
    "BotEntry",
    "BotFailure",
    "Choice",
    "Decisions",
    "Level",
    "any_bot",
    "as_bot",
    "bot_named",
    "decide",
    "is_instant",
    "register_bot",
]
