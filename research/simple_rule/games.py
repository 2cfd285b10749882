"""Games of many rules at once: on a GPU with CuPy, else on the cores with a C++ compiler.

``games.cu`` is the text of both. A rule is a row of ``RULE``; ``row_of`` writes a bot's numbers as
one.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from functools import cache
from importlib import import_module
from itertools import product
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.bots.heuristic import Weights
from cantstop.rules.moves import splits

SOURCE = Path(__file__).with_name("games.cu")
COLUMNS, SPACES, CLASSES, THREADS = 13, 14, 16, 256

RULE = np.dtype(
    [
        ("value", "i2", (COLUMNS, SPACES)),
        ("space", "i2", COLUMNS),
        ("entered", "i2", COLUMNS),
        ("added", "i2", CLASSES),
        ("taken", "i2", CLASSES),
        *((name, "i2") for name in ("price", "enough", "top", "tops_stop", "behind")),
    ]
)
GAMES = np.dtype(
    [
        *((name, "u8") for name in ("rules", "opponent", "falls", "wins", "turns", "squares")),
        *((name, "u8") for name in ("seed", "count", "apart")),
        ("threads", "i4"),
        ("padding", "i4"),
    ]
)
Rows = NDArray[Any]
"""Rules, one a row."""

OUT_OF_REACH = 9999
"""More points than any turn has."""


class Results(NamedTuple):
    """Of each rule."""

    wins: NDArray[np.float64]
    """The share of games won."""
    turns: NDArray[np.float64]
    """Turns of its own a game."""
    deviation: NDArray[np.float64]
    """Their standard deviation."""


class Figure(NamedTuple):
    """A mean and its standard error."""

    mean: float
    error: float


def set_points(odd: Any, even: Any, low: Any, high: Any) -> NDArray[np.int64]:  # noqa: ANN401
    """Points of a set of columns, by whether odd, even, low and high ones are among them.

    Each of the four may be a number, or one for each of many rules.
    """
    odd, even, low, high = np.broadcast_arrays(odd, even, low, high)
    found = []
    for columns in range(CLASSES):
        has_odd, has_even, has_low, has_high = (columns >> bit & 1 for bit in range(4))
        parity = even if not has_odd else odd if not has_even else 0 * odd
        side = low if not has_high else high if not has_low else 0 * low
        found.append(parity + side)
    return np.stack(found, axis=-1)


def row_of(weights: Weights) -> Rows:
    """One of the published players."""
    row = np.zeros(1, RULE)
    for column, values in weights.choice_values().items():
        row["value"][0, column, 1 : len(values) + 1] = values
    for column, points in weights.progress_values().items():
        row["space"][0, column] = points * weights.spaces
        row["entered"][0, column] = points
    sets = set_points(weights.odd, weights.even, weights.low, weights.high)
    row["added"] = sets
    row["taken"] = sets * weights.foresees
    row["price"], row["enough"] = weights.marker, weights.threshold
    row["tops_stop"], row["behind"] = weights.tops, OUT_OF_REACH * weights.race
    return row


@cache
def falls() -> NDArray[np.uint32]:
    """The splits of every way for four dice to fall, the most balanced one last."""
    found = []
    for dice in product(range(1, 7), repeat=4):
        number = 0
        for place, (low, high) in enumerate(splits(tuple(sorted(dice)))):
            number |= (low | high << 4) << 8 * place
        found.append(number)
    return np.array(found, np.uint32)


class Cores:
    """All cores of this machine."""

    def __init__(self) -> None:
        compiler = shutil.which("g++") or shutil.which("clang++") or "c++"
        folder = Path(tempfile.mkdtemp())
        command = [compiler, "-std=c++17", "-O3", "-shared", "-fPIC", "-fopenmp", "-x", "c++"]
        subprocess.run([*command, "-o", folder / "games.so", SOURCE], check=True)
        self._play = ctypes.CDLL(str(folder / "games.so")).play_games
        shutil.rmtree(folder)

    def play(
        self, rules: Rows, opponent: Rows | None, count: int, seed: int, apart: int = 0
    ) -> Results:
        """A number of games of each rule; ``apart`` lies between the first games of two of them."""
        found = np.zeros((3, len(rules)), np.uint64)
        given = np.zeros(1, GAMES)
        given["rules"], given["falls"] = rules.ctypes.data, falls().ctypes.data
        given["opponent"] = 0 if opponent is None else opponent.ctypes.data
        for name, row in zip(("wins", "turns", "squares"), found, strict=True):
            given[name] = row.ctypes.data
        given["seed"], given["count"], given["apart"], given["threads"] = seed, count, apart, 1
        self._play(ctypes.c_void_p(given.ctypes.data), ctypes.c_int(len(rules)))
        return results(found, count)


class Gpu:
    """One GPU: a block of threads for each rule."""

    def __init__(self) -> None:
        self._cupy: Any = import_module("cupy")
        cupy = self._cupy
        cupy.cuda.runtime.getDeviceCount()
        module = cupy.RawModule(code=SOURCE.read_text(), options=("--std=c++17",))
        self._kernel = module.get_function("play_games")
        self._falls = cupy.asarray(falls())

    def play(
        self, rules: Rows, opponent: Rows | None, count: int, seed: int, apart: int = 0
    ) -> Results:
        """A number of games of each rule; ``apart`` lies between the first games of two of them."""
        cupy = self._cupy
        there = cupy.asarray(rules.view(np.uint8))
        other = None if opponent is None else cupy.asarray(opponent.view(np.uint8))
        found = cupy.zeros((3, len(rules)), np.uint64)
        given = np.zeros(1, GAMES)
        given["rules"], given["falls"] = there.data.ptr, self._falls.data.ptr
        given["opponent"] = 0 if other is None else other.data.ptr
        for name, row in zip(("wins", "turns", "squares"), found, strict=True):
            given[name] = row.data.ptr
        given["seed"], given["count"], given["apart"], given["threads"] = (
            seed,
            count,
            apart,
            THREADS,
        )
        self._kernel((len(rules),), (THREADS,), (given,))
        return results(found.get(), count)


Player = Cores | Gpu
PARTS = 512


def measured(player: Player, rule: Rows, opponent: Rows | None, count: int, seed: int) -> Figure:
    """The share of games that one rule wins, or the turns that it needs alone."""
    part = count // PARTS // 2 * 2
    found = player.play(np.repeat(rule, PARTS), opponent, part, seed, part)
    each = found.turns if opponent is None else found.wins
    return Figure(float(each.mean()), float(each.std(ddof=1) / sqrt(PARTS)))


def results(found: NDArray[np.uint64], count: int) -> Results:
    """From sums to means."""
    wins, turns, squares = found.astype(np.float64) / count
    return Results(wins, turns, np.sqrt(np.maximum(squares - turns**2, 0)))


def player() -> Player:
    """The GPU if there is one."""
    try:
        return Gpu()
    except (ImportError, RuntimeError) as error:  # no CuPy, or no device
        print(f"On the cores: {type(error).__name__}.", flush=True)
        return Cores()
