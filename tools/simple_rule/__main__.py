"""``python -m tools.simple_rule``: searches, and prints every rule that is better than the last."""

from __future__ import annotations

import argparse

from .search import search


def main() -> None:
    """Search; the same seed gives the same rules."""
    reader = argparse.ArgumentParser(prog="python -m tools.simple_rule", description=__doc__)
    reader.add_argument("--rounds", type=int, default=3000)
    reader.add_argument("--games", type=int, default=4000, help="of each first look (4,000)")
    reader.add_argument("--seed", type=int, default=1)
    given = reader.parse_args()
    print(search(given.rounds, given.games, given.seed).tolist())


if __name__ == "__main__":
    main()
