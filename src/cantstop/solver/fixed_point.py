"""Anchors solved one after the other, in compiled code.

The turn of an anchor leads back to it by a bust, so its value is a fixed point. With the value of a
bust given, the turn can be solved; the value that this gives the anchor is a convex, piecewise
linear function of it. The fixed point is found by secant steps, which are Newton steps as soon as
the same decisions are best at both ends, inside a bracket. With two players a bust leads to the
other seat's turn with the same tokens, and its bust back: the same with two turns one after the
other.

The first guess comes from the neighbours that are solved already: the anchors with some of the
tokens one step further. If the mixed difference over a group of columns is neglected, the anchor's
value follows from the neighbours'; the guess is the mean of that over all groups of a size, which
gives each neighbour a weight that depends only on how many tokens differ.
"""

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.turn import (
    StateLayout,
    TurnTables,
    TurnValues,
    next_state,
    number_states,
    place_at_bottom,
    solve_states,
)
from cantstop.jit import compiled, entry
from cantstop.solver.enumeration import image, read_digits
from cantstop.solver.numbering import Digits

TOLERANCE = 1e-12
MAX_PASSES = 200
GROUP = 6
MAX_COLUMNS = 11
"""Further columns are left as they are: the number of neighbours doubles with each."""


class SolverTables(NamedTuple):
    """What is the same for all anchors of a game.

    ``states`` is the number of states that a turn has at most, ``weights`` are those of
    ``neighbour_weights``. ``mirrored``: an anchor's mirror image has the same value.
    """

    turn: TurnTables
    digits: Digits
    players: int
    mirrored: bool
    states: int
    weights: NDArray[np.float64]


class SeatTurn(NamedTuple):
    """Working memory for the turn of one seat."""

    digit: NDArray[np.int64]
    layout: StateLayout
    values: TurnValues


class Bust(NamedTuple):
    """How a bust leads back to the anchor: ``symmetric`` if both seats see the same tokens."""

    players: int
    symmetric: bool


def neighbour_weights() -> NDArray[np.float64]:
    """``weights[m, k]``: the weight of neighbours with ``k`` of ``m`` tokens one step further."""
    weights = np.zeros((MAX_COLUMNS + 1, MAX_COLUMNS + 1))
    for movable in range(1, MAX_COLUMNS + 1):
        group = min(GROUP, movable)
        for moved in range(1, group + 1):
            share = comb(movable - moved, group - moved) / comb(movable, group)
            weights[movable, moved] = share if moved % 2 else -share
    return weights


@compiled
def _guess_value(
    digits: Digits,
    digit: NDArray[np.int64],
    number: int,
    weights: NDArray[np.float64],
    values: NDArray[np.float64],
    unknown: float,
) -> float:
    """The guess, or ``unknown`` where there is no neighbour to go by."""
    nudges = np.empty(MAX_COLUMNS, np.int64)
    movable = 0
    for column in range(len(digit)):
        nudge = digits.nudge[column, digit[column]]
        if nudge and movable < MAX_COLUMNS:
            nudges[movable] = nudge
            movable += 1
    if movable == 0:
        return unknown
    shift = np.zeros(1 << movable, np.int64)
    moved = np.zeros(1 << movable, np.int64)
    total = 0.0
    for place in range(movable):
        for group in range(1 << place, 2 << place):
            rest = group - (1 << place)
            shift[group] = shift[rest] + nudges[place]
            moved[group] = moved[rest] + 1
            weight = weights[movable, moved[group]]
            if weight:
                total += weight * values[number + shift[group]]
    return total


@compiled
def _new_turn(tables: TurnTables, states: int) -> SeatTurn:
    """Working memory for a turn with at most ``states`` states."""
    sets = tables.sets
    columns = sets.children.shape[1]
    return SeatTurn(
        np.empty(columns, np.int64),
        StateLayout(
            np.empty(columns, np.int64),
            np.empty(len(sets.sizes), np.int64),
            np.empty(sets.members.shape, np.int64),
        ),
        TurnValues(np.empty(states), np.empty(states), np.empty(states + 1)),
    )


