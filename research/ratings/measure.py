"""Every figure of docs/ratings.md that games gave.

The constants of the model were fitted to 5,401 games before these were played: nothing is fitted to
what it is checked with. ``fitted`` is what these games would have given instead.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, stdev

from cantstop.ratings import MODEL
from research.ratings import careers, leaving
from research.ratings.games import Reviewed, read
from research.ratings.model import fitted

RESULTS = Path(__file__).parent / "results.json"


def luck_means(games: Sequence[Reviewed]) -> dict[str, list[float]]:
    """The mean of luck by seat and by level, and how many standard errors it is from zero."""
    found: dict[str, list[float]] = defaultdict(list)
    for game in games:
        for seat, (level, luck) in enumerate(zip(game.levels, game.luck, strict=True)):
            found[f"seat {seat + 1}"].append(luck)
            found[f"level {level}"].append(luck)
    return {
        name: [
            len(luck),
            round(100 * fmean(luck), 2),
            round(fmean(luck) / (stdev(luck) / len(luck) ** 0.5), 2),
        ]
        for name, luck in sorted(found.items())
    }


def measure(files: Sequence[Path], people: int, clubs: int) -> dict[str, object]:
    """All figures, from the games of these files; those of two players first."""
    by_players: dict[int, list[Reviewed]] = defaultdict(list)
    for file in files:
        for game in read(file):
            by_players[len(game.levels)].append(game)
    two = by_players[2]
    new = [game for game in two if game.n >= leaving.SEEN]
    pool = careers.Pool(two)
    play, results = careers.anchored(pool, people, "31")
    found: dict[str, object] = {
        "model": MODEL,
        "evaluators": {
            str(players): sorted({game.evaluator for game in games})
            for players, games in sorted(by_players.items())
        },
        "games": {str(players): len(games) for players, games in sorted(by_players.items())},
        "fewest": pool.fewest,
        "fitted": vars(fitted(two)),
        "careers": people,
        "play": careers.summary(play),
        "results": careers.summary(results),
        "club games": clubs,
        "clubs": {
            str(round(100 * bots)): careers.summary(
                [one for n in range(clubs) for one in careers.club(pool, bots, f"{bots} {n}")]
            )
            for bots in (0.0, 0.1, 0.3)
        },
        "luck": {str(players): luck_means(games) for players, games in sorted(by_players.items())},
        "leaving": {way.value: leaving.summary(two, way) for way in leaving.Way},
        "leaving new": {way.value: leaving.summary(new, way) for way in leaving.Way},
        "leaving too high": {way.value: leaving.summary(two, way, 100.0) for way in leaving.Way},
    }
    return found


def write(found: dict[str, object], target: Path = RESULTS) -> None:
    """Write the figures down."""
    target.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
