"""Players as pairs of functions that Numba compiles: they play at the kernel's speed.

A function gets two records (``layout`` lists their fields) and must change neither. ``choose``
returns the number of a legal move, ``stop`` whether to stop.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numba
from numba import cfunc, njit, types
from numba.extending import is_jitted

from cantstop.kernel.layout import POSITION_TYPE, RULES_TYPE, PositionRecord, RulesRecord

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
