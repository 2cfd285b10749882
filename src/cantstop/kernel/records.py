"""Between ``rules`` and the kernel's records: the rules, the rolls of some dice, a position."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.jit import compiled, entry, inlined
from cantstop.kernel.fields import position_values, rules_values
from cantstop.kernel.layout import POSITION, ROLLS, RULES, SECOND, STEP_BITS, RollsRecord
from cantstop.rules import OFFICIAL, Position, Rules, Tokens, splits

Records = NDArray[Any]
"""An array of records, here always of one."""

DICE_IN_A_ROLL = 4


class RulesRecords(NamedTuple):
    """The rules as compiled code reads them."""

    rules: Records
    rolls: Records


@cache
def rolls_of(sides: int) -> Records:
    """The rolls of four dice, by their number of sides.

    Thousands of ways for four dice to fall make a few hundred distinct rolls.
    """
    record = np.zeros(1, ROLLS)
    _fill_rolls_at(record, sides)
    if sides == OFFICIAL.sides:
        falls = product(range(1, sides + 1), repeat=DICE_IN_A_ROLL)
        record["fallen"] = [_packed(splits(tuple(sorted(dice)))) for dice in falls]
    return record


@inlined
def _add_split(rolls: RollsRecord, one: int, other: int) -> None:
    """Add a split to the roll that is worked out, unless it has it (T1)."""
    roll = rolls.count
    low, high = min(one, other), max(one, other)
    for index in range(rolls.split_count[roll]):
        if rolls.splits[roll, index, 0] == low:
            return
    rolls.splits[roll, rolls.split_count[roll], 0] = low
    rolls.splits[roll, rolls.split_count[roll], 1] = high
    rolls.split_count[roll] += 1
    rolls.columns[roll] |= 1 << low
    rolls.columns[roll] |= 1 << high


@compiled
def fill_rolls(rolls: RollsRecord, sides: int) -> None:
    """Work out the rolls of four dice, by their number of sides, but for ``fallen``."""
    rolls.falls = sides * sides * sides * sides
    rolls.count = 0
    for fall in range(rolls.falls):
        a, b = fall // (sides * sides * sides), fall // (sides * sides) % sides
        c, d = fall // sides % sides, fall % sides
        a, b = min(a, b), max(a, b)
        c, d = min(c, d), max(c, d)
        a, c = min(a, c), max(a, c)
        b, d = min(b, d), max(b, d)
        b, c = min(b, c), max(b, c)
        sorted_fall = ((a * sides + b) * sides + c) * sides + d
        if sorted_fall == fall:  # the first fall of a roll
            roll = rolls.count
            rolls.number[fall] = roll
            rolls.ways[roll] = rolls.columns[roll] = rolls.split_count[roll] = 0
            _add_split(rolls, a + b + 2, c + d + 2)
            _add_split(rolls, a + c + 2, b + d + 2)
            _add_split(rolls, a + d + 2, b + c + 2)
            rolls.count += 1
        rolls.number[fall] = rolls.number[sorted_fall]
        rolls.ways[rolls.number[fall]] += 1


@entry
def _fill_rolls_at(rolls: Records, sides: int) -> None:
    fill_rolls(rolls[0], sides)


def _packed(found: Sequence[tuple[int, int]]) -> int:
    """A roll in one number: its columns as bits, then its splits.

    The second of two equal sums is marked.
    """
    columns = sum(1 << column for column in {*chain(*found)})
    steps = chain(*((low, high + SECOND * (low == high)) for low, high in found))
    return columns | sum(step << SECOND + STEP_BITS * place for place, step in enumerate(steps))


@lru_cache(maxsize=64)  # boards are without number, and a server is asked about any
def rules_records(rules: Rules) -> RulesRecords:
    """What compiled code has to know of some rules, worked out once."""
    record = np.zeros(1, RULES)
    _fill(record, rules_values(rules))
    return RulesRecords(record, rolls_of(rules.board.sides))


def to_record(position: Position, moves_made: int) -> Records:
    """A position as a record, with the legal moves of the dice on the table.

    ``moves_made`` counts the moves that the turn has had, which a position does not know.
    """
    record = np.zeros(1, POSITION)
    _fill(record, position_values(position, moves_made))
    return record


def _fill(record: Records, values: Mapping[str, Any]) -> None:
    """Put values into a record; those of an array in a row, from its beginning on."""
    for name, value in values.items():
        if isinstance(value, Sequence):
            record[name].reshape(-1)[: len(value)] = list(value)
        else:
            record[name] = value


def to_position(rules: Rules, array: Records) -> Position:
    """The position that a record stands for, without its dice."""
    columns, record = len(rules.board.tops), array[0]
    tokens = record["tokens"][: rules.players, :columns].tolist()
    return Position(
        Tokens(rules, tuple(tuple(spaces) for spaces in tokens)),
        int(record["seat"]),
        tuple(record["runners"][:columns].tolist()),
    )
