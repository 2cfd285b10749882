"""Lets whichever bot has the turn decide, in compiled form.

A bot can be a pair of functions that Numba compiles: they play at the kernel's speed.

A function gets two records (``layout`` lists their fields) and must change neither. ``choose``
returns the number of a legal move, ``stop`` whether to stop.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numba
from llvmlite import ir  # type: ignore[import-untyped]
from numba import cfunc, njit, types
from numba.extending import intrinsic, is_jitted

from cantstop.jit import compiled, inlined
from cantstop.kernel.heuristic import heuristic_choose, heuristic_stop
from cantstop.kernel.layout import (
    POSITION_TYPE,
    RULES_TYPE,
    BotRecord,
    PositionRecord,
    RollsRecord,
    RulesRecord,
    StreamRecord,
)
from cantstop.kernel.progress import progress_choose, progress_stop
from cantstop.kernel.stream import below

_pointer: Any = types.CPointer
_carray: Any = numba.carray  # type: ignore[attr-defined]
_SIGNATURE = types.int64(_pointer(RULES_TYPE), _pointer(POSITION_TYPE))

Decision = Callable[[RulesRecord, PositionRecord], Any]
Address = Any
"""A C function: it has an ``address``, and ``ctypes`` to call it."""


@dataclass(frozen=True, eq=False)
class Functions:
    """Two compiled decisions, and what keeps their code alive: the addresses are theirs."""

    choose: Address
    stop: Address

    @property
    def addresses(self) -> tuple[int, int]:
        """Where compiled code finds the decisions."""
        return self.choose.address, self.stop.address


def functions(choose: Decision, stop: Decision) -> Functions:
    """Compile two decisions; functions that are compiled already stay as they are."""
    return Functions(_at_address(choose), _at_address(stop))


def _at_address(decision: Decision) -> Address:
    compiled: Any = decision if is_jitted(decision) else njit(decision)

    @cfunc(_SIGNATURE)
    def ask(rules: Address, position: Address) -> int:
        return int(compiled(_carray(rules, 1)[0], _carray(position, 1)[0]))

    return ask


Typed = Any
"""A type or a value of the compiler's."""

RANDOM, COUNTING, HEURISTIC, PROGRESS, FUNCTION, SOLVER = range(6)
"""Bots that solve their turns decide elsewhere: the kernel knows no turn solver."""


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
