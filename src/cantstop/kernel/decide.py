"""Lets whichever bot has the turn decide, in compiled form."""

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic

from cantstop.jit import compiled, inlined
from cantstop.kernel.heuristic import heuristic_choose, heuristic_stop
from cantstop.kernel.layout import BotRecord, PositionRecord, RollsRecord, RulesRecord, StreamRecord
from cantstop.kernel.progress import progress_choose, progress_stop
from cantstop.kernel.stream import below

Typed = Any
"""A type or a value of the compiler's."""

RANDOM, COUNTING, HEURISTIC, PROGRESS, FUNCTION = range(5)


def _call(_context: Typed, address: Typed, rules: Typed, position: Typed) -> tuple[Typed, Typed]:
    def generate(_context: Typed, builder: Typed, _signature: Typed, arguments: Typed) -> Typed:
        number, *records = arguments
        kind = ir.FunctionType(ir.IntType(64), [record.type for record in records])
        return builder.call(builder.inttoptr(number, ir.PointerType(kind)), records)

    return types.int64(address, rules, position), generate


ask_function: Typed = intrinsic(_call)
"""Calls the function at an address, as C does, with the two records' addresses."""


@compiled
def counting_choose(rules: RulesRecord, position: PositionRecord) -> int:
    """The first move whose columns are longest together."""
    best, best_length = 0, 0
    for index in range(position.move_count):
        length = 0
        for part in range(2):
            length += rules.tops[position.moves[index, part]]
        if length > best_length:
            best, best_length = index, length
    return best


@inlined
def choose(
    rules: RulesRecord,
    rolls: RollsRecord,
    position: PositionRecord,
    bot: BotRecord,
    draws: StreamRecord,
    scratch: PositionRecord,
) -> int:
    """The number of the legal move that a bot makes."""
    if bot.kind == HEURISTIC:
        return heuristic_choose(rules, position, bot)
    if bot.kind == COUNTING:
        return counting_choose(rules, position)
    if bot.kind == RANDOM:
        return below(draws, position.move_count)
    if bot.kind == PROGRESS:
        return progress_choose(rules, rolls, position, bot, scratch)
    return ask_function(bot.choose, rules, position)


@inlined
def stop(
    rules: RulesRecord,
    rolls: RollsRecord,
    position: PositionRecord,
    bot: BotRecord,
    draws: StreamRecord,
) -> bool:
    """Whether a bot stops; asked only where it may."""
    if bot.kind == HEURISTIC:
        return heuristic_stop(rules, position, bot)
    if bot.kind == COUNTING:
        return position.moves_made >= bot.enough or position.topped > 0
    if bot.kind == RANDOM:
        return below(draws, bot.enough) == 0
    if bot.kind == PROGRESS:
        return progress_stop(rules, rolls, position, bot)
    return ask_function(bot.stop, rules, position) != 0
