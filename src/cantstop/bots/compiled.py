"""The bots' compiled forms: the same parameters as a record that the kernel reads."""

import numpy as np

from cantstop.bots.bot import Bot, Decisions
from cantstop.bots.heuristic import HeuristicBot
from cantstop.bots.loading import LoadedBot
from cantstop.bots.progress import COLUMN_WORTH, ProgressBot
from cantstop.bots.simple import RANDOM_STOP, CountingBot, RandomBot
from cantstop.kernel.decide import (
    COUNTING,
    FUNCTION,
    HEURISTIC,
    PROGRESS,
    RANDOM,
    Address,
    Decision,
    functions,
)
from cantstop.kernel.layout import BOT, DIFFICULTIES, SECOND
from cantstop.kernel.records import Records, rules_records, to_record
from cantstop.rules import IllegalAction, Move, Position


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


def record_of(bot: Decisions) -> Records | None:
    """A bot's compiled form, or None if it has none."""
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
    for column, value in weights.progress_values().items():
        record["progress"][0, column] = value
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
