"""The value network over the ends of one turn, in compiled code.

All ends of a turn differ from the board before it in the mover's runners alone. So the sum of an
end's vectors is that of the board plus one vector for each runner, by its step, and one for the
number of columns won. What the last two columns of a set of runners add is the same whatever the
first one does: it is added up once, for every pair of steps, and for each step of the first runner
the ends go through the layers in a row. Vectors are multiples of ``GRAIN``, so that all orders of
adding give the same sums, and every end has exactly the value that ``sums.py`` finds for it. What
is added up here has 16 bits: ``MOST_CHANGE`` says why they are enough.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.evaluators.value.network import (
    COLUMNS,
    LENGTHS,
    SQUARE_GRAIN,
    Floats,
    Shorts,
)
from cantstop.engine.evaluators.value.sums import (
    AT_ONCE,
    BLOCK,
    PADDING,
    Layers,
    row_of_needs,
    row_of_pair,
    run_layers,
    square_of,
    sum_of_anchor,
    write_worth,
)
from cantstop.engine.turn.states import ColumnSets, StateLayout
from cantstop.jit import compiled, inlined, merged

RUNNERS = 3
LONGEST = int(LENGTHS.max())
LARGEST_SLAB = LONGEST * LONGEST
LOWEST_SHORT, HIGHEST_SHORT = -(2**15), 2**15 - 1


class Block(NamedTuple):
    """Ends that go through the layers together; ``rows`` says which they are."""

    sums: Floats
    deep: Floats
    logits: Floats
    rows: NDArray[np.int64]


class EndsMemory(NamedTuple):
    """Working memory.

    ``steps[column, :, s]`` is what ``s`` steps of a runner add to the sum, ``won[k]`` what ``k``
    columns won by this turn add to it. ``slab[first, :, place]`` is what the last two runners add,
    for all pairs of their steps, if the first runner has won its column or not. Sums begin at
    ``start``.
    """

    steps: Shorts
    won: Shorts
    slab: Shorts
    start: Shorts
    block: Block


def new_ends_memory(layers: Layers) -> EndsMemory:
    """Working memory for a network."""
    width = len(layers.early)
    return EndsMemory(
        np.zeros((COLUMNS, width, LONGEST + 1), np.int16),
        np.zeros((RUNNERS + 1, width), np.int16),
        np.zeros((2, width, LARGEST_SLAB), np.int16),
        np.zeros(width, np.int16),
        Block(
            np.zeros((layers.hidden.shape[1], BLOCK + PADDING), np.float32),
            np.empty((AT_ONCE, BLOCK), np.float32),
            np.empty((len(layers.out), BLOCK), np.float32),
            np.zeros(BLOCK, np.int64),
        ),
    )


@inlined
def _find_change(
    vectors: Shorts, column: int, left: NDArray[np.int64], mine: int, change: Shorts
) -> None:
    """What a column adds once the mover, the last seat, has ``mine`` left of it; at 0 it closes."""
    seats, couple = len(left), 0
    for at in range(len(change)):
        change[at] = 0
    for one in range(seats):
        for other in range(one + 1, seats):
            if other == seats - 1 or mine == 0:
                before = row_of_pair(couple, column, left[one], left[other])
                after = row_of_pair(couple, column, left[one] if mine else 0, mine)
                for at in range(len(change)):
                    change[at] += vectors[after, at] - vectors[before, at]
            couple += 1


@merged
def _vectors_of_steps(
    vectors: Shorts,
    tokens: NDArray[np.int8],
    seat: int,
    steps: NDArray[np.int64],
    path: NDArray[np.int64],
    into: Shorts,
) -> None:
    """What each step in each column adds: other pairs with the mover, or a closed column.

    The mover is the last in the order that begins with the seat to move.
    """
    seats, change = len(tokens), np.empty(vectors.shape[1], np.int16)
    left = np.empty(seats, np.int64)
    for column in range(COLUMNS):
        for place in range(seats):
            left[place] = LENGTHS[column] - tokens[(seat + 1 + place) % seats, column]
        for step in range(1, steps[column] + 1):
            _find_change(vectors, column, left, LENGTHS[column] - path[column, step], change)
            for at in range(len(change)):
                into[column, at, step] = change[at]


@merged
def _vectors_of_wins(
    vectors: Shorts, won: NDArray[np.int64], seat: int, to_win: int, into: Shorts
) -> None:
    """What columns won add by what the mover still needs; the last one stands for a game won."""
    seats, couple = len(won), 0
    needed = to_win - won[seat]
    for count in range(len(into)):
        for at in range(vectors.shape[1]):
            into[count, at] = 0
    for one in range(seats - 1):
        couple += seats - 1 - one
        need = to_win - won[(seat + 1 + one) % seats]
        before = row_of_needs(couple - 1, need, needed)
        for count in range(len(into)):
            after = row_of_needs(couple - 1, need, max(needed - count, 1))
            for at in range(vectors.shape[1]):
                into[count, at] += vectors[after, at] - vectors[before, at]


@merged
def _fill_slab(memory: EndsMemory, low: int, high: int, rows: int, columns: int, wins: int) -> None:
    """Add up what the last two runners add, for every pair of their steps that does not win."""
    steps, won, slab = memory.steps, memory.won, memory.slab
    for first in range(2 - wins):
        for at in range(slab.shape[1]):
            into, along = slab[first, at], steps[high, at]
            place = 0
            for row in range(1, rows + 1 - wins):
                topped = first + (row == rows)
                begin = steps[low, at, row] + won[topped, at]
                for column in range(1, columns):
                    into[place] = begin + along[column]
                    place += 1
                if not wins:
                    into[place] = steps[low, at, row] + won[topped + 1, at] + along[columns]
                    place += 1


@inlined
def _add_to_block(
    start: Shorts, slab: Shorts, begin: int, count: int, sums: Floats, place: int
) -> None:
    """Put the squares of some sums, and of the mirror's, into the block."""
    units = len(sums)
    for unit in range(units):
        one, other = start[unit], start[units + unit]
        left, right = slab[unit, begin : begin + count], slab[units + unit, begin : begin + count]
        into = sums[unit, place : place + count]
        for at in range(count):
            squares = square_of(one + left[at]) + square_of(other + right[at])
            into[at] = np.float32(squares) * np.float32(SQUARE_GRAIN)


