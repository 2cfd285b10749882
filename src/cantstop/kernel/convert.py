"""Between positions of ``rules`` and the kernel's records."""

import numpy as np

from cantstop.kernel.layout import POSITION
from cantstop.kernel.tables import Records
from cantstop.rules import Position, Rules, Tokens


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
