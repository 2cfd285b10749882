"""A share of the work: some games of one table, for whoever plays them, wherever that is."""

import time
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from cantstop.arena.plan import Plan, seatings_of
from cantstop.arena.reference import ReferenceGames
from cantstop.arena.totals import Totals
from cantstop.bots import Bot, any_bot
from cantstop.bots.compiled import record_of
from cantstop.bots.external import PREFIX
from cantstop.kernel.play import play_games
from cantstop.kernel.tables import Records, tables_of
from cantstop.language import message
from cantstop.rules import Rules

NO_SUCH_MOVE = message("it named a move that there is not.")


@dataclass(frozen=True)
class Share:
    """Everything that it takes to play some games, as plain values that travel anywhere."""

    rules: str
    bots: tuple[str, ...]
    seed: int
    seconds: float
    table: int
    first_game: int
    last_game: int

    @classmethod
    def of(cls, plan: Plan, table: int, first_game: int, last_game: int) -> "Share":
        """The games of a plan's table from one number up to another."""
        return cls(
            str(plan.rules),
            plan.names(table),
            plan.seed,
            plan.seconds,
            table,
            first_game,
            last_game,
        )

    @property
    def games(self) -> int:
        """How many games there are."""
        return self.last_game - self.first_game


class Played(NamedTuple):
    """A share that has been played, and how long that took."""

    share: Share
    totals: Totals
    seconds: float


class CompiledTable(NamedTuple):
    """The bots of a table in compiled form; the bots own the code that the records point to."""

    records: Records
    bots: tuple[Bot, ...]


@cache
def compiled_table(names: tuple[str, ...]) -> CompiledTable | None:
    """The bots of a table in compiled form, or None if one of them has none."""
    if any(name.startswith(PREFIX) for name in names):
        return None
    bots = tuple(any_bot(name) for name in names)
    records = [record for record in map(record_of, bots) if record is not None]
    return CompiledTable(np.concatenate(records), bots) if len(records) == len(bots) else None


def play_share(share: Share) -> Played:
    """Play a share's games."""
    begin = time.perf_counter()
    rules, compiled = Rules.parse(share.rules), compiled_table(share.bots)
    if compiled is None:
        totals = _play_by_rules(share, rules)
    else:
        totals = Totals()
        play_games(
            tables_of(rules),
            compiled.records,
            seatings_of(share.bots),
            np.uint64(share.seed),
            share.first_game,
            share.last_game,
            totals.array,
        )
        for bot, times in enumerate(totals.counts("bot_forfeits")):
            if times:
                totals.reasons[bot, NO_SUCH_MOVE] = times
    return Played(share, totals, time.perf_counter() - begin)


def _play_by_rules(share: Share, rules: Rules) -> Totals:
    bots = [any_bot(name, share.seconds) for name in share.bots]
    try:
        table = ReferenceGames(rules, bots, share.seed)
        return table.play(seatings_of(share.bots), share.first_game, share.last_game)
    finally:
        for bot in bots:
            bot.close()
