"""Every rule of the card's form: none needs counting, and all of them are played.

**Choose** a move that reaches a top (or not more than its points say); else by points: some for a
step in 2, 6, 8 and 12, some in 4 and 10, some in 7, none in the other columns; more from a column's
middle space up, less for every runner brought out.

**Stop** at tops, and at once with all runners out if their columns are bad: outer and inner columns
have points, and a given number is bad. Once the other has won a column, at tops only (or not).
"""

from __future__ import annotations

from itertools import product

import numpy as np

from .forms import NEVER, Given, Numbers, rows_of
from .games import Rows
from .search import Judge

MOST_LIKED, MOST_PRICE, MOST_UPPER, FIRST = 3, 4, 6, 99
LOOKS = ((4000, 1), (300, 16), (20, 256))
"""How many rules a look leaves, and how many times the first one's games it has."""

Candidate = tuple[int, ...]


def stop_rules() -> list[tuple[int, int, int]]:
    """Points of outer and inner columns with what is bad: one of each that stop the same sets."""
    sets = [(outer, inner) for outer in range(4) for inner in range(4 - outer)]
    found: dict[tuple[bool, ...], tuple[int, int, int]] = {}
    for outer, inner, bad in product(range(6), range(6), range(1, 19)):
        if inner <= outer:
            stops = tuple(outer * outers + inner * inners >= bad for outers, inners in sets)
            found.setdefault(stops, (outer, inner, bad))
    return list(found.values())


def candidates() -> list[Candidate]:
    """All of them."""
    liked = range(MOST_LIKED + 1)
    prices, uppers = range(MOST_PRICE + 1), range(MOST_UPPER + 1)
    choices = product(liked, liked, liked, prices, uppers, (0, FIRST))
    return [
        (*choice, *stop, behind)
        for choice, stop, behind in product(choices, stop_rules(), (0, NEVER))
    ]


def rows_of_candidates(given: list[Candidate]) -> Rows:
    """The rules as rows."""
    numbers: Numbers = np.array(given)
    outer_even, ten, seven = numbers[:, :3].T
    none = np.zeros_like(seven)
    rule: Given = {
        "like": np.stack([outer_even, none, ten, none, outer_even, seven], axis=1),
        "entered": np.stack([numbers[:, 6], numbers[:, 7], none], axis=1),
        "tops_stop": 1,
    }
    places = {"price": 3, "upper": 4, "prize": 5, "enough": 8, "behind": 9}
    rule |= {name: numbers[:, place] for name, place in places.items()}
    return rows_of(rule, len(numbers))


def play_all(judge: Judge, games: int) -> list[tuple[float, Candidate]]:
    """The best rules with their scores: after each look the best are looked at again."""
    left = candidates()
    print(f"{len(left):,} rules, {len(stop_rules())} ways to stop", flush=True)
    scores = np.zeros(0)
    for look, (keep, times) in enumerate(LOOKS):
        scores = judge.score(rows_of_candidates(left), times * games, look)
        order = np.argsort(-scores)[:keep]
        left, scores = [left[place] for place in order], scores[order]
    return list(zip(map(float, scores), left, strict=True))