@compiled
def _prepare_turn(
    tables: TurnTables,
    digits: Digits,
    flipped: int,
    total: float,
    values: NDArray[np.float64],
    turn: SeatTurn,
) -> int:
    """Number the states of an anchor's turn and fill in what stops are worth; returns the count.

    ``flipped`` is the anchor's number as the other seat sees it, and ``total`` what an end is
    worth to both seats together: 1, or 0 in a solo game, where the values are turns to come.
    """
    steps, first = turn.layout.steps, turn.layout.first
    members, sizes = tables.sets.members, tables.sets.sizes
    digit, stop = turn.digit, turn.values.stop
    landing, shared = digits.landing, digits.shared
    for column in range(len(digit)):
        steps[column] = digits.steps[column, digit[column]]
    count = number_states(tables.sets, tables.wanted, turn.layout)
    made = np.empty(members.shape[1], np.int64)
    stop[0] = -np.inf
    for index in range(1, len(sizes)):
        last = sizes[index] - 1
        column = members[index, last]
        rows = place_at_bottom(members, index, last, steps, made)
        state = first[index]
        for _ in range(rows if steps[column] else 0):
            end, legal = flipped, True
            for at in range(last):
                other = members[index, at]
                end += landing[other, digit[other], made[at]]
                legal &= not shared[other, digit[other], made[at]]
            for step in range(1, steps[column] + 1):
                free = legal and not shared[column, digit[column], step]
                worth = total - values[end + landing[column, digit[column], step]]
                stop[state] = worth if free else -np.inf
                state += 1
            next_state(members, index, last, steps, made)
    return count


@compiled
def _turn_value(tables: TurnTables, turn: SeatTurn, count: int, bust: float) -> float:
    """What the turn is worth if a bust is worth so much."""
    stop, again, value = turn.values
    solve_states(tables, turn.layout, bust, TurnValues(stop, again, value[: count + 1]))
    result: float = value[0]
    return result


@compiled
def _image_of(
    tables: TurnTables,
    turns: tuple[SeatTurn, SeatTurn],
    counts: tuple[int, int],
    bust: Bust,
    value: float,
) -> float:
    """The value that an anchor has if a guess of it is right for what a bust leads back to."""
    if bust.players == 1:
        return 1.0 - _turn_value(tables, turns[0], counts[0], -value)
    if bust.symmetric:
        return _turn_value(tables, turns[0], counts[0], 1.0 - value)
    return _turn_value(
        tables, turns[0], counts[0], 1.0 - _turn_value(tables, turns[1], counts[1], 1.0 - value)
    )


@compiled
def _find_fixed_point(
    tables: TurnTables,
    turns: tuple[SeatTurn, SeatTurn],
    counts: tuple[int, int],
    bust: Bust,
    guess: float,
    slope: float,
) -> tuple[float, float, int]:
    """The value of an anchor, the slope of the excess at it, and the passes that it took.

    The excess, image minus value, falls from positive to negative. ``slope`` is a guess as well.
    """
    low, high = (1.0, np.inf) if bust.players == 1 else (0.0, 1.0)
    value = min(max(guess, low), high)
    before, excess_before = value, 0.0
    for passed in range(1, MAX_PASSES):
        excess = _image_of(tables, turns, counts, bust, value) - value
        if excess > 0.0:
            low = value
        else:
            high = value
        if passed > 1 and abs(value - before) > TOLERANCE:
            slope = (excess - excess_before) / (value - before)
        slope = min(max(slope, -2.0), -1e-6)
        better = value - excess / slope
        if abs(better - value) <= TOLERANCE * max(1.0, value):
            return better, slope, passed
        if not low < better < high:
            better = 0.5 * (low + high) if high < np.inf else value + 1.0
        before, excess_before, value = value, excess, better
    return value, slope, MAX_PASSES


@entry
def solve_batch(
    tables: SolverTables, numbers: NDArray[np.int64], values: NDArray[np.float64]
) -> int:
    """Fill in the values of these anchors and of their images; returns the passes it took."""
    turn_tables, digits, players = tables.turn, tables.digits, tables.players
    turns = _new_turn(turn_tables, tables.states), _new_turn(turn_tables, tables.states)
    total = players - 1.0
    unknown, slope = (2.0, -0.7) if players == 1 else (0.5, -0.9)
    passes = 0
    for number in numbers:
        mine, theirs = turns[0].digit, turns[1].digit
        read_digits(digits, number, mine)
        flipped = image(digits, mine, number, mirror=False, flip=players > 1)
        counts = _prepare_turn(turn_tables, digits, flipped, total, values, turns[0]), 0
        symmetric = flipped == number
        if not symmetric:
            read_digits(digits, flipped, theirs)
            other_count = _prepare_turn(turn_tables, digits, number, total, values, turns[1])
            counts = counts[0], other_count
        guess = _guess_value(digits, mine, number, tables.weights, values, unknown)
        bust = Bust(players, symmetric)
        value, slope, took = _find_fixed_point(turn_tables, turns, counts, bust, guess, slope)
        passes += took
        values[number] = value
        if tables.mirrored:
            values[image(digits, mine, number, mirror=True, flip=False)] = value
        if not symmetric:
            # after the last pass this is the other seat's turn at the final value
            other = turns[1].values.value[0]
            values[flipped] = other
            if tables.mirrored:
                values[image(digits, mine, number, mirror=True, flip=True)] = other
    return passes
