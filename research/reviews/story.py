"""Checks the sentences that reviews tell about many games, as the tests do for a few.

Example: python research/reviews/story.py --games 500

The games are numbered from 0, and the same ones every time: ``--first`` begins with a later one, so
that a long check can be made in parts.
"""

import argparse
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path

TESTS = Path(__file__).parents[2] / "tests"


def main() -> None:
    """Check every sentence about a number of games, and print the most frequent ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    sys.path[:0] = [str(TESTS), str(TESTS / "review")]
    check_story = import_module("test_story").check_story
    told: Counter[str] = Counter()
    for number in range(given.first, given.first + given.games):
        told.update(set(check_story(number)))
    print(f"{given.games} games, {sum(told.values())} sentences, all true.")
    print("Told most often:")
    for text, times in told.most_common(5):
        print(f"  {times} times: {text}")


if __name__ == "__main__":
    main()
