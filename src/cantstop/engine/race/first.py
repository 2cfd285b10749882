"""Who gets there first, when everybody's turns to go scatter about their distance."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.compiled import cached, inlined
from cantstop.engine.race.compiled import SOURCES

PARTS = 4
"""The distances for which the scatter is tabled lie so many parts of a turn apart."""

NEGLIGIBLE = 1e-9


@inlined
def _between(distance: float, rows: int) -> tuple[int, float]:
    """The tabled distance below a distance, and how much the next one above counts."""
    part = min(max(distance * PARTS, 0.0), rows - 1.001)
    below = int(part)
    return below, part - below


def duels_of(later: NDArray[np.float64]) -> NDArray[np.float64]:
    """The chance of the seat to move against one other, by both tabled distances."""
    sure = np.ones((len(later), 1))
    before = np.hstack([sure, later[:, :-1]])
    return np.asarray((before - later) @ before.T)


def _duel_entry(sources: str) -> Callable[..., None]:
    @cached
    def win_duel(
        duels: NDArray[np.float64],
        distances: NDArray[np.float64],
        first: int,
        worth: NDArray[np.float64],
    ) -> None:
        """Two seats' chances by their distances, seats by anchors; ``first`` is to move."""
        sources  # noqa: B018  what the cache looks at
        rows, second = len(duels), 1 - first
        for row in range(distances.shape[1]):
            low, much = _between(distances[first, row], rows)
            under, more = _between(distances[second, row], rows)
            near = duels[low, under] * (1 - more) + duels[low, under + 1] * more
            far = duels[low + 1, under] * (1 - more) + duels[low + 1, under + 1] * more
            worth[row, first] = near * (1 - much) + far * much
            worth[row, second] = 1 - worth[row, first]

    return win_duel


def _share_entry(sources: str) -> Callable[..., None]:
    @cached
    def share_wins(
        later: NDArray[np.float64],
        distances: NDArray[np.float64],
        first: int,
        worth: NDArray[np.float64],
    ) -> None:
        """Every seat's chance by all distances; the seats have their turns in order."""
        sources  # noqa: B018  what the cache looks at
        rows, turns = later.shape
        seats = len(distances)
        below = np.empty(seats, np.int64)
        share, before = np.empty(seats), np.empty(seats)
        for row in range(distances.shape[1]):
            for seat in range(seats):
                below[seat], share[seat] = _between(distances[seat, row], rows)
                before[seat] = 1.0
                worth[row, seat] = 0.0
            nobody = 1.0
            for turn in range(turns):
                for count in range(seats):
                    seat = (first + count) % seats
                    low, much = below[seat], share[seat]
                    after = later[low, turn] * (1 - much) + later[low + 1, turn] * much
                    goes_on = after / before[seat] if before[seat] > 0.0 else 0.0
                    worth[row, seat] += nobody * (1 - goes_on)
                    nobody *= goes_on
                    before[seat] = after
                if nobody < NEGLIGIBLE:
                    break
            worth[row] /= worth[row].sum()

    return share_wins


win_duel = _duel_entry(SOURCES)
share_wins = _share_entry(SOURCES)
