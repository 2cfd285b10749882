"""Who gets there first, when everybody's turns to go scatter about their distance."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.compiled import cached, inlined
from cantstop.engine.race.compiled import SOURCES

PARTS = 4
"""The distances for which the scatter is tabled lie so many parts of a turn apart."""

NEGLIGIBLE = 1e-9

KEPT = 128
"""For so many distances of the other seats chances are kept; an opening turn ends in 67."""


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


@inlined
def _race(
    later: NDArray[np.float64],
    below: NDArray[np.int64],
    share: NDArray[np.float64],
    first: int,
    before: NDArray[np.float64],
    chances: NDArray[np.float64],
) -> None:
    """Every seat's chance; ``below`` and ``share`` say between which tabled distances it is."""
    seats = len(below)
    for seat in range(seats):
        before[seat], chances[seat] = 1.0, 0.0
    nobody = 1.0
    for turn in range(later.shape[1]):
        for count in range(seats):
            seat = (first + count) % seats
            low, much = below[seat], share[seat]
            after = later[low, turn] * (1 - much) + later[low + 1, turn] * much
            goes_on = after / before[seat] if before[seat] > 0.0 else 0.0
            chances[seat] += nobody * (1 - goes_on)
            nobody *= goes_on
            before[seat] = after
        if nobody < NEGLIGIBLE:
            break
    chances /= chances.sum()


@inlined
def _place_of(
    others: NDArray[np.float64], kept: int, distances: NDArray[np.float64], row: int, played: int
) -> int:
    """Which of the kept distances the others of a row are at; ``kept`` if at none."""
    for at in range(kept):
        same = True
        for seat in range(len(distances)):
            same &= seat == played or others[at, seat] == distances[seat, row]
        if same:
            return at
    return kept


def _share_entry(sources: str) -> Callable[..., None]:
    @cached
    def share_wins(
        later: NDArray[np.float64],
        distances: NDArray[np.float64],
        first: int,
        worth: NDArray[np.float64],
    ) -> None:
        """Every seat's chance by all distances; the seats have their turns in order.

        All chances are linear in how the turns of one seat scatter, the others given. In the ends
        of a turn that is the seat which has just played, and the others are at few distances: so
        chances are worked out for its tabled distances only, when first asked for.
        """
        sources  # noqa: B018  what the cache looks at
        rows, seats = len(later), len(distances)
        played = (first - 1) % seats
        below, share, before = np.zeros(seats, np.int64), np.zeros(seats), np.empty(seats)
        others, kept = np.empty((KEPT, seats)), 0
        known, chances = np.empty((KEPT, rows), np.bool_), np.empty((KEPT, rows, seats))
        for row in range(distances.shape[1]):
            at = _place_of(others, kept, distances, row, played)
            if at == kept:
                at = kept if kept < KEPT else 0  # more there are seldom: then begin anew
                kept = at + 1
                others[at] = distances[:, row]
                known[at] = False
            low, much = _between(distances[played, row], rows)
            for tabled in range(low, low + 2):
                if not known[at, tabled]:
                    known[at, tabled] = True
                    for seat in range(seats):
                        below[seat], share[seat] = _between(distances[seat, row], rows)
                    # the last tabled distance is the upper one of its pair
                    below[played] = min(tabled, rows - 2)
                    share[played] = tabled - below[played]
                    _race(later, below, share, first, before, chances[at, tabled])
            for seat in range(seats):
                near, far = chances[at, low, seat], chances[at, low + 1, seat]
                worth[row, seat] = near * (1 - much) + far * much

    return share_wins


win_duel = _duel_entry(SOURCES)
share_wins = _share_entry(SOURCES)
