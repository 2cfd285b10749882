"""All anchors of a game: which ones are over, and in which order the others are solved."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cantstop.jit import compiled, entry
from cantstop.solver.numbering import Digits, Numbering

SKIPPED = -1


@dataclass(frozen=True, eq=False)
class Enumeration:
    """The anchors of a game.

    ``values`` has the result where the game is over, and NaN for the others. ``order`` lists the
    anchors to solve; those of level ``k`` are ``order[start[k] : start[k + 1]]`` and need only
    anchors of lower levels. Of anchors that are mirror images, or the same tokens seen from both
    sides, only one is listed.
    """

    anchors: int
    boards: int
    values: NDArray[np.float64]
    order: NDArray[np.int64]
    start: NDArray[np.int64]


def enumerate_anchors(numbering: Numbering) -> Enumeration:
    """Go through all anchors of a game."""
    digits, rules = numbering.digits, numbering.rules
    values = np.full(numbering.boards, np.nan)
    levels = np.full(numbering.boards, SKIPPED, np.int16)
    anchors, boards = _fill_levels(
        digits, rules.columns_to_win, rules.players, numbering.is_mirrored, values, levels
    )
    to_solve = np.flatnonzero(levels != SKIPPED)
    order = to_solve[np.argsort(levels[to_solve], kind="stable")]
    highest = int(levels.max(initial=0))
    start = np.searchsorted(levels[order], np.arange(highest + 2))
    return Enumeration(anchors, boards, values, order, start)


@compiled
def image(digits: Digits, digit: NDArray[np.int64], number: int, mirror: bool, flip: bool) -> int:
    """The number of an anchor's mirror image, as the other seat sees it, or both."""
    found = 0 if mirror else number
    last = len(digit) - 1
    for column in range(len(digit)):
        if mirror:
            found += digit[column] * digits.weight[last - column]
        if flip:
            place = last - column if mirror else column
            found += digits.flipped[place, digit[column]]
    return found


@compiled
def read_digits(digits: Digits, number: int, into: NDArray[np.int64]) -> None:
    """The digits of a number."""
    for column in range(len(into)):
        into[column] = number // digits.weight[column] % digits.base[column]


@compiled
def _is_first(
    digits: Digits, digit: NDArray[np.int64], number: int, mirrored: bool, players: int
) -> bool:
    """Whether an anchor has the lowest number of all that must have its value."""
    if players > 1 and image(digits, digit, number, mirror=False, flip=True) < number:
        return False
    if not mirrored:
        return True
    return not (
        image(digits, digit, number, mirror=True, flip=False) < number
        or (players > 1 and image(digits, digit, number, mirror=True, flip=True) < number)
    )


@compiled
def _result(mine: int, theirs: int, still_open: int, to_win: int, players: int) -> float:
    """What an anchor is worth to the player whose turn it is if the game is over, else NaN."""
    if players == 1:
        return 0.0 if mine >= to_win else np.nan
    if theirs >= to_win:
        return 0.0
    if mine >= to_win:
        return 1.0
    if still_open:
        return np.nan
    if mine == theirs:  # W5
        return 0.5
    return 1.0 if mine > theirs else 0.0


@entry
def _fill_levels(
    digits: Digits,
    to_win: int,
    players: int,
    mirrored: bool,
    values: NDArray[np.float64],
    levels: NDArray[np.int16],
) -> tuple[int, int]:
    """Fill in results and levels; returns how many anchors are open and how many possible."""
    columns = len(digits.weight)
    digit = np.zeros(columns, np.int64)
    anchors = boards = 0
    for number in range(len(values)):
        level = mine = theirs = still_open = 0
        possible = True
        for column in range(columns):
            at = digit[column]
            level += digits.level[column, at]
            mine += digits.mine[column, at]
            theirs += digits.theirs[column, at]
            still_open += digits.steps[column, at] > 0
            possible &= digits.possible[column, at]
        if possible:
            boards += 1
            values[number] = _result(mine, theirs, still_open, to_win, players)
            if np.isnan(values[number]):
                anchors += 1
                if _is_first(digits, digit, number, mirrored, players):
                    levels[number] = level
        for column in range(columns - 1, -1, -1):
            digit[column] += 1
            if digit[column] < digits.base[column]:
                break
            digit[column] = 0
    return anchors, boards
