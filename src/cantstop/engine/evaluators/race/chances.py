"""Who is the first to win, by how far everybody is: the race model's tables, in compiled code."""

import numpy as np
from numpy.typing import NDArray

from cantstop.jit import entry, inlined

RESOLUTION = 4
"""Distances per turn for which the scatter is tabled."""

NEGLIGIBLE = 1e-9

CACHE_SIZE = 128
"""Distances of the other seats for which chances are cached; an opening turn ends in 67."""


def duel_chances(survival: NDArray[np.float64]) -> NDArray[np.float64]:
    """The chance of the seat to move against one other, by both tabled distances."""
    duels = np.empty((len(survival), len(survival)))
    fill_duels(survival, duels)
    return duels


@entry
def fill_survival(scatter: NDArray[np.float64], survival: NDArray[np.float64]) -> None:
    """Extend the scatter to more distances, and to more turns."""
    known, turns = scatter.shape
    for row in range(len(survival)):
        for turn in range(survival.shape[1]):
            if row < known:
                survival[row, turn] = scatter[row, turn] if turn < turns else 0.0
            else:
                survival[row, turn] = survival[row - RESOLUTION, turn - 1] if turn else 1.0


@entry
def fill_duels(survival: NDArray[np.float64], duels: NDArray[np.float64]) -> None:
    """The chance that the seat to move needs no more turns than the other one."""
    for own in range(len(duels)):
        for other in range(len(duels)):
            total = 0.0
            for turn in range(survival.shape[1]):
                before = survival[own, turn - 1] if turn else 1.0
                alive = survival[other, turn - 1] if turn else 1.0
                total += (before - survival[own, turn]) * alive
            duels[own, other] = total


@inlined
def _interpolate(distance: float, rows: int) -> tuple[int, float]:
    """The tabled distance below a distance, and how much the next one above counts."""
    part = min(max(distance * RESOLUTION, 0.0), rows - 1.001)
    below = int(part)
    return below, part - below


@entry
def evaluate_duel(
    duels: NDArray[np.float64],
    distances: NDArray[np.float64],
    first: int,
    worth: NDArray[np.float64],
) -> None:
    """Two seats' chances by their distances, seats by anchors; ``first`` is to move."""
    rows, second = len(duels), 1 - first
    for row in range(distances.shape[1]):
        low, much = _interpolate(distances[first, row], rows)
        under, more = _interpolate(distances[second, row], rows)
        near = duels[low, under] * (1 - more) + duels[low, under + 1] * more
        far = duels[low + 1, under] * (1 - more) + duels[low + 1, under + 1] * more
        worth[row, first] = near * (1 - much) + far * much
        worth[row, second] = 1 - worth[row, first]


@entry
def evaluate_race(
    survival: NDArray[np.float64],
    distances: NDArray[np.float64],
    first: int,
    worth: NDArray[np.float64],
) -> None:
    """Every seat's chance by all distances; the seats have their turns in order.

    All chances are linear in how the turns of one seat scatter, the others given. In the ends
    of a turn that is the seat which has just played, and the others are at few distances: so
    chances are worked out for its tabled distances only, when first asked for, and cached.
    """
    rows, seats = len(survival), len(distances)
    played = (first - 1) % seats
    below, above, before = np.zeros(seats, np.int64), np.zeros(seats), np.empty(seats)
    others, count = np.empty((CACHE_SIZE, seats)), 0
    known, chances = np.empty((CACHE_SIZE, rows), np.bool_), np.empty((CACHE_SIZE, rows, seats))
    for row in range(distances.shape[1]):
        at = _find_cached(others, count, distances, row, played)
        if at == count:
            at = count if count < CACHE_SIZE else 0  # seldom are there more: then begin again
            count = at + 1
            for seat in range(seats):
                others[at, seat] = distances[seat, row]
            known[at] = False
        low, much = _interpolate(distances[played, row], rows)
        for tabled in range(low, low + 2):
            if not known[at, tabled]:
                known[at, tabled] = True
                for seat in range(seats):
                    below[seat], above[seat] = _interpolate(distances[seat, row], rows)
                # the last tabled distance is the upper one of its pair
                below[played] = min(tabled, rows - 2)
                above[played] = tabled - below[played]
                _race_chances(survival, below, above, first, before, chances[at, tabled])
        for seat in range(seats):
            near, far = chances[at, low, seat], chances[at, low + 1, seat]
            worth[row, seat] = near * (1 - much) + far * much


@inlined
def _find_cached(
    others: NDArray[np.float64], count: int, distances: NDArray[np.float64], row: int, played: int
) -> int:
    """Which of the cached distances the others of a row are at; ``count`` if at none."""
    for at in range(count):
        same = True
        for seat in range(len(distances)):
            same &= seat == played or others[at, seat] == distances[seat, row]
        if same:
            return at
    return count


@inlined
def _race_chances(
    survival: NDArray[np.float64],
    below: NDArray[np.int64],
    above: NDArray[np.float64],
    first: int,
    before: NDArray[np.float64],
    chances: NDArray[np.float64],
) -> None:
    """Every seat's chance; ``below`` is its tabled distance, ``above`` how much the next counts."""
    seats = len(below)
    for seat in range(seats):
        before[seat], chances[seat] = 1.0, 0.0
    nobody = 1.0
    for turn in range(survival.shape[1]):
        for count in range(seats):
            seat = (first + count) % seats
            low, much = below[seat], above[seat]
            after = survival[low, turn] * (1 - much) + survival[low + 1, turn] * much
            goes_on = after / before[seat] if before[seat] > 0.0 else 0.0
            chances[seat] += nobody * (1 - goes_on)
            nobody *= goes_on
            before[seat] = after
        if nobody < NEGLIGIBLE:
            break
    chances /= chances.sum()
