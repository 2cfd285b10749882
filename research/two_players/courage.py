"""How bold best play is: the chance of a bust in a turn, and what it would be for one alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from statistics import mean
from typing import Any

from cantstop.engine import solve_turn

from .games import Alone, self_play

BANDS = (0, 20, 40, 60, 80, 100)


def courage_figures(games: int, seed: int) -> dict[str, Any]:
    """The chance of a bust by what both seats need, and by the mover's win chance, two players."""
    rows: list[dict[str, Any]] = []
    for anchor, turn in self_play(games, seed):
        counts = anchor.tokens.counts
        alone = solve_turn(anchor, Alone())
        worth = turn.value(anchor)
        rows.append(
            {
                "position": str(anchor),
                "need": 3 - counts[anchor.seat],
                "other": 3 - counts[1 - anchor.seat],
                "band": max(band for band in BANDS[:-1] if 100 * worth >= band),
                "worth": 100 * worth,
                "bust": 100 * turn.bust_chance(anchor),
                "alone": 100 * alone.bust_chance(anchor),
            }
        )
    return {
        "games": games,
        "seed": seed,
        "turns": len(rows),
        "bust": mean(row["bust"] for row in rows),
        "alone": mean(row["alone"] for row in rows),
        "by_need": _grouped(rows, lambda row: (row["need"], row["other"])),
        "by_win_chance": _grouped(rows, lambda row: row["band"]),
        "boldest": sorted(rows, key=lambda row: row["alone"] - row["bust"])[:5],
        "most_careful": sorted(rows, key=lambda row: row["bust"] - row["alone"])[:5],
    }


def _grouped(
    rows: Iterable[dict[str, Any]], key: Callable[[dict[str, Any]], Hashable]
) -> list[dict[str, Any]]:
    groups: dict[Hashable, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return [
        {
            "group": group,
            "turns": len(members),
            "bust": mean(row["bust"] for row in members),
            "alone": mean(row["alone"] for row in members),
        }
        for group, members in sorted(groups.items())
    ]
