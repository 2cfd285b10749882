"""A batch of the work: some games of one match, for whoever plays them, wherever that is."""

import time
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cantstop.arena.checkpoint import Totals
from cantstop.arena.plan import Plan, seatings_of
from cantstop.arena.reference import IsCancelled, ReferenceGames, never
from cantstop.arena.solving import SolvingGames
from cantstop.bots import Bot, BotFailure, any_bot
from cantstop.bots.compiled import CompiledBots, compiled_bots, compiled_forms
from cantstop.bots.external import PREFIX
from cantstop.kernel.play import play_games
from cantstop.kernel.records import rules_records
from cantstop.rules import Rules


@dataclass(frozen=True)
class Batch:
    """Everything that it takes to play some games.

    It travels anywhere, unless there are bots in it that are objects.
    """

    rules: str
    bots: tuple[str, ...]
    seed: int
    seconds: float
    match: int
    first_game: int
    last_game: int
    control: bool = False
    own: tuple[Bot | None, ...] = ()
    """Bots that are objects of this process, in the places of their names."""

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
            plan.own_bots(match),
        )

    @property
    def games(self) -> int:
        """How many games there are."""
        return self.last_game - self.first_game

    @property
    def compiled(self) -> CompiledBots | None:
        """The bots in compiled form, or None if one of them has none."""
        if not self.own:
            return compiled_bots(self.bots)
        if any(name.startswith(PREFIX) for name in self.bots):
            return None
        return compiled_forms(self.players())

    def players(self) -> list[Bot]:
        """The bots."""
        own = self.own or (None,) * len(self.bots)
        return [
            any_bot(name, self.seconds) if given is None else given
            for name, given in zip(self.bots, own, strict=True)
        ]


class PlayedBatch(NamedTuple):
    """A batch that has been played, and how long that took."""

    batch: Batch
    totals: Totals
    seconds: float


def play_batch(batch: Batch, is_cancelled: IsCancelled = never) -> PlayedBatch:
    """Play a batch's games; the first failure of a bot is raised."""
    begin = time.perf_counter()
    rules, compiled = Rules.parse(batch.rules), batch.compiled
    if compiled is None:
        totals = _play_by_rules(batch, rules, is_cancelled)
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
            reason = BotFailure("it named a move that does not exist.")
            raise BotFailure.of(batch.bots[bot], reason)
    return totals


def _play_by_rules(batch: Batch, rules: Rules, is_cancelled: IsCancelled) -> Totals:
    bots = batch.players()
    try:
        games = ReferenceGames(
            rules, bots, batch.seed, control=batch.control, is_cancelled=is_cancelled
        )
        return games.play(seatings_of(batch.bots), batch.first_game, batch.last_game)
    finally:
        for bot in bots:
            if not any(bot is given for given in batch.own):
                bot.close()