class _Target(NamedTuple):
    """Where ends go: through the layers, by way of a block, into ``worth``.

    ``following`` is to move after the turn.
    """

    layers: Layers
    block: Block
    following: int
    worth: NDArray[np.float64]


@compiled
def _run_block(target: _Target, count: int) -> None:
    block = target.block
    run_layers(target.layers, block.sums, block.deep, block.logits)
    write_worth(block.logits, count, block.rows, target.following, target.worth)


@compiled
def _add_slab(
    target: _Target,
    start: Shorts,
    slab: Shorts,
    size: int,
    row: int,
    left_out: int,
    state: int,
    filled: int,
) -> int:
    """Add ends, from a state on, to the block; returns how far it is filled.

    After every ``row`` of them some states are left out.
    """
    block = target.block
    begin = 0
    while begin < size:
        count = min(size - begin, BLOCK - filled)
        _add_to_block(start, slab, begin, count, block.sums, filled)
        for at in range(count):
            block.rows[filled + at] = state + begin + at
        if left_out:
            for at in range(count):
                block.rows[filled + at] += (begin + at) // row * left_out
        begin += count
        filled += count
        if filled == BLOCK:
            _run_block(target, filled)
            filled = 0
    return filled


class _Ends(NamedTuple):
    """What is the same for all ends of a turn: ``board`` is the sum before it.

    ``wins`` tells whether one more column wins the game.
    """

    target: _Target
    memory: EndsMemory
    board: NDArray[np.int32]
    children: NDArray[np.int64]
    wanted: NDArray[np.bool_]
    steps: NDArray[np.int64]
    first: NDArray[np.int64]
    wins: bool


@merged
def _start_from(ends: _Ends, column: int, step: int) -> None:
    """Let sums begin with the board, and with a runner that has made some steps in a column."""
    start, board, steps = ends.memory.start, ends.board, ends.memory.steps
    for at in range(len(board)):
        total = board[at] + (steps[column, at, step] if step else 0)
        start[at] = min(max(total, LOWEST_SHORT), HIGHEST_SHORT)


