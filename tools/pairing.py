"""Simulates a lobby: how long players wait for others, and how far apart those are who meet.

Usage: python tools/pairing.py [--minute 50] [--hours 10] [--seed 31]

Players come at random times and renew their search every three seconds, as clients do; whoever can
be seated then is, by the same function as on a server. The clock is the simulation's own, so the
figures depend on the seed alone. Twelve in sixteen look for one other player, three for two, one
for three. Half of the players have a rating, spread by 150 points; the others are newcomers.
"""

import argparse
import heapq
import random
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from statistics import median, quantiles

from cantstop.server.tables.pairing import ANYBODY, Seek, gap, groups

BEGAN = datetime(2026, 11, 15, tzinfo=UTC)
RENEWED = 3.0
"""Seconds after which a client asks again."""
SIZES, WEIGHTS = (2, 3, 4), (12, 3, 1)
MEAN, SPREAD = 1650.0, 150.0


@dataclass
class Waits:
    """What those have met with who looked for a table of one size."""

    seconds: list[float] = field(default_factory=list)
    gaps: list[float] = field(default_factory=list)
    left: int = 0
    """Those who still waited at the end."""


def simulate(minute: float, hours: float, seed: int) -> dict[int, Waits]:
    """The waits by size of table, with the given number of arrivals a minute."""
    chance = random.Random(seed)
    found: dict[int, Waits] = defaultdict(Waits)
    waiting: dict[str, Seek] = {}
    coming: list[tuple[float, int, Seek | str]] = []
    now, number = 0.0, 0
    while (now := now + chance.expovariate(minute / 60)) < 3600 * hours:
        number += 1
        rating = chance.gauss(MEAN, SPREAD) if chance.random() < 0.5 else None
        size = chance.choices(SIZES, WEIGHTS)[0]
        name = f"player {number}"
        at = BEGAN + timedelta(seconds=now)
        seek = Seek(name, name, name, size, "classic", rated=True, since=at, rating=rating)
        heapq.heappush(coming, (now, number, seek))
    while coming:
        now, number, who = heapq.heappop(coming)
        if now > 3600 * hours:
            break
        if isinstance(who, Seek):
            waiting[who.player] = who
        name = who if isinstance(who, str) else who.player
        if name not in waiting:
            continue
        heapq.heappush(coming, (now + RENEWED, number, name))
        at = BEGAN + timedelta(seconds=now)
        for group in list(groups(list(waiting.values()), (), at)):
            waits = found[group[0].players]
            waits.gaps.append(gap(group))
            for one in group:
                waits.seconds.append((at - one.since).total_seconds())
                del waiting[one.player]
    for one in waiting.values():
        found[one.players].left += 1
    return dict(found)


def main() -> None:
    """Print waits and gaps by size of table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--minute", type=float, default=50, help="arrivals a minute")
    parser.add_argument("--hours", type=float, default=10)
    parser.add_argument("--seed", type=int, default=31)
    asked = parser.parse_args()
    print("players  seated   wait s: median  95 %  longest   alone > 20 s   gap: median  95 %")
    for size, waits in sorted(simulate(asked.minute, asked.hours, asked.seed).items()):
        if len(waits.gaps) < 2:
            continue
        late = sum(one >= ANYBODY.total_seconds() for one in waits.seconds)
        print(
            f"{size:7} {len(waits.seconds):7} {median(waits.seconds):16.1f}"
            f" {quantiles(waits.seconds, n=20)[-1]:5.1f} {max(waits.seconds):8.1f}"
            f" {100 * late / len(waits.seconds):12.1f} %"
            f" {median(waits.gaps):13.0f} {quantiles(waits.gaps, n=20)[-1]:5.0f}"
        )


if __name__ == "__main__":
    main()
