"""What the pool's processes do for bots that take their time, and for those that others wrote."""

from collections import OrderedDict
from contextlib import suppress

from cantstop.bots import Bot, bot_named, decide, register_bot
from cantstop.extras import is_installed
from cantstop.rules import Action, CantStopError, Position

MOST_BOTS = 16
"""Bots in the cache of a process: one that solves turns keeps half a megabyte for each."""

_OPENING = Position.parse("v1,players=2 -/- 1 - 2345")

_bots: "OrderedDict[tuple[str, str], Bot]" = OrderedDict()
"""By table and name: a bot that has solved a turn at a table is asked about that turn again."""


def register_bots(own: tuple[str, ...]) -> None:
    """Know the bots that the operator has brought along."""
    for bot in own:
        with suppress(CantStopError):  # the server itself could load it; if not we, it fails then
            register_bot(bot)


def prepare_engine() -> None:
    """Load the turn solver before anybody waits for it: let the champion decide once."""
    if is_installed("engine"):  # there are no strong bots without it
        decide(bot_named("champion"), _OPENING, 0)


def decide_for(table_id: str, name: str, position: Position, moves: int) -> Action:
    """What the bot of that name does at a table; it gets the position and nothing else."""
    bot = _bots.get((table_id, name))
    if bot is None:
        bot = _bots[table_id, name] = bot_named(name)
        if len(_bots) > MOST_BOTS:
            _bots.popitem(last=False)
    else:
        _bots.move_to_end((table_id, name))
    return decide(bot, position, moves)
