"""The source of all kernels, in parts that can be compiled side by side."""

from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib.resources import files
from itertools import combinations

from cantstop.solver.cuda.kernels.means import (
    distance,
    mean_of_none,
    mean_of_one,
    mean_of_three,
    mean_of_two,
    outer_first,
    roles,
)
from cantstop.solver.cuda.kernels.structs import size_checks

THREADS = 128
MAX_TOGETHER = 3
"""Triples of short columns that share a kernel: alone they would end as soon as they start."""


class Stage(Enum):
    """The runners that are out; a stage needs all kernels of the one before."""

    THREE = "triple"
    TWO = "pair"
    ONE = "column"


BLOCKS = {Stage.THREE: 6, Stage.TWO: 4, Stage.ONE: 4}
"""How many blocks a multiprocessor should hold at least: that limits the registers."""


@dataclass(frozen=True)
class Kernel:
    """A kernel that does one or more sets of columns."""

    name: str
    stage: Stage
    columns: tuple[tuple[int, ...], ...]
    """In the order of their loops."""

    def shared_lines(self, box: tuple[int, ...]) -> int:
        """The lines of shared memory that a warp needs for columns of given lengths."""
        match self.stage:
            case Stage.THREE:
                return max(2 * box[y] * (box[z] | 1) for _, y, z in self.columns)
            case Stage.TWO:
                return max(len(box) * box[y] for _, y in self.columns)
            case _:
                return 0


@cache
def kernels_of(sides: int) -> tuple[Kernel, ...]:
    """All kernels of a turn, in the order in which they have to run."""
    columns = range(2 * sides - 1)
    threes = [
        Kernel(
            "three_" + "_".join("".join(f"{c:x}" for c in roles(t, sides)) for t in group),
            Stage.THREE,
            tuple(roles(t, sides) for t in group),
        )
        for group in _groups(sides)
    ]
    pairs = sorted(combinations(columns, 2), key=lambda p: sum(distance(c, sides) for c in p))
    twos = [
        Kernel(
            "two_" + "".join(f"{c:x}" for c in outer_first(pair, sides)),
            Stage.TWO,
            (outer_first(pair, sides),),
        )
        for pair in pairs
    ]
    ones = [Kernel(f"one_{column:x}", Stage.ONE, ((column,),)) for column in columns]
    return (*threes, *twos, *ones)


def _groups(sides: int) -> list[list[tuple[int, int, int]]]:
    """The triples, long ones alone and short ones together; the longest come first."""
    lengths = [2 * (sides - distance(c, sides)) + 1 for c in range(2 * sides - 1)]
    size = {
        (a, b, c): lengths[a] * lengths[b] * lengths[c]
        for a, b, c in combinations(range(2 * sides - 1), 3)
    }
    alone = [[triple] for triple in sorted(size, key=lambda t: -size[t]) if size[triple] >= 250]
    short = [triple for triple in sorted(size, key=lambda t: -size[t]) if size[triple] < 250]
    return alone + [short[at : at + MAX_TOGETHER] for at in range(0, len(short), MAX_TOGETHER)]


def code(name: str) -> str:
    """The text of a source file that is not generated."""
    return (files("cantstop.solver.cuda.kernels") / "code" / name).read_text("utf-8")


def head(sides: int) -> str:
    """What every part begins with."""
    names = ("common.cuh", "triple.cuh", "pair.cuh", "column.cuh")
    return f"constexpr int COLUMNS = {2 * sides - 1};\n" + "".join(map(code, names))


def turn(sides: int) -> str:
    """What comes after the kernels: the whole turn's gain."""
    return code("turn.cuh") + mean_of_none(sides)


def parts(sides: int, count: int) -> list[str]:
    """The kernels' source in ``count`` parts, each complete; the last one is the driver."""
    kernels, columns = kernels_of(sides), 2 * sides - 1
    found = [
        head(sides)
        + "".join(means_of(sides, kernel) for kernel in kernels[part::count])
        + "".join(_kernel(kernel) for kernel in kernels[part::count])
        for part in range(min(count, len(kernels)))
    ]
    found.append(
        head(sides) + turn(sides) + code("search.cuh") + code("driver.cu") + size_checks(columns)
    )
    return found


def means_of(sides: int, kernel: Kernel) -> str:
    """The generated functions that a kernel calls."""
    found = []
    for columns in kernel.columns:
        match columns:
            case (x, y, z):
                found.append(mean_of_three(sides, (x, y, z)))
            case (x, y):
                found.append(mean_of_two(sides, (x, y)))
            case (x,):
                found.append(mean_of_one(sides, x))
    return "".join(found)


def _kernel(kernel: Kernel) -> str:
    calls = "".join(
        f"    {kernel.stage.value}<{', '.join(map(str, columns))}>(me);\n"
        for columns in kernel.columns
    )
    return (
        f'extern "C" __global__ void __launch_bounds__({THREADS}, {BLOCKS[kernel.stage]})\n'
        f"{kernel.name}(const __grid_constant__ Batch batch) {{\n"
        "    if (!has_warp(batch)) return;\n"
        "    const Anchor me = anchor_of(batch);\n"
        f"{calls}}}\n"
    )
