"""The anchors of a board as the kernels take them: blocks, levels, and warps of 32 anchors.

A block holds the anchors whose halved steps left are the same in every column; inside a block
they differ in the columns whose steps are odd. A level holds the anchors with the same sum of
steps: each block has those of its patterns with the right number of odd columns.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from cantstop.rules import Rules
from cantstop.solver.cuda.kernels.source import Kernel, Stage, kernels_of

LANES = 32
USED, OWN_IMAGE, SKIPPED = 0, 1, 2
"""A block that is its own mirror image uses half of its patterns; of two images one is skipped."""

SIZE_CLASSES = (54, 74, 98, 126, 162, 198, 242, 1 << 20)
"""Blocks are taken together by the lines of shared memory that their largest triple needs."""


@dataclass(frozen=True)
class Blocks:
    """How a board's anchors lie in the device's memory, and in which order they are solved."""

    rules: Rules

    @property
    def lengths(self) -> tuple[int, ...]:
        """The length of every column."""
        return self.rules.board.lengths

    @cached_property
    def columns(self) -> int:
        """How many columns there are."""
        return len(self.lengths)

    @cached_property
    def bits(self) -> tuple[int, ...]:
        """The bit of every column in a place: lowest in the middle, highest outermost."""
        middle = self.columns // 2
        return tuple(
            0 if c == middle else 2 * (middle - c) if c < middle else 2 * (c - middle) - 1
            for c in range(self.columns)
        )

    @cached_property
    def halves(self) -> tuple[int, ...]:
        """How many values the halved steps of every column have."""
        return tuple(length // 2 + 1 for length in self.lengths)

    @cached_property
    def block_stride(self) -> tuple[int, ...]:
        """What two steps of a column change in a block's number."""
        stride = [0] * self.columns
        total = 1
        for column in sorted(range(self.columns), key=self.bits.__getitem__):
            stride[column] = total
            total *= self.halves[column]
        return tuple(stride)

    @cached_property
    def count(self) -> int:
        """How many blocks there are."""
        return prod(self.halves)

    @cached_property
    def places(self) -> int:
        """How many places the table has."""
        return self.count << self.columns

    @cached_property
    def is_mirrored(self) -> bool:
        """Whether the board is the same read backwards."""
        return self.lengths == self.lengths[::-1]

    @cached_property
    def boards(self) -> int:
        """How many anchors and finished games there are."""
        return prod(length + 1 for length in self.lengths)

    @cached_property
    def anchors(self) -> int:
        """How many of them are not finished."""
        ways = [1] + [0] * (self.rules.columns_to_win - 1)  # by columns won
        for length in self.lengths:
            for won in range(len(ways) - 1, -1, -1):
                ways[won] = ways[won] * length + (ways[won - 1] if won else 0)
        return sum(ways)

    def place(self, steps: NDArray[np.int64]) -> NDArray[np.int64]:
        """The places of anchors, given the steps left in every column as rows."""
        stride = np.array(self.block_stride, np.int64) << self.columns
        bits = np.array([1 << bit for bit in self.bits], np.int64)
        return np.asarray(((steps >> 1) * stride + (steps & 1) * bits).sum(axis=-1))

    # Blocks

    @cached_property
    def _half(self) -> NDArray[np.uint8]:
        """The halved steps of every block, column by column."""
        numbers = np.arange(self.count)
        return np.stack(
            [
                (numbers // stride % halves).astype(np.uint8)
                for stride, halves in zip(self.block_stride, self.halves, strict=True)
            ]
        )

    @cached_property
    def _kind(self) -> NDArray[np.int8]:
        """Whether a block is used, its own mirror image, or skipped for its image."""
        if not self.is_mirrored:
            return np.full(self.count, USED, np.int8)
        image = sum(
            self._half[self.columns - 1 - c].astype(np.int64) * stride
            for c, stride in enumerate(self.block_stride)
        )
        numbers = np.arange(self.count)
        return np.where(
            image < numbers, SKIPPED, np.where(image == numbers, OWN_IMAGE, USED)
        ).astype(np.int8)

    @cached_property
    def _low(self) -> NDArray[np.int64]:
        """The columns of every block that may be closed, as bits of a place."""
        return sum(
            ((self._half[c] == 0).astype(np.int64) << bit) for c, bit in enumerate(self.bits)
        )

    @cached_property
    def _box(self) -> NDArray[np.uint8]:
        """The most steps left in every block, column by column."""
        top = np.array(self.lengths, np.uint8)[:, None]
        return np.minimum(2 * self._half + 1, top)

    @cached_property
    def lines(self) -> NDArray[np.int64]:
        """The lines of records that a warp of every block needs at most."""
        one = np.zeros(self.count, np.int64)
        two = np.zeros(self.count, np.int64)
        for box in self._box:
            two += one * box
            one += box
        return two * (2 * (self.columns - 2) + 1) + one

    @cached_property
    def _size_class(self) -> NDArray[np.int8]:
        """The class of every block by what its largest triple needs."""
        largest = np.zeros(self.count, np.int64)
        for y, z in {(y, z) for k in self._triples for _, y, z in k.columns}:
            need = 2 * self._box[y].astype(np.int64) * (self._box[z] | 1)
            np.maximum(largest, need, out=largest)
        return np.searchsorted(SIZE_CLASSES, largest).astype(np.int8)

    @cached_property
    def _triples(self) -> list[Kernel]:
        return [k for k in kernels_of(self.rules.board.sides) if k.stage is Stage.THREE]

    @property
    def classes(self) -> int:
        """How many classes of blocks there are; the last one fits any block."""
        return len(SIZE_CLASSES)

    def shared_lines(self, size_class: int) -> dict[str, int]:
        """The lines of shared memory that each kernel needs for the blocks up to a class."""
        tallest = self._box[:, self._size_class <= size_class].max(axis=1, initial=0)
        limit = SIZE_CLASSES[size_class]
        found = {}
        for kernel in kernels_of(self.rules.board.sides):
            need = kernel.shared_lines(tuple(int(steps) for steps in tallest))
            found[kernel.name] = min(need, limit) if kernel.stage is Stage.THREE else need
        return found

    # Patterns

    @cached_property
    def patterns(self) -> tuple[NDArray[np.uint16], NDArray[np.int32]]:
        """The patterns of odd columns, and where the list of each kind of block and count begins.

        For blocks of a kind that may have these columns closed (``low``), patterns with ``n`` odd
        columns begin at ``start[kind, low, n]``.
        """
        sets = 1 << self.columns
        number = np.arange(sets)
        odd = np.bitwise_count(number)
        image = sum(
            (number >> self.bits[c] & 1) << self.bits[self.columns - 1 - c]
            for c in range(self.columns)
        )
        by_count = np.argsort(odd, kind="stable")
        found: list[NDArray[np.uint16]] = []
        start = np.zeros((2, sets, self.columns + 2), np.int32)
        total = 0
        for kind in (USED, OWN_IMAGE):
            for low in range(sets):
                wanted = np.bitwise_count(low & ~number) < self.rules.columns_to_win
                if kind == OWN_IMAGE:
                    wanted &= number <= image
                chosen = by_count[wanted[by_count]]
                start[kind, low] = total + np.searchsorted(odd[chosen], np.arange(self.columns + 2))
                found.append(chosen.astype(np.uint16))
                total += len(chosen)
        return np.concatenate(found), start

    # Levels

    @cached_property
    def _by_sum(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The blocks in order of the sum of their even steps, and where each sum begins."""
        used = np.flatnonzero(self._kind != SKIPPED)
        sums = 2 * self._half.sum(axis=0, dtype=np.int64)[used]
        order = used[np.argsort(sums, kind="stable")]
        highest = 2 * sum(halves - 1 for halves in self.halves)
        return order, np.searchsorted(np.sort(sums), np.arange(highest + 2))

    @cached_property
    def levels(self) -> int:
        """How many levels there are, empty ones included."""
        return sum(self.lengths) + 1

    def warps(self, level: int) -> Iterator[tuple[int, NDArray[np.uint64]]]:
        """The warps of a level by class: block << 12 | odd columns << 8 | part << 1 | own image."""
        order, begin = self._by_sum
        _, start = self.patterns
        found: list[NDArray[np.uint64]] = []
        for odd in range(self.columns + 1):
            even = level - odd
            if not 0 <= even < len(begin) - 1:
                continue
            blocks = order[begin[even] : begin[even + 1]]
            kind, low = self._kind[blocks], self._low[blocks]
            anchors = start[kind, low, odd + 1] - start[kind, low, odd]
            parts = -(-anchors // LANES)
            which = np.repeat(blocks << 12 | odd << 8 | kind, parts)
            first = np.repeat(np.cumsum(parts) - parts, parts)
            found.append((which | (np.arange(len(which)) - first) << 1).astype(np.uint64))
        every = np.concatenate(found) if found else np.zeros(0, np.uint64)
        size_class = self._size_class[(every >> np.uint64(12)).astype(np.int64)]
        for index in range(len(SIZE_CLASSES) - 1, -1, -1):  # the largest take longest
            chosen = every[size_class == index]
            if len(chosen):
                yield index, chosen

    def work(self) -> NDArray[np.float64]:
        """About how much work each level is: the records that its anchors fill."""
        used = self._kind != SKIPPED
        even = 2 * self._half.sum(axis=0, dtype=np.int64)[used]
        lines = np.bincount(even, self.lines[used], minlength=self.levels)
        choices = np.array([comb(self.columns, odd) for odd in range(self.columns + 1)], float)
        return np.asarray(np.convolve(lines, choices)[: self.levels])

    @cached_property
    def closed_below(self) -> tuple[int, ...]:
        """How many closed sets have fewer columns, by the number of columns."""
        return tuple(
            sum(comb(self.columns, fewer) for fewer in range(size))
            for size in range(self.columns + 1)
        )
