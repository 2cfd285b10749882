"""What compiled code needs to know of the rules, worked out once: their record, and the rolls'."""

from functools import cache
from itertools import chain, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.kernel.layout import ROLLS, RULES, SHARING
from cantstop.rules import Rules, Start, splits, ways

Records = NDArray[Any]
"""An array of records, here always of one."""

DICE_IN_A_ROLL = 4


class Tables(NamedTuple):
    """The rules as compiled code reads them."""

    rules: Records
    rolls: Records


@cache
def rolls_of(sides: int) -> Records:
    """The rolls of four dice with so many sides.

    Thousands of ways for four dice to fall make a few hundred distinct rolls.
    """
    distinct = ways(sides, DICE_IN_A_ROLL)
    numbers = {dice: number for number, dice in enumerate(distinct)}
    falls = list(product(range(1, sides + 1), repeat=DICE_IN_A_ROLL))
    record = np.zeros(1, ROLLS)
    record["falls"] = len(falls)
    record["count"] = len(distinct)
    record["ways"][0, : len(distinct)] = list(distinct.values())
    record["number"][0, : len(falls)] = [numbers[tuple(sorted(dice))] for dice in falls]
    for dice, number in numbers.items():
        found = splits(dice)
        record["columns"][0, number] = sum(1 << column for column in {*chain(*found)})
        record["split_count"][0, number] = len(found)
        record["splits"][0, number, : len(found)] = found
    return record


@cache
def tables_of(rules: Rules) -> Tables:
    """The tables of some rules."""
    record = np.zeros(1, RULES)
    record["players"] = rules.players
    record["columns_to_win"] = rules.columns_to_win
    record["early"] = rules.early
    record["sharing"] = SHARING[rules.sharing]
    record["roll_off"] = rules.start is Start.ROLL_OFF and rules.players > 1
    record["sides"] = rules.board.sides
    record["runners"] = rules.board.runners
    record["tops"][0, : len(rules.board.tops)] = rules.board.tops
    return Tables(record, rolls_of(rules.board.sides))
