"""From four dice to the moves they allow: splits, and what each lets the runners do (T1-T6, V2)."""

from collections.abc import Iterable
from functools import cache
from operator import index
from typing import Self, cast

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
"""So many answers are kept for each roll; random games of the official board ask for about 300."""


def dice_text(dice: Dice, sides: int) -> str:
    """Dice as text: ``2345``, or ``2-12-4-5`` where a die can show more than 9."""
    return ("" if sides <= 9 else "-").join(map(str, dice))


def parse_dice(text: str) -> Dice:
    """Read dice such as ``2345`` or ``2-3-4-5``; a roll checks how many and which."""
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

    A move is a tuple: ``Move(6, 8) == (6, 8)``.

    >>> Move(8, 6), str(Move(7, 7)), Move.parse("2")
    (Move(6, 8), '7+7', Move(2))
    """

    __slots__ = ()

    def __new__(cls, *columns: int) -> Self:
        try:
            move = super().__new__(cls, sorted(map(whole_number, columns)))
        except TypeError:
            raise not_a_move(columns) from None
        if not columns:
            raise not_a_move(columns)
        return move

    def __getnewargs__(self) -> tuple[int, ...]:
        return tuple(self)

    def __str__(self) -> str:
        return "+".join(map(str, self))

    def __repr__(self) -> str:
        return f"Move({', '.join(map(str, self))})"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a move such as ``6+8``, ``7+7`` or ``2``."""
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
        if isinstance(move, str):
            return cls.parse(move)
        try:
            columns = tuple(_not_bytes(move))
        except TypeError:
            raise not_a_move(move) from None
        return cls(*columns)


AnyMove = Iterable[int] | str
"""A move as a caller may give it: ``"6+8"``, ``(6, 8)`` or a legal move."""


def not_a_move(move: object) -> WrongType:
    """The error of a move that is none in any position."""
    return WrongType(
        "{move} is not a move: give columns, such as (6, 8), or text, such as “6+8”.",
        move=repr(move),
    )


def splits(dice: AnyDice) -> tuple[Split, ...]:
    """The distinct ways to pair four dice, in the order the dice lie (T1).

    >>> splits("1546")
    ((6, 10), (5, 11), (7, 9))
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


Reach = tuple[int, int, int, int]
"""Where runners can step: the columns in which a step can be made, those in which two can (none
where no runner is left for the column), the columns with a runner; and how many are in hand.

Sets of columns are integers here: bit 7 stands for column 7."""


BITS = tuple(1 << column for column in range(2 * LARGEST_DIE + 1))
"""The bit of each column."""


@cache
def columns_in(bits: int) -> tuple[int, ...]:
    """The columns of a set, lowest first."""
    return tuple(column for column in range(bits.bit_length()) if bits >> column & 1)


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


class Roll:
    """Four dice on the table, lowest first, and what they allow; ``early`` asks for V2."""

    __slots__ = ("_columns", "_doubles", "_early", "_known", "_ways", "dice")

    def __init__(self, dice: Dice, early: bool) -> None:
        self.dice = dice
        self._early = early
        self._columns = self._doubles = 0
        self._ways = []
        for low, high in _splits(dice):
            both = 1 << low | 1 << high
            self._columns |= both
            if low == high:
                self._doubles |= both
            self._ways.append((both, 1 << low, Move(low, high), Move(low), Move(high)))
        self._known: dict[tuple[int, ...], LegalMoves] = {}

    def moves(self, reach: Reach) -> LegalMoves:
        """The legal moves, where runners can step so far.

        What other columns allow changes nothing, so the same few answers are given all the time.
        """
        once, twice, taken, free = reach
        columns = self._columns
        if free == 1 or self._early:
            key: tuple[int, ...] = once & columns, twice & self._doubles, taken & columns, free
        else:
            key = once & columns, twice & self._doubles
        try:
            return self._known[key]
        except KeyError:
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

    What four dice cannot show is a ``KeyError``, and what is no whole number a ``TypeError``.
    """

    def __init__(self, sides: int, early: bool) -> None:
        self._faces, self._early = range(1, sides + 1), early

    def __missing__(self, dice: Dice) -> Roll:
        if not isinstance(dice, tuple):
            raise KeyError(dice)
        fallen = tuple(sorted(map(index, dice)))
        if fallen != dice:
            self[dice] = self[fallen]
        elif len(fallen) == 4 and all(die in self._faces for die in fallen):
            self[fallen] = Roll(fallen, self._early)
        else:
            raise KeyError(dice)
        return self[dice]


rolls_of = cache(Rolls)
"""The rolls of dice with so many sides; positions of all games share them."""
