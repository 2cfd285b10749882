"""From four dice to the moves they allow: splits, and what each lets the runners do (T1-T6, V2)."""

from collections.abc import Iterable
from functools import cache, lru_cache
from operator import index
from typing import Any, Self, cast, overload

from cantstop.rules.board import LARGEST_DIE
from cantstop.rules.errors import (
    CantStopError,
    InvalidText,
    WrongType,
    check_is_text,
    whole_number,
)

Dice = tuple[int, ...]
"""Thrown dice in the order they fell: four in a turn, two in the roll-off for the start."""

AnyDice = Iterable[int] | str
"""Dice as a caller may give them: ``"2345"``, ``(2, 3, 4, 5)`` or any other whole numbers."""

_MOST_KNOWN = 500
"""Answers cached for each roll; random games of the official board need about 300."""
_MOST_SETS = 4096
"""Sets of columns that are cached: the official board has 232."""
_MOST_ROLLS = 2048
"""Rolls cached for each kind of dice, as they fell: dice of six sides have 1,296."""


def dice_text(dice: Dice, sides: int) -> str:
    """Dice as text: ``2345``, or ``2-12-4-5`` where a die can show more than 9."""
    return ("" if sides <= 9 else "-").join(map(str, dice))


def parse_dice(text: str) -> Dice:
    """Read dice such as ``2345`` or ``2-3-4-5``; a roll checks how many and which.

    Raises:
        InvalidText: If the text is not dice.
    """
    check_is_text(text, "2345")
    parts = text.split("-") if "-" in text else list(text)
    if not parts or not all(
        part.isascii() and part.isdecimal() and len(part) <= 2 for part in parts
    ):
        raise InvalidText("“{text}” is not a roll; rolls look like “2345”.", text=text)
    return tuple(map(int, parts))


def read_dice(dice: AnyDice) -> Dice:
    """The dice that a caller gives in any form; a roll checks how many and which.

    >>> read_dice("2345"), read_dice([6, 6, 1, 2])
    ((2, 3, 4, 5), (6, 6, 1, 2))

    Raises:
        WrongType: If they are neither numbers nor a text.
    """
    if isinstance(dice, str):
        return parse_dice(dice)
    try:
        return tuple(map(whole_number, _not_bytes(dice)))
    except TypeError:
        raise WrongType(
            "{dice} is not a roll: dice are whole numbers, such as (2, 3, 4, 5), or text, such as "
            "“2345”.",
            dice=repr(dice),
        ) from None


def _not_bytes(values: Iterable[int]) -> Iterable[int]:
    if isinstance(values, bytes | bytearray):  # whose items are numbers, but of letters
        raise TypeError(values)
    return values


Split = tuple[int, int]
"""Two sums that together use all four dice, the smaller first."""


class Move(tuple[int, ...]):
    """What the runners do after a roll: the columns in which one steps up, lowest first.

    A move is a tuple, and is made from its columns, from another tuple or from its text:
    ``Move(6, 8) == Move((6, 8)) == Move("6+8") == (6, 8)``.

    >>> Move(8, 6), str(Move(7, 7)), Move("2")
    (Move(6, 8), '7+7', Move(2))
    """

    __slots__ = ()

    @overload
    def __new__(cls, move: "AnyMove", /) -> Self: ...
    @overload
    def __new__(cls, *columns: int) -> Self: ...
    def __new__(cls, *given: "int | AnyMove") -> Self:
        columns: Any = given
        if len(given) == 1 and isinstance(given[0], Iterable):
            if isinstance(given[0], str):
                return cls.parse(given[0])
            columns = given[0]
        try:
            columns = tuple(_not_bytes(columns))
            move = super().__new__(cls, sorted(map(whole_number, columns)))
        except TypeError:
            raise not_a_move(columns) from None
        if not move:
            raise not_a_move(columns)
        return move

    def __str__(self) -> str:
        return "+".join(map(str, self))

    def __repr__(self) -> str:
        return f"Move({', '.join(map(str, self))})"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a move such as ``6+8``, ``7+7`` or ``2``.

        Raises:
            InvalidText: If the text is not a move.
        """
        check_is_text(text, "6+8")
        parts = text.split("+")
        if len(parts) > 2 or not all(
            part.isascii() and part.isdecimal() and len(part) <= 2 for part in parts
        ):
            raise InvalidText(
                "“{text}” is not a move; moves look like “6+8”, “7+7” or “2”.", text=text
            )
        return cls(*map(int, parts))

    @classmethod
    def read(cls, move: "AnyMove") -> Self:
        """The move that a caller gives in any form.

        >>> Move.read("6+8"), Move.read([8, 6])
        (Move(6, 8), Move(6, 8))
        """
        if isinstance(move, cls):
            return move
        if not isinstance(move, Iterable):  # 7 may be a column, or the number of a move in a list
            raise not_a_move(move)
        return cls(move)


AnyMove = Iterable[int] | str
"""A move as a caller may give it: ``"6+8"``, ``(6, 8)`` or a legal move."""


def not_a_move(move: object) -> WrongType:
    """The error for a text or value that is not a move in any position."""
    return WrongType(
        "{move} is not a move: give columns, such as (6, 8), or text, such as “6+8”.",
        move=repr(move),
    )


def splits(dice: AnyDice) -> tuple[Split, ...]:
    """The distinct ways to pair four dice, in the order the dice lie (T1).

    >>> splits("1546")
    ((6, 10), (5, 11), (7, 9))

    Raises:
        InvalidText: If there are not four dice.
    """
    fallen = read_dice(dice)
    if len(fallen) != 4:
        raise InvalidText("Four dice are split into two pairs, not {count}.", count=len(fallen))
    return _splits(fallen)


@cache
def _splits(dice: Dice) -> tuple[Split, ...]:
    a, b, c, d = dice
    pairs = ((a + b, c + d), (a + c, b + d), (a + d, b + c))
    return tuple(dict.fromkeys((min(pair), max(pair)) for pair in pairs))


Reach = int
"""Where runners can step, as one number, because every roll asks for it: a hexadecimal digit for
each column (column 7 is the digit of 16 ** 7), which is the sum of

