"""The bots' compiled forms: the same parameters as a record that the kernel reads."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from cantstop.extras import require

require("arena")

import numpy as np

from cantstop.bots.bot import Bot, Decisions
from cantstop.bots.expert import ExpertBot
from cantstop.bots.external import PREFIX
from cantstop.bots.heuristic import HeuristicBot
from cantstop.bots.judgement import Judgement, JudgingBot, judgement_record
from cantstop.bots.loading import LoadedBot, any_bot
from cantstop.bots.progress import COLUMN_WORTH, ProgressBot
from cantstop.bots.simple import RANDOM_STOP, CountingBot, RandomBot
from cantstop.kernel.decide import (
    COUNTING,
    FUNCTION,
    HEURISTIC,
    PROGRESS,
    RANDOM,
    SOLVER,
    Address,
    Decision,
    functions,
)
from cantstop.kernel.layout import BOT, DIFFICULTIES, SECOND
from cantstop.kernel.records import Records, rules_records, to_record
from cantstop.rules import IllegalAction, Move, Position, Rules

if TYPE_CHECKING:
    from cantstop.engine import Evaluator


class CompiledBot(Bot):
    """A bot of two functions that Numba compiles, ``docs/bots.md`` shows one.

    At a table of compiled bots it plays at the kernel's speed; elsewhere it is asked like any bot.
    """

    def __init__(self, choose: Decision, stop: Decision, name: str = "compiled") -> None:
        self.name = name
        self.functions = functions(choose, stop)

    def choose(self, position: Position, moves: int) -> Move:
        """The move that the function names by its number."""
        index = self._ask(self.functions.choose, position, moves)
        if not 0 <= index < len(position.legal_moves):
            raise IllegalAction(
                "There is no legal move number {index}: they are numbered from 0 to {last}.",
                index=index,
                last=len(position.legal_moves) - 1,
            )
        return position.legal_moves[index]

    def stop(self, position: Position, moves: int) -> bool:
        """Whether the function says so."""
        return self._ask(self.functions.stop, position, moves) != 0

    @staticmethod
    def _ask(function: Address, position: Position, moves: int) -> int:
        rules, record = rules_records(position.rules).rules, to_record(position, moves)
        return int(function.ctypes(rules.ctypes.data, record.ctypes.data))


class CompiledBots(NamedTuple):
    """The bots of a match in compiled form; the bots own the code that the records point to."""

    records: Records
    judgements: Records
    """For those who decide by one; of the others it says nothing."""
    bots: tuple[Decisions, ...]

    @property
    def solve_turns(self) -> bool:
        """Whether there are bots that solve their turns."""
        return bool((self.records["kind"] == SOLVER).any())

    def evaluators(self, rules: Rules) -> "list[Evaluator | None]":
        """What each bot solves its turns by; None for those who do not."""
        return [bot.evaluator(rules) if isinstance(bot, ExpertBot) else None for bot in self.bots]


@cache
def compiled_bots(names: tuple[str, ...]) -> CompiledBots | None:
    """The bots of a match in compiled form, or None if one of them has none."""
    if any(name.startswith(PREFIX) for name in names):
        return None
    return compiled_forms([any_bot(name) for name in names])


def compiled_forms(given: Sequence[Decisions]) -> CompiledBots | None:
    """These bots in compiled form, or None if one of them has none."""
    bots = tuple(map(_inner, given))
    records = [record for record in map(record_of, bots) if record is not None]
    if len(records) < len(bots):
        return None
    judgements = [
        judgement_record(bot.judgement if isinstance(bot, JudgingBot) else Judgement())
        for bot in bots
    ]
    return CompiledBots(np.concatenate(records), np.concatenate(judgements), bots)


def _inner(bot: Decisions) -> Decisions:
    """The bot itself, where a loaded one stands around it."""
    return _inner(bot.player) if isinstance(bot, LoadedBot) else bot


_OURS = RandomBot, CountingBot, HeuristicBot, ProgressBot, ExpertBot
_PACKAGE = f"{__package__}."


def record_of(bot: Decisions) -> Records | None:
    """A bot's compiled form, or None if it has none."""
    if isinstance(bot, _OURS) and not type(bot).__module__.startswith(_PACKAGE):
        return None  # a user's own class, which may decide otherwise
    record = np.zeros(1, BOT)
    match bot:
        case RandomBot():
            record["kind"], record["number"] = RANDOM, bot.seed or 0
            record["enough"] = RANDOM_STOP
        case CountingBot():
            record["kind"], record["enough"] = COUNTING, bot.enough
        case HeuristicBot():
            _write_weights(record, bot)
        case ProgressBot():
            record["kind"], record["caution"] = PROGRESS, bot.caution
            record["column_worth"] = COLUMN_WORTH
        case ExpertBot(has_own_evaluator=False):
            record["kind"], record["judges"] = SOLVER, isinstance(bot, JudgingBot)
        case LoadedBot(player=player):
            return record_of(player)
        case CompiledBot():
            record["kind"] = FUNCTION
            record["choose"], record["stop"] = bot.functions.addresses
        case _:
            return None
    return record


def _write_weights(record: Records, bot: HeuristicBot) -> None:
    weights = bot.weights
    record["kind"] = HEURISTIC
    for name in ("threshold", "marker", "entry", "foresees", "odd", "even", "high", "low"):
        record[name] = getattr(weights, name)
    record["tops"], record["race"] = weights.tops, weights.race
    for column, value in weights.progress_values().items():
        record["progress"][0, column] = value
        record["space"][0, column] = value * weights.spaces
    for column, values in weights.choice_values().items():
        record["reached"][0, column, 1 : len(values) + 1] = np.cumsum(values)
        for left, value in enumerate(reversed(values), 1):
            record["worth"][0, 0, left, column] = weights.entry * value - weights.marker
            record["worth"][0, 1, left, column] = value
            record["worth"][0, :, left + 1, column + SECOND] = value
    for runners in range(DIFFICULTIES):
        odd, even, low, high = (runners >> bit & 1 for bit in range(4))
        parity = weights.even if not odd else weights.odd if not even else 0
        side = weights.low if not high else weights.high if not low else 0
        record["difficulty"][0, runners] = parity + side
