"""A small network that estimates how many turns a player is away from winning alone.

Every column adds a vector that depends on the steps left in it (none: it is not to be had any
more), and one more vector stands for the columns still needed; two layers make a number of that.
It knows the official board; ``views.py`` makes other boards look like it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.jit import inlined
from cantstop.rules import OFFICIAL

COLUMNS = len(OFFICIAL.columns)
PLACES = COLUMNS + 1
"""A view has the steps left in each column, and last the columns that are needed."""

MAX_NEEDED = 5
FIRST = np.cumsum([0] + [length + 1 for length in OFFICIAL.lengths])
"""Where the vectors for each place of a view begin."""

VECTORS = int(FIRST[-1]) + MAX_NEEDED + 1

BLOCK = 128
"""Views that go through the layers at a time: the processor works on neighbours at once."""

ROWS_AT_ONCE = 4
"""Rows of the first layer that are added in one go; its width is a multiple of it."""

Weights = NDArray[np.float32]


class Network(NamedTuple):
    """The weights: a vector for every entry of every place, a hidden layer, and the last one."""

    vectors: Weights
    hidden: Weights
    hidden_bias: Weights
    out: Weights
    out_bias: Weights


@inlined
def replace_entry(vectors: Weights, total: Weights, seat: int, was: int, entry: int) -> None:
    """Bring a seat's sum of vectors up to date: one view differs little from the one before."""
    for at in range(total.shape[1]):
        total[seat, at] += vectors[entry, at] - vectors[was, at]


@inlined
def add_to_block(total: Weights, seat: int, block: Weights, place: int) -> None:
    """Put what is positive of a seat's sum into a block."""
    for at in range(total.shape[1]):
        block[at, place] = total[seat, at] if total[seat, at] > 0 else np.float32(0)


@inlined
def _add_rows(block: Weights, hidden: Weights, at: int, deep: int, layer: Weights) -> None:
    """Add a few rows of a block to a hidden unit, for all views of the block."""
    one, two = hidden[at, deep], hidden[at + 1, deep]
    three, four = hidden[at + 2, deep], hidden[at + 3, deep]
    for place in range(BLOCK):
        layer[place] += (
            block[at, place] * one
            + block[at + 1, place] * two
            + block[at + 2, place] * three
            + block[at + 3, place] * four
        )


@inlined
def run_layers(network: Network, block: Weights, layer: Weights, result: Weights) -> None:
    """Run a block of sums through the layers."""
    hidden, hidden_bias, out = network.hidden, network.hidden_bias, network.out
    result[:] = network.out_bias[0]
    for deep in range(len(out)):
        layer[:] = hidden_bias[deep]
        for at in range(0, len(block), ROWS_AT_ONCE):
            _add_rows(block, hidden, at, deep, layer)
        weight = out[deep]
        for place in range(BLOCK):
            result[place] += weight * (layer[place] if layer[place] > 0 else np.float32(0))


@inlined
def softplus(result: float) -> float:
    """A smooth maximum of a number and 0."""
    return max(result, 0.0) + np.log1p(np.exp(-abs(result)))
