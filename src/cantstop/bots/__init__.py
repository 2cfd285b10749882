"""The players that programs are, behind one protocol and by name."""

from cantstop.bots.bot import PACE, Bot, BotFailure, Decisions, check_rules, decide
from cantstop.bots.ladder import LADDER, Level
from cantstop.bots.loading import AnyBot, any_bot, as_bot, read_bot, register_bot
from cantstop.bots.playing import play_game
from cantstop.bots.registry import BOTS, BotEntry, bot_named, is_instant

__all__ = [
    "BOTS",
    "LADDER",
    "PACE",
    "AnyBot",
    "Bot",
    "BotEntry",
    "BotFailure",
    "Decisions",
    "Level",
    "any_bot",
    "as_bot",
    "bot_named",
    "check_rules",
    "decide",
    "is_instant",
    "play_game",
    "read_bot",
    "register_bot",
]
