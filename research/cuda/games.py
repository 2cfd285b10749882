"""Games played on the device with the values of a table: all of them at once, turn by turn."""

from dataclasses import dataclass
from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray

from cantstop.solver.cuda.kernels.structs import CuPy, DeviceArray, DeviceKernel
from cantstop.solver.cuda.run.blocks import LANES, Blocks
from cantstop.solver.cuda.run.table import SLOTS, DeviceTable

from .reference import GAMES, Lists

BLOCKS = 1056
THREADS = 128


@dataclass(frozen=True, eq=False)
class Played:
    """Games: their number by length in turns, and all their rolls and busts.

    ``estimate`` is another estimate of the mean, with its standard error: the table's value of the
    start, and what the values were off at every anchor of the games. It needs no luck with the dice
    where the table is nearly right.
    """

    by_turns: NDArray[np.int64]
    rolls: int
    busts: int
    estimate: float
    estimate_error: float

    @property
    def games(self) -> int:
        """How many games there are."""
        return int(self.by_turns.sum())

    @property
    def turns(self) -> int:
        """The turns of all games."""
        return int(self.by_turns @ np.arange(len(self.by_turns)))

    @property
    def mean(self) -> float:
        """Turns a game."""
        return self.turns / self.games

    @property
    def standard_error(self) -> float:
        """The standard error of the mean."""
        off = np.arange(len(self.by_turns)) - self.mean
        return float(np.sqrt(self.by_turns @ off**2)) / self.games


def play_games(
    cupy: CuPy, table: DeviceTable, kernel: DeviceKernel, games: int, seed: int
) -> Played:
    """Play games from the start to the end."""
    blocks, board = table.blocks, table.blocks.rules.board
    start = int(blocks.place(np.array(board.lengths)))
    place = cupy.full(games, start, np.int64)
    turns, over = cupy.zeros(games, np.int32), cupy.zeros(games, np.uint8)
    drift = cupy.zeros(games, np.float64)
    streams, counts = cupy.asarray(random_streams(games, seed)), cupy.zeros(2, np.uint64)
    largest = max(map(prod, combinations(board.lengths, 3)))
    scratch = cupy.empty((SLOTS, BLOCKS * THREADS * largest), np.float32)
    record = np.zeros(1, GAMES)
    for name, array in {
        "place": place,
        "stream": streams,
        "turns": turns,
        "drift": drift,
        "over": over,
    }.items():
        record[name] = array.data.ptr
    record["rolls"], record["busts"] = counts.data.ptr, counts.data.ptr + 8
    record["sides"] = board.sides
    lists = Lists(cupy, table)
    while len(going_on := cupy.flatnonzero(over == 0)):
        alike = cupy.argsort(_key(cupy, blocks, place[going_on]))
        _one_turn(cupy, table, kernel, lists, record, scratch, going_on[alike], place)
    rolls, busts = counts.get().tolist()
    return Played(
        np.asarray(cupy.bincount(turns).get()),
        rolls,
        busts,
        float(table.values[start]) + float(drift.mean()),
        float(drift.std()) / games**0.5,
    )


def random_streams(games: int, seed: int) -> NDArray[np.uint64]:
    """Where the random numbers of every game begin."""
    return np.random.default_rng(seed).integers(0, 1 << 64, games, np.uint64)


def _key(cupy: CuPy, blocks: Blocks, place: DeviceArray) -> DeviceArray:
    """Orders anchors so that neighbours are alike, above all in the long columns."""
    key = cupy.zeros(len(place), np.int64)
    for column in sorted(range(blocks.columns), key=blocks.bits.__getitem__):
        half = (place >> blocks.columns) // blocks.block_stride[column] % blocks.halves[column]
        key = key * 16 + 2 * half + (place >> blocks.bits[column] & 1)
    return key


def _one_turn(
    cupy: CuPy,
    table: DeviceTable,
    kernel: DeviceKernel,
    lists: Lists,
    record: NDArray[np.void],
    scratch: DeviceArray,
    games: DeviceArray,
    place: DeviceArray,
) -> None:
    """Play one turn of these games, in batches that fit."""
    record = record.copy()
    places = place[games]
    for number, (first, last, slot, batch) in enumerate(table.passes(places)):
        record["game"] = games.data.ptr + first * games.itemsize
        record["scratch"] = scratch[number % SLOTS].data.ptr
        record["active"] = slot.arrays["active"].data.ptr
        record["lanes"] = -(-(last - first) // LANES) * LANES
        with slot.stream:
            kernel((BLOCKS,), (THREADS,), (batch, record, lists.record))
    cupy.cuda.runtime.deviceSynchronize()
