"""Chance nodes: every roll with its exact probability."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

from cantstop.rules.moves import Dice


class Chance(NamedTuple):
    """One outcome of a chance node: dice, lowest first, and how likely they are."""

    dice: Dice
    probability: Fraction


@cache
def ways(sides: int, count: int) -> dict[Dice, int]:
    """How many of the ``sides ** count`` throws show each set of dice."""
    if not count:
        return {(): 1}
    # one die at a time: 20-sided dice have 160,000 rolls but only 8,855 distinct ones
    found: Counter[Dice] = Counter()
    for (dice, times), die in product(ways(sides, count - 1).items(), range(1, sides + 1)):
        found[tuple(sorted((*dice, die)))] += times
    return dict(sorted(found.items()))


@cache
def chances(sides: int, count: int) -> tuple[Chance, ...]:
    """The distinct rolls of ``count`` dice with their probabilities, which sum to exactly 1."""
    return tuple(
        Chance(dice, Fraction(times, sides**count)) for dice, times in ways(sides, count).items()
    )
