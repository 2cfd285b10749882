"""The players that programs are, behind one protocol and by name."""

from cantstop.bots.bot import Bot, moves_made
from cantstop.bots.errors import BotFailure
from cantstop.bots.loading import any_bot, check_bot, close_bot, enrol
from cantstop.bots.registry import BOTS, BotEntry, bot_named

__all__ = [
    "BOTS",
    "Bot",
    "BotEntry",
    "BotFailure",
    "any_bot",
    "bot_named",
    "check_bot",
    "close_bot",
    "enrol",
    "moves_made",
]
