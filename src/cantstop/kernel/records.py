"""Between ``rules`` and the kernel's records: the rules, the rolls of some dice, a position."""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import chain, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.kernel.layout import POSITION, ROLLS, RULES, SECOND, SHARING, STEP_BITS
from cantstop.rules import OFFICIAL, Position, Rules, Sharing, Start, Tokens, splits, ways

Records = NDArray[Any]
"""An array of records, here always of one."""

DICE_IN_A_ROLL = 4


class RulesRecords(NamedTuple):
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
    if sides == OFFICIAL.sides:
        record["fallen"] = [_packed(splits(tuple(sorted(dice)))) for dice in falls]
    return record


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
    record["players"] = rules.players
    record["columns_to_win"] = rules.columns_to_win
    record["early"] = rules.early
    record["sharing"] = SHARING[rules.sharing]
    record["roll_off"] = rules.start is Start.ROLL_OFF and rules.players > 1
    record["sides"] = rules.board.sides
    record["runners"] = rules.board.runners
    record["whole_turns"] = (
        rules.board == OFFICIAL and rules.sharing is Sharing.FREE and not rules.early
    )
    record["tops"][0, : len(rules.board.tops)] = rules.board.tops
    return RulesRecords(record, rolls_of(rules.board.sides))


def to_record(position: Position, moves_made: int) -> Records:
    """A position as a record, with the legal moves of the dice on the table.

    ``moves_made`` counts the moves that the turn has had, which a position does not know.
    """
    board, tokens = position.rules.board, position.tokens
    out = [column for column in board.columns if position.runners[column]]
    topped = [column for column in out if position.runners[column] == board.top(column)]
    within_reach = tokens.open_columns if position.free_runners else out
    array = np.zeros(1, POSITION)
    record = array[0]
    record["seat"] = position.seat
    record["free"] = position.free_runners
    record["topped"] = len(topped)
    record["moves_made"] = moves_made
    record["open"] = _bits(tokens.open_columns)
    record["out"] = _bits(out)
    record["usable"] = _bits(set(within_reach).difference(topped))
    record["entered"][: len(out)] = out
    record["runners"][: len(position.runners)] = position.runners
    for seat, spaces in enumerate(tokens.spaces):
        record["tokens"][seat, : len(spaces)] = spaces
        record["won"][seat] = tokens.counts[seat]
    record["move_count"] = len(position.legal_moves)
    for index, move in enumerate(position.legal_moves):
        record["moves"][index, : len(move)] = move
    return array


def to_position(rules: Rules, array: Records) -> Position:
    """The position that a record stands for, without its dice."""
    columns, record = len(rules.board.tops), array[0]
    tokens = record["tokens"][: rules.players, :columns].tolist()
    return Position(
        Tokens(rules, tuple(tuple(spaces) for spaces in tokens)),
        int(record["seat"]),
        tuple(record["runners"][:columns].tolist()),
    )


def _bits(columns: "set[int] | list[int] | tuple[int, ...]") -> int:
    return sum(1 << column for column in columns)