@merged
def _add_from_start(
    ends: _Ends, topped: int, rows: int, columns: int, state: int, filled: int
) -> int:
    """Add the ends of two runners' steps; those that win are the end of the game, and left out."""
    memory, wins = ends.memory, int(ends.wins)
    row = columns - wins
    return _add_slab(
        ends.target, memory.start, memory.slab[topped], rows * row, row, wins, state, filled
    )


@merged
def _add_single(ends: _Ends, column: int, filled: int) -> int:
    """Add the ends with one runner."""
    memory, columns = ends.memory, ends.steps[column]
    for at in range(len(ends.board)):
        for step in range(1, columns + 1):
            memory.slab[0, at, step - 1] = memory.steps[column, at, step]
        memory.slab[0, at, columns - 1] += memory.won[1, at]
    _start_from(ends, column, 0)
    return _add_from_start(ends, 0, 1, columns, ends.first[ends.children[0, column]], filled)


@merged
def _add_triple(ends: _Ends, lowest: int, low: int, high: int, triple: int, filled: int) -> int:
    """Add the ends with three runners, given what the last two of them add."""
    top, rows, columns = ends.steps[lowest], ends.steps[low], ends.steps[high]
    wins = int(ends.wins)
    for step in range(1, top + 1 - wins):
        _start_from(ends, lowest, step)
        state = ends.first[triple] + (step - 1) * rows * columns
        filled = _add_from_start(ends, int(step == top), rows - wins, columns, state, filled)
    return filled


@merged
def _add_pair(ends: _Ends, low: int, high: int, filled: int) -> int:
    """Add the ends with two runners, and those with a third one in a lower column."""
    children, wanted, steps = ends.children, ends.wanted, ends.steps
    pair, wins = children[children[0, high], low], int(ends.wins)
    needed = wanted[pair]
    for lowest in range(low):
        needed |= wanted[children[pair, lowest]] and steps[lowest] > 0
    if needed:
        _fill_slab(ends.memory, low, high, steps[low], steps[high], wins)
    if wanted[pair]:
        _start_from(ends, low, 0)
        filled = _add_from_start(ends, 0, steps[low] - wins, steps[high], ends.first[pair], filled)
    for lowest in range(low):
        triple = children[pair, lowest]
        if wanted[triple] and steps[lowest]:
            filled = _add_triple(ends, lowest, low, high, triple, filled)
    return filled


@merged
def fill_ends(
    layers: Layers,
    to_win: int,
    early: bool,
    sets: ColumnSets,
    wanted: NDArray[np.bool_],
    layout: StateLayout,
    path: NDArray[np.int64],
    tokens: NDArray[np.int8],
    seat: int,
    memory: EndsMemory,
    worth: NDArray[np.float64],
) -> None:
    """What the ends of a turn of ``seat`` are worth to everybody, those where the game goes on.

    ``tokens`` are those before the turn; state 0 stands for a bust. What is written for states
    with the game over means nothing.
    """
    steps, following = layout.steps, (seat + 1) % len(tokens)
    board, won = sum_of_anchor(layers, tokens, following, to_win, early)
    _vectors_of_steps(layers.vectors, tokens, seat, steps, path, memory.steps)
    _vectors_of_wins(layers.vectors, won, seat, to_win, memory.won)
    target = _Target(layers, memory.block, following, worth)
    wins = won[seat] + 1 >= to_win
    ends = _Ends(target, memory, board, sets.children, wanted, steps, layout.first, wins)
    for at in range(len(board)):
        memory.slab[0, at, 0] = 0
    _start_from(ends, 0, 0)
    # for plain 0 and 1 the function would be compiled once more
    none: Any = np.int64(0)
    one: Any = np.int64(1)
    filled = _add_slab(target, memory.start, memory.slab[0], one, one, none, none, none)
    for high in range(COLUMNS):
        if steps[high] == 0:
            continue
        if wanted[sets.children[0, high]]:
            filled = _add_single(ends, high, filled)
        for low in range(high):
            if steps[low]:
                filled = _add_pair(ends, low, high, filled)
    if filled:
        _run_block(target, filled)
