"""Retrograde analysis on one GPU: level by level, two passes for all anchors, more where needed."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cantstop.solver.cuda.kernels.source import kernels_of
from cantstop.solver.cuda.kernels.structs import (
    AGAIN,
    FOUND,
    JOB,
    TALLY,
    CuPy,
    DeviceArray,
    DeviceKernel,
    batch_type,
    layout_type,
)
from cantstop.solver.cuda.run.blocks import LANES, Blocks
from cantstop.solver.cuda.run.device import LINE, Shape, best_shape
from cantstop.solver.cuda.run.lookup import neighbour_weights, useless_chances
from cantstop.solver.cuda.run.transfer import to_host
from cantstop.solver.memory import check_gpu_memory

SLOTS = 2
"""Batches under way at the same time: one fills the gaps of the other."""

MAX_WARPS = 20_480
PASSES = 2
MAX_ROUNDS = 25
TOLERANCE = 5e-7
MAX_AGAIN = 1 << 24
MIN_RECORDS = 1 << 29
"""With less memory for records than this the batches are too small to be fast."""
SPARE = 1 << 30
FIRST_SLOPE, FIRST_SLOPE_ERROR = 0.95, 0.1


@dataclass
class Slot:
    """Memory on the device for one batch."""

    stream: CuPy
    lines: int
    arrays: dict[str, DeviceArray]
    in_use: list[DeviceArray] = field(default_factory=list)
    """What the device may still be reading."""


@dataclass(frozen=True)
class Level:
    """What solving a level was like."""

    number: int
    anchors: int
    again: int
    seconds: float
    first_error: float
    """The root mean square of what the first guess was off."""
    error: float
    """The mean of the estimated error that is left."""
    worst_error: float


class DeviceTable:
    """The table of a board on the device, and what fills it."""

    def __init__(
        self,
        cupy: CuPy,
        kernels: dict[str, DeviceKernel],
        blocks: Blocks,
        spare: int = SPARE,
    ) -> None:
        self.blocks, self.kernels = blocks, kernels
        self._cupy = cupy
        cupy.get_default_memory_pool().free_all_blocks()  # CuPy keeps what an earlier table freed
        free, _ = cupy.cuda.runtime.memGetInfo()
        lanes = MAX_WARPS * LANES
        others = SLOTS * lanes * 80 + 2 * MAX_AGAIN * AGAIN.itemsize + spare
        check_gpu_memory(blocks.places * 6 + others + MIN_RECORDS, free)
        self.values = cupy.zeros(blocks.places, np.float32)
        self.slopes = cupy.zeros(blocks.places, np.uint16)
        sides, columns = blocks.rules.board.sides, blocks.columns
        patterns, start = blocks.patterns
        self._patterns, self._start = cupy.asarray(patterns), cupy.asarray(start)
        self._weights = cupy.asarray(neighbour_weights(columns))
        self._useless = cupy.asarray(useless_chances(sides, blocks.rules.columns_to_win))
        self._again = [cupy.empty(MAX_AGAIN * AGAIN.itemsize, np.uint8) for _ in range(2)]
        self._counts = cupy.zeros(2, np.uint32)
        self._tally = cupy.zeros(TALLY.itemsize, np.uint8)
        self._layout = self._make_layout()
        self._slope, self._slope_bias, self._slope_error = FIRST_SLOPE, 0.0, FIRST_SLOPE_ERROR
        self._shapes: dict[int, dict[str, Shape]] = {}
        free_bytes = (cupy.cuda.runtime.memGetInfo()[0] - SLOTS * lanes * 80 - spare) // SLOTS
        self._slots = [self._make_slot(free_bytes // LINE) for _ in range(SLOTS)]

    def _make_layout(self) -> NDArray[np.void]:
        blocks = self.blocks
        layout = np.zeros(1, layout_type(blocks.columns))
        layout["block_stride"] = blocks.block_stride
        layout["stride"] = np.array(blocks.block_stride, np.int64) << blocks.columns
        layout["halves"], layout["lengths"] = blocks.halves, blocks.lengths
        layout["mirrored"], layout["closed_low"] = blocks.is_mirrored, blocks.closed_below
        return layout

    def _make_slot(self, lines: int) -> Slot:
        cupy, lanes = self._cupy, MAX_WARPS * LANES
        control = self.blocks.columns * (self.blocks.columns - 1) // 2 + 2 * self.blocks.columns + 1
        arrays = {
            "guess": cupy.empty(lanes, np.float32),
            "first": cupy.empty(lanes, np.float32),
            "search": cupy.empty((lanes, 8), np.float32),
            "steps": cupy.empty(lanes, np.uint64),
            "place": cupy.empty(lanes, np.int64),
            "active": cupy.empty(lanes, np.uint8),
            "control": cupy.empty((MAX_WARPS, control), np.int32),
            "records": cupy.empty(lines * LANES, np.float32),
        }
        return Slot(cupy.cuda.Stream(non_blocking=True), lines, arrays)

    # Levels

    def solve(self, first: int = 0) -> Iterator[Level]:
        """Solve one level after the other, from the first that is not solved yet."""
        with ThreadPoolExecutor(1) as ahead:
            following = ahead.submit(self._warps, first)
            for number in range(first, self.blocks.levels):
                groups = following.result()
                if number + 1 < self.blocks.levels:
                    following = ahead.submit(self._warps, number + 1)
                if groups:
                    yield self._solve_level(number, groups)

    def _warps(self, number: int) -> list[tuple[int, NDArray[np.uint64]]]:
        return list(self.blocks.warps(number))

    def _solve_level(self, number: int, groups: list[tuple[int, NDArray[np.uint64]]]) -> Level:
        began = time.monotonic()
        self._tally[:] = 0
        self._counts[:] = 0
        self._cupy.cuda.runtime.deviceSynchronize()
        turn = 0
        for size_class, warps in groups:
            lines = self.blocks.lines[(warps >> np.uint64(12)).astype(np.int64)]
            for batch in _batches(lines, self._slots[0].lines):
                self._run(self._slots[turn % SLOTS], size_class, lines[batch], warps[batch], 0)
                turn += 1
        self._cupy.cuda.runtime.deviceSynchronize()
        tally = self._tally.get().view(TALLY)[0]
        again = self._repeat_unfinished()
        self._learn(tally)
        anchors = float(tally["anchors"])
        return Level(
            number,
            round(anchors),
            again,
            time.monotonic() - began,
            float(np.sqrt(tally["first_square"] / anchors)),
            float(tally["error"] / anchors),
            float(tally["worst_error"]),
        )

    def _repeat_unfinished(self) -> int:
        """Passes for the anchors that are not good enough yet; returns how many they were."""
        total = count = int(self._counts[0])
        most = int(self.blocks.lines.max())
        any_size = self.blocks.classes - 1
        for done in range(MAX_ROUNDS):
            if not count:
                break
            assert count <= MAX_AGAIN, "far too many anchors need another pass"
            self._counts[(done + 1) % 2] = 0
            each = min(MAX_WARPS, self._slots[0].lines // most) * LANES
            for at in range(0, count, each):
                slot = self._slots[at // each % SLOTS]
                size = min(each, count - at)
                lines = np.full(-(-size // LANES), most)
                self._run(slot, any_size, lines, None, done + 1, at, size)
            self._cupy.cuda.runtime.deviceSynchronize()
            count = int(self._counts[(done + 1) % 2])
        return total

    def _learn(self, tally: np.void) -> None:
        """What a level's slopes were like helps to guess the next level's."""
        self._slope = float(tally["slope"] / tally["anchors"])
        if tally["slopes"] > 200:
            bias = float(tally["slope_error"] / tally["slopes"])
            spread = float(np.sqrt(tally["slope_square"] / tally["slopes"]))
            self._slope_bias = float(np.clip(self._slope_bias + 0.7 * bias, -0.1, 0.1))
            self._slope_error = float(np.clip(1.5 * spread, 0.01, 0.1))

    # Batches

    def passes(self, places: DeviceArray) -> Iterator[tuple[int, int, Slot, NDArray[np.void]]]:
        """One pass for anchors anywhere, with their own values: first, last, and what it found.

        That is there until the next but one batch; it must be read on the slot's stream.
        """
        self._cupy.cuda.runtime.deviceSynchronize()
        most = int(self.blocks.lines.max())
        each = min(MAX_WARPS, self._slots[0].lines // most) * LANES
        for turn, first in enumerate(range(0, len(places), each)):
            slot, last = self._slots[turn % SLOTS], min(first + each, len(places))
            slot.stream.synchronize()
            with slot.stream:
                again = self._cupy.zeros((last - first, AGAIN.itemsize), np.uint8)
                again.view(np.int64)[:, 0] = places[first:last]
                again.view(np.float32)[:, 2] = self.values[places[first:last]]
                lines = np.full(-(-(last - first) // LANES), most)
                base = self._set_up(slot, lines, None, again.data.ptr, last - first)
                slot.in_use.append(again)
                batch = self._batch(slot, base, len(lines))
                self._launch(batch, self.blocks.classes - 1, len(lines))
            yield first, last, slot, batch

    def _run(
        self,
        slot: Slot,
        size_class: int,
        lines: NDArray[np.int64],
        warps: NDArray[np.uint64] | None,
        done: int,
        at: int = 0,
        count: int = 0,
    ) -> None:
        """Run a batch: the warps of a level, or anchors that need another pass."""
        slot.stream.synchronize()
        with slot.stream:
            known = self._again[(done - 1) % 2].data.ptr + at * AGAIN.itemsize
            batch = self._batch(slot, self._set_up(slot, lines, warps, known, count), len(lines))
            passes = PASSES if warps is not None else 1
            for number in range(passes):
                self._launch(batch, size_class, len(lines))
                self._improve(slot, batch, len(lines), done, number, number == passes - 1)

    def _set_up(
        self,
        slot: Slot,
        lines: NDArray[np.int64],
        warps: NDArray[np.uint64] | None,
        known: int,
        count: int,
    ) -> DeviceArray:
        """Prepare the anchors of warps, or known ones; returns where each warp's records begin."""
        cupy = self._cupy
        base = cupy.asarray(np.cumsum(lines) - lines)
        listed = None if warps is None else cupy.asarray(warps)
        slot.in_use = [base, listed]
        job = np.zeros(1, JOB)
        for name in ("guess", "first", "search", "steps", "place", "active", "control"):
            job[name] = slot.arrays[name].data.ptr
        job["values"], job["slopes"] = self.values.data.ptr, self.slopes.data.ptr
        job["patterns"], job["pattern_start"] = self._patterns.data.ptr, self._start.data.ptr
        job["weights"] = self._weights.data.ptr
        job["usual_slope"], job["slope_bias"] = self._slope, self._slope_bias
        job["warp_count"] = len(lines)
        if listed is not None:
            job["warps"] = listed.data.ptr
        else:
            job["again"], job["count"] = known, count
        self.kernels["set_up"]((-(-len(lines) // 4),), (128,), (job, self._layout))
        return base

    def _batch(self, slot: Slot, base: DeviceArray, warps: int) -> NDArray[np.void]:
        batch = np.zeros(1, batch_type(self.blocks.columns))
        for name in ("control", "steps", "place", "guess", "records"):
            batch[name] = slot.arrays[name].data.ptr
        batch["values"], batch["record_base"] = self.values.data.ptr, base.data.ptr
        batch["useless"], batch["stride"] = self._useless.data.ptr, self._layout["stride"]
        batch["warps"] = warps
        return batch

    def _launch(self, batch: NDArray[np.void], size_class: int, warps: int) -> None:
        """All kernels of one pass."""
        shapes = self._shapes_of(size_class)
        for kernel in kernels_of(self.blocks.rules.board.sides):
            shape = shapes[kernel.name]
            batch["shared_lines"] = shape.lines
            self.kernels[kernel.name](
                (-(-warps // shape.warps),),
                (shape.warps * LANES,),
                (batch,),
                shared_mem=shape.warps * shape.lines * LINE,
            )

    def _improve(
        self,
        slot: Slot,
        batch: NDArray[np.void],
        warps: int,
        done: int,
        number: int,
        is_last: bool,
    ) -> None:
        """Better guesses from what a pass has found."""
        found = np.zeros(1, FOUND)
        for name in ("search", "guess", "first", "active"):
            found[name] = slot.arrays[name].data.ptr
        found["values"], found["slopes"] = self.values.data.ptr, self.slopes.data.ptr
        found["again"] = self._again[done % 2].data.ptr
        found["again_count"] = self._counts.data.ptr + 4 * (done % 2)
        found["tally"], found["again_room"] = self._tally.data.ptr, MAX_AGAIN
        found["is_first"], found["is_last"] = done == 0 and number == 0, is_last
        found["tolerance"], found["slope_error"] = TOLERANCE, self._slope_error
        self.kernels["improve"]((-(-warps // 4),), (128,), (batch, found, self._layout))

    def _shapes_of(self, size_class: int) -> dict[str, Shape]:
        """How many warps of a class of blocks each kernel takes together."""
        if size_class not in self._shapes:
            lines = self.blocks.shared_lines(size_class)
            self._shapes[size_class] = {
                kernel.name: best_shape(self._cupy, self.kernels[kernel.name], lines[kernel.name])
                for kernel in kernels_of(self.blocks.rules.board.sides)
            }
        return self._shapes[size_class]

    # Values

    def release(self) -> None:
        """Free the memory of the passes; the values stay."""
        self._slots, self._again = [], []
        self.slopes = self._cupy.zeros(0, np.uint16)
        self._cupy.get_default_memory_pool().free_all_blocks()

    def close(self) -> None:
        """Free the values too: nothing can be asked of this table any more."""
        self.values = self._cupy.zeros(0, np.float32)
        self.release()

    def host_values(self) -> NDArray[np.float32]:
        """All values in the order of `Numbering`; no pass follows."""
        self._cupy.cuda.runtime.deviceSynchronize()
        self.release()
        return to_host(self._cupy, self.blocks, self.values)

    def value(self, steps: tuple[int, ...]) -> float:
        """The value of the anchor with these steps left."""
        return float(self.values[int(self.blocks.place(np.array(steps)))])


def _batches(lines: NDArray[np.int64], limit: int) -> Iterator[slice]:
    """Cut a list of warps into batches whose records fit into a number of lines."""
    total = np.cumsum(lines)
    start = 0
    while start < len(lines):
        before = int(total[start - 1]) if start else 0
        fits = int(np.searchsorted(total, before + limit, side="right"))
        stop = min(fits, start + MAX_WARPS)
        yield slice(start, stop)
        start = stop
