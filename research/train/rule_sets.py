"""The games that the networks are for, and anchors as the training code writes them.

A network serves a *family*: all games for a number of players with one kind of sharing. It sees the
columns that everybody still needs (V1) and whether runners have to come out early (V2).

An anchor is a row of small integers, seats counted from the one whose turn it is: for every seat
the spaces left to the top of each column, 0 where the column is closed, then the columns it still
needs. A start has two more: the columns that win, and V2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.evaluators.value.network import COLUMNS, SEAT
from cantstop.rules import Board, Rules, Tokens

if TYPE_CHECKING:
    from cantstop.rules import Position

Anchors = NDArray[np.int8]


def middle_of(board: Board) -> int:
    """The place of a board's first column: smaller boards lie in the middle of the official one."""
    return (COLUMNS - len(board.lengths)) // 2


def lengths_of(board: Board) -> NDArray[np.int8]:
    """The lengths of a board's columns in their places; 0 for a column that it lacks."""
    lengths = np.zeros(COLUMNS, np.int8)
    first = middle_of(board)
    lengths[first : first + len(board.lengths)] = board.lengths
    return lengths


def first_start(rules: Rules) -> Anchors:
    """The start of the game before anything has happened."""
    seat = [*lengths_of(rules.board), rules.columns_to_win]
    return np.array([*seat * rules.players, rules.columns_to_win, rules.early], np.int8)


def position_of(start: Anchors, rules: Rules) -> Position:
    """A start as a position with the first seat to move; closed columns go to whom they fit."""
    from cantstop.rules.position import Position

    board, first = rules.board, middle_of(rules.board)
    spaces = np.zeros((rules.players, len(board.tops)), int)
    seats = start[: rules.players * SEAT].reshape(rules.players, SEAT)
    owned = [
        seat
        for seat in range(rules.players)
        for _ in range(rules.columns_to_win - seats[seat, COLUMNS])
    ]
    for at, column in enumerate(board.columns):
        left = seats[:, first + at]
        if left[0]:
            spaces[:, column] = board.top(column) - left
        else:
            spaces[owned.pop(), column] = board.top(column)
    assert not owned
    tokens = Tokens(rules, tuple(tuple(map(int, row)) for row in spaces))
    return Position(tokens, 0, rules.board.no_runners)
