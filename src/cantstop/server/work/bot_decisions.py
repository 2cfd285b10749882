"""What the pool's processes do for bots that take their time, and for those that others wrote."""

from collections import OrderedDict
from contextlib import suppress

from cantstop.bots import Bot, Choice, bot_named, decide, register_bot
from cantstop.bots.warm_up import warm_up
from cantstop.extras import is_installed
from cantstop.rules import CantStopError, Move, Position
from cantstop.server.work.process import report_preparation

MOST_BOTS = 16
"""Bots in the cache of a process: one that solves turns keeps half a megabyte for each."""

_bots: "OrderedDict[tuple[str, str], Bot]" = OrderedDict()
"""By table and name: a bot that has solved a turn at a table is asked about that turn again."""


def register_bots(own: tuple[str, ...]) -> None:
    """Know the bots that the operator has brought along."""
    for bot in own:
        with suppress(CantStopError):  # the server itself could load it; if not we, it fails then
            register_bot(bot)


def prepare_engine() -> None:
    """Load the turn solver, and compile it on a new installation, before anybody waits for it."""
    if is_installed("engine"):  # there are no strong bots without it
        warm_up(lambda share: report_preparation(max(share, 0.01)))


def decide_for(table_id: str, name: str, position: Position, moves: int) -> Move | Choice:
    """What the bot of that name does at a table; it is told the position and nothing else."""
    bot = _bots.get((table_id, name))
    if bot is None:
        bot = _bots[table_id, name] = bot_named(name)
        if len(_bots) > MOST_BOTS:
            _bots.popitem(last=False)
    else:
        _bots.move_to_end((table_id, name))
    return decide(bot, position, moves)
