"""From four dice to the moves they allow: splits, and what each lets the runners do (T1-T6, V2)."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Self, overload

from cantstop.rules.errors import InvalidText
from cantstop.rules.lazy import lazy

Dice = tuple[int, ...]
"""Thrown dice in the order they fell: four in a turn, two in the roll-off for the start."""

Split = tuple[int, int]
"""Two sums that together use all four dice, the smaller first."""


class Move(tuple[int, ...]):
    """What the runners do after a roll: the columns in which one steps up, lowest first.

    A move is a tuple, so ``(6, 8) in position.legal_moves`` works as well.

    >>> Move(8, 6), str(Move(7, 7)), Move.parse("2")
    (Move(6, 8), '7+7', Move(2))
    """

    __slots__ = ()

    def __new__(cls, *columns: int) -> Self:
        return super().__new__(cls, sorted(columns))

    def __getnewargs__(self) -> tuple[int, ...]:
        return tuple(self)

    def __str__(self) -> str:
        return "+".join(map(str, self))

    def __repr__(self) -> str:
        return f"Move({', '.join(map(str, self))})"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a move such as ``6+8``, ``7+7`` or ``2``."""
        parts = text.split("+")
        if len(parts) > 2 or not all(
            part.isascii() and part.isdecimal() and len(part) <= 2 for part in parts
        ):
            raise InvalidText(
                "“{text}” is not a move; moves look like “6+8”, “7+7” or “2”.", text=text
            )
        return cls(*map(int, parts))


_move = cache(Move)
"""Moves are few and asked for all the time."""


@cache
def splits(dice: Dice) -> tuple[Split, ...]:
    """The distinct ways to pair four dice, in the order the dice lie (T1).

    >>> splits((1, 5, 4, 6))
    ((6, 10), (5, 11), (7, 9))
    """
    a, b, c, d = dice
    pairs = ((a + b, c + d), (a + c, b + d), (a + d, b + c))
    return tuple(dict.fromkeys((min(pair), max(pair)) for pair in pairs))


def moves_of(
    ways: Sequence[Split],
    steps_left: Callable[[int], int],
    runners: Sequence[int],
    free: int,
    early: bool,
) -> tuple[Move, ...]:
    """The legal moves of a roll.

    ``steps_left`` says of a column how many steps there are still (0 where it is won or its
    runner is on the top); ``runners`` is truthy for the columns with a runner. ``free`` counts
    the runners in hand, ``early`` asks for V2.
    """
    found: list[Move] = []
    for low, high in ways:
        if low == high:
            steps = steps_left(low) if free or runners[low] else 0
            if steps:  # T6
                found.append(_move(low, low) if steps > 1 else _move(low))
            continue
        use_low = (free or runners[low]) and steps_left(low)
        use_high = (free or runners[high]) and steps_left(high)
        if use_low and use_high:
            if free == 1 and not runners[low] and not runners[high]:  # T5
                found += (_move(low), _move(high))
            else:  # T4
                found.append(_move(low, high))
        elif use_low:
            found.append(_move(low))
        elif use_high:
            found.append(_move(high))
    if early and len(found) > 1:
        brought = [sum(not runners[column] for column in set(move)) for move in found]
        most = max(brought)
        found = [move for move, new in zip(found, brought, strict=True) if new == most]
    return tuple(found)


class LegalMoves(Sequence[Move]):
    """The legal moves of a position: worked out when first asked for.

    It counts, iterates, answers ``in`` and is false when there is none.
    """

    def __init__(self, work_out: Callable[[], tuple[Move, ...]]) -> None:
        self._work_out = work_out

    @lazy
    def _moves(self) -> tuple[Move, ...]:
        return self._work_out()

    def __len__(self) -> int:
        return len(self._moves)

    def __iter__(self) -> Iterator[Move]:
        return iter(self._moves)

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Move, ...]: ...
    def __getitem__(self, index: int | slice) -> Move | tuple[Move, ...]:
        return self._moves[index]

    def __contains__(self, move: object) -> bool:
        return move in self._moves

    def __repr__(self) -> str:
        return f"<LegalMoves: {', '.join(map(str, self._moves)) or 'none'}>"