- 1: a runner is there,
- 2: a step can be made there (T2),
- 4: a second one too (T6);

and below them, where no column is, how many runners are in hand."""

IN_HAND = 0xFF
"""The part of a reach that counts the runners in hand."""

COLUMNS = range(2 * LARGEST_DIE + 1)
RUNNER, STEP, SECOND_STEP = (
    tuple(digit << 4 * column for column in COLUMNS) for digit in (1, 2, 4)
)
"""What each column adds to a reach."""

ENTER = tuple(runner - 1 for runner in RUNNER)
"""What a runner that enters a column adds to a reach: it is there, and no longer in hand."""

RUNNERS = sum(RUNNER[2:])
"""The part of a reach that tells where runners are."""

WHOLE_DIGIT = 7
"""Runners times this: everything that a reach says about their columns."""


class _ColumnSets(dict[int, tuple[int, ...]]):
    """The columns of sets of runners; it fills itself. Large boards have half a million sets."""

    def __missing__(self, out: int) -> tuple[int, ...]:
        if len(self) >= _MOST_SETS:
            self.clear()
        columns = self[out] = tuple(column for column in COLUMNS if out & RUNNER[column])
        return columns


columns_of = _ColumnSets().__getitem__
"""The columns of a set of runners, lowest first."""


class LegalMoves(tuple[Move, ...]):
    """The legal moves of a position: a tuple that shows itself as people write moves.

    Whatever ``Position.move`` takes can be looked for:

    >>> moves = LegalMoves([Move(5, 9), Move(6, 8)])
    >>> "6+8" in moves, (8, 6) in moves, "7+7" in moves
    (True, True, False)
    """

    __slots__ = ()

    def __contains__(self, move: object) -> bool:
        try:
            return tuple.__contains__(self, Move.read(cast("AnyMove", move)))
        except CantStopError:
            return False

    def __repr__(self) -> str:
        return f"<LegalMoves: {', '.join(map(str, self)) or 'none'}>"


NO_MOVES = LegalMoves()


class Roll(dict[int, LegalMoves]):
    """Four dice on the table, lowest first, and what they allow; ``early`` asks for V2.

    It maps what matters of a reach, ``reach & relevant``, to the legal moves, and fills itself:
    what other columns allow changes nothing, so the same few answers are given all the time.
    ``relevant_to_last`` is for the last runner in hand, when it matters where the others are (T5).
    """

    __slots__ = ("_early", "_ways", "dice", "relevant", "relevant_to_last")

    def __init__(self, dice: Dice, early: bool) -> None:
        self.dice = dice
        self._early = early
        self._ways = [
            (low, high, Move(low, high), Move(low), Move(high)) for low, high in _splits(dice)
        ]
        self.relevant = self.relevant_to_last = 0
        for low, high in _splits(dice):
            self.relevant |= STEP[low] | STEP[high] | (SECOND_STEP[low] if low == high else 0)
            self.relevant_to_last |= self.relevant | RUNNER[low] | RUNNER[high] | IN_HAND
        if early:
            self.relevant = self.relevant_to_last

    def moves(self, reach: Reach) -> LegalMoves:
        """The legal moves, where runners can step so far."""
        return self[reach & (self.relevant_to_last if reach & IN_HAND == 1 else self.relevant)]

    def __missing__(self, reach: Reach) -> LegalMoves:
        if len(self) >= _MOST_KNOWN:
            self.clear()
        moves = self[reach] = self._find_moves(reach)
        return moves

    def _find_moves(self, reach: Reach) -> LegalMoves:
        found: list[Move] = []
        for low, high, both, only_low, only_high in self._ways:
            if low == high:  # T6: the same column twice, if there is room
                if reach & STEP[low]:
                    found.append(both if reach & SECOND_STEP[low] else only_low)
            elif reach & STEP[low] and reach & STEP[high]:
                if reach & IN_HAND == 1 and not reach & (RUNNER[low] | RUNNER[high]):  # T5
                    found += (only_low, only_high)
                else:  # T4
                    found.append(both)
            elif reach & STEP[low]:
                found.append(only_low)
            elif reach & STEP[high]:
                found.append(only_high)
        if self._early and len(found) > 1:  # V2
            brought = [sum(not reach & RUNNER[column] for column in set(move)) for move in found]
            most = max(brought)
            found = [move for move, new in zip(found, brought, strict=True) if new == most]
        return LegalMoves(found)


class Rolls(dict[Dice, Roll]):
    """All rolls of four dice, by the dice as they fell; it fills itself as they are asked for.

    Raises ``KeyError`` for what four dice cannot show, ``TypeError`` unless all are integers.
    """

    def __init__(self, sides: int, early: bool) -> None:
        self._faces, self._early = range(1, sides + 1), early

    def __missing__(self, dice: Dice) -> Roll:
        if not isinstance(dice, tuple):
            raise KeyError(dice)
        fallen = tuple(sorted(map(index, dice)))
        if len(self) >= _MOST_ROLLS:
            self.clear()
        if fallen != dice:
            self[dice] = self[fallen]
        elif len(fallen) == 4 and all(die in self._faces for die in fallen):
            self[fallen] = Roll(fallen, self._early)
        else:
            raise KeyError(dice)
        return self[dice]


rolls_of = lru_cache(maxsize=8)(Rolls)
"""The rolls of dice by their number of sides; positions of all games share them."""
