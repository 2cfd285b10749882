"""What is known of the levels: their ratings, and each pair's share of wins in 4,000 games."""

import json
from pathlib import Path

_LADDER = Path(__file__).parents[1] / "ladder" / "results.json"


def _read() -> tuple[dict[int, float], dict[tuple[int, int], float]]:
    found = json.loads(_LADDER.read_text(encoding="utf-8"))["round_robin"]
    number = {name: level for level, name in enumerate(found["ratings"], start=1)}
    shares = {(level, level): 0.5 for level in number.values()}
    for a, b, games, wins in found["matches"]:
        shares[number[a], number[b]] = wins / games
        shares[number[b], number[a]] = 1 - wins / games
    return {number[name]: rating for name, (rating, _) in found["ratings"].items()}, shares


RATINGS, SHARES = _read()
