"""From four dice to the moves they allow: splits, and what each lets the runners do (T1-T6, V2)."""

from functools import cache
from typing import Self

from cantstop.rules.errors import InvalidText

Dice = tuple[int, ...]
"""Thrown dice in the order they fell: four in a turn, two in the roll-off for the start."""

_MOST_KNOWN = 500
"""So many answers are kept for each roll; random games of the official board ask for about 300."""

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


@cache
def splits(dice: Dice) -> tuple[Split, ...]:
    """The distinct ways to pair four dice, in the order the dice lie (T1).

    >>> splits((1, 5, 4, 6))
    ((6, 10), (5, 11), (7, 9))
    """
    a, b, c, d = dice
    pairs = ((a + b, c + d), (a + c, b + d), (a + d, b + c))
    return tuple(dict.fromkeys((min(pair), max(pair)) for pair in pairs))


Reach = tuple[int, int, int, int]
"""Where runners can step: the columns in which a step can be made, those in which two can (none
where no runner is left for the column), the columns with a runner; and how many are in hand.

Sets of columns are integers here: bit 7 stands for column 7."""


@cache
def columns_in(bits: int) -> tuple[int, ...]:
    """The columns of a set, lowest first."""
    return tuple(column for column in range(bits.bit_length()) if bits >> column & 1)


class LegalMoves(tuple[Move, ...]):
    """The legal moves of a position: a tuple that shows itself as people write moves."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<LegalMoves: {', '.join(map(str, self)) or 'none'}>"


NO_MOVES = LegalMoves()


class Roll:
    """Four dice on the table, lowest first, and what they allow; ``early`` asks for V2."""

    __slots__ = ("_columns", "_doubles", "_early", "_known", "_ways", "dice")

    def __init__(self, dice: Dice, early: bool) -> None:
        self.dice = dice
        self._early = early
        self._columns = self._doubles = 0
        self._ways = []
        for low, high in splits(dice):
            both = 1 << low | 1 << high
            self._columns |= both
            if low == high:
                self._doubles |= both
            self._ways.append((both, 1 << low, Move(low, high), Move(low), Move(high)))
        self._known: dict[Reach, LegalMoves] = {}

    def moves(self, reach: Reach) -> LegalMoves:
        """The legal moves, where runners can step so far.

        What other columns allow changes nothing, so the same few answers are given all the time.
        """
        once, twice, taken, free = reach
        columns = self._columns
        if free == 1 or self._early:
            key = once & columns, twice & self._doubles, taken & columns, free
        else:
            key = once & columns, twice & self._doubles, 0, 0
        moves = self._known.get(key)
        if moves is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            moves = self._known[key] = self._find_moves(*reach)
        return moves

    def _find_moves(self, once: int, twice: int, taken: int, free: int) -> LegalMoves:
        found: list[Move] = []
        for columns, low, both, only_low, only_high in self._ways:
            usable = once & columns
            if usable == columns:
                if columns == low:  # T6: the same column twice, if there is room
                    found.append(both if twice & low else only_low)
                elif free == 1 and not taken & columns:  # T5
                    found += (only_low, only_high)
                else:  # T4
                    found.append(both)
            elif usable:
                found.append(only_low if usable == low else only_high)
        if self._early and len(found) > 1:
            brought = [sum(not taken >> column & 1 for column in set(move)) for move in found]
            most = max(brought)
            found = [move for move, new in zip(found, brought, strict=True) if new == most]
        return LegalMoves(found)


class Rolls(dict[Dice, Roll]):
    """All rolls of four dice, by the dice as they fell; it fills itself as they are asked for.

    What four dice cannot show is a ``KeyError``.
    """

    def __init__(self, sides: int, early: bool) -> None:
        self._faces, self._early = range(1, sides + 1), early

    def __missing__(self, dice: Dice) -> Roll:
        fallen = tuple(sorted(dice))
        if fallen != dice:
            self[dice] = self[fallen]
        elif len(dice) == 4 and all(die in self._faces for die in dice):
            self[dice] = Roll(dice, self._early)
        else:
            raise KeyError(dice)
        return self[dice]


rolls_of = cache(Rolls)
"""The rolls of dice with so many sides; positions of all games share them."""
