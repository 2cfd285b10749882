"""The players that programs are, behind one protocol and by name."""

from cantstop.bots.bot import Bot, moves_made
from cantstop.bots.registry import BOTS, BotEntry, bot_named

__all__ = ["BOTS", "Bot", "BotEntry", "bot_named", "moves_made"]
