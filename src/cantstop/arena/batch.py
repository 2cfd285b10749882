"""A batch of the work: some games of one match, for whoever plays them, wherever that is."""

import time
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cantstop.arena.checkpoint import Totals
from cantstop.arena.plan import Plan, seatings_of
from cantstop.arena.reference import ReferenceGames
from cantstop.arena.solving import SolvingGames
from cantstop.bots import any_bot
from cantstop.bots.compiled import CompiledBots, compiled_bots
from cantstop.kernel.play import play_games
from cantstop.kernel.records import rules_records
from cantstop.language import message
from cantstop.rules import Rules

NO_SUCH_MOVE = message("it named a move that there is not.")


@dataclass(frozen=True)
class Batch:
    """Everything that it takes to play some games, as plain values that travel anywhere."""

    rules: str
    bots: tuple[str, ...]
    seed: int
    seconds: float
    match: int
    first_game: int
    last_game: int
    control: bool = False

    @classmethod
    def of(cls, plan: Plan, match: int, first_game: int, last_game: int) -> "Batch":
        """The games of a plan's match from one number up to another."""
        return cls(
            str(plan.rules),
            plan.names(match),
            plan.seed,
            plan.seconds,
            match,
            first_game,
            last_game,
            plan.control,
        )

    @property
    def games(self) -> int:
        """How many games there are."""
        return self.last_game - self.first_game


class PlayedBatch(NamedTuple):
    """A batch that has been played, and how long that took."""

    batch: Batch
    totals: Totals
    seconds: float


def play_batch(batch: Batch) -> PlayedBatch:
    """Play a batch's games."""
    begin = time.perf_counter()
    rules, compiled = Rules.parse(batch.rules), compiled_bots(batch.bots)
    if compiled is None:
        totals = _play_by_rules(batch, rules)
    else:
        totals = _play_compiled(batch, rules, compiled)
    return PlayedBatch(batch, totals, time.perf_counter() - begin)


def _play_compiled(batch: Batch, rules: Rules, bots: CompiledBots) -> Totals:
    seatings = seatings_of(batch.bots)
    if bots.solve_turns or batch.control:
        games = SolvingGames(rules, bots, batch.seed, control=batch.control)
        totals = games.play(seatings, batch.first_game, batch.last_game)
    else:
        totals, seed = Totals(), np.uint64(batch.seed)
        ends = batch.first_game, batch.last_game
        play_games(rules_records(rules), bots.records, seatings, seed, *ends, totals.array)
    for bot, times in enumerate(totals.counts("bot_forfeits")):
        if times:
            totals.reasons[bot, NO_SUCH_MOVE] = times
    return totals


def _play_by_rules(batch: Batch, rules: Rules) -> Totals:
    bots = [any_bot(name, batch.seconds) for name in batch.bots]
    try:
        games = ReferenceGames(rules, bots, batch.seed, control=batch.control)
        return games.play(seatings_of(batch.bots), batch.first_game, batch.last_game)
    finally:
        for bot in bots:
            bot.close()
