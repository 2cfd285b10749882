"""The counted trees: counted again with the rules, and by brute force with the oracle."""

import re
from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest

import counted_trees
import oracle

TEXT = (Path(__file__).parent / "data" / "counted_trees.txt").read_text("utf-8")
TREES = {
    position: [
        (int(count), Fraction(mass)) for count, mass in re.findall(r"  \d (\d+) (\S+)", tree)
    ]
    for position, tree in re.findall(r"^(v.*)\n((?:  .*\n)*)", TEXT, re.MULTILINE)
}


def test_there_are_enough_of_them_each_to_three_rolls() -> None:
    assert len(TREES) >= 20
    assert all(len(tree) == 3 for tree in TREES.values())
    for setting in ("early", "sharing=no-rest", "sharing=leapfrog", "win=", "runners=", "lengths="):
        assert sum(setting in position for position in TREES) >= 2


@pytest.mark.parametrize("position", TREES)
def test_the_rules_count_the_same(position: str) -> None:
    assert counted_trees.counted(f"{position}\n") == "\n".join(
        [
            position,
            *(f"  {n} {count} {mass}" for n, (count, mass) in enumerate(TREES[position], 1)),
            "",
        ]
    )


@pytest.mark.parametrize("position", TREES)
def test_brute_force_over_every_ordered_throw_counts_the_same(position: str) -> None:
    table = oracle.read(position)
    sides = (len(table.tops) + 1) // 2
    reached = {tuple(sorted(table.runners.items())): Fraction(1)}
    for depth, due in enumerate(TREES[position], 1):
        if depth > 2 and len(reached) > 100:
            break  # the third roll takes long where there are many positions
        reached = after_every_throw(table, reached, sides)
        assert (len(reached), sum(reached.values())) == due


Runners = tuple[tuple[int, int], ...]


def after_every_throw(
    table: oracle.Table, reached: dict[Runners, Fraction], sides: int
) -> dict[Runners, Fraction]:
    """The runners that each throw and move lead to, with their exact chance."""
    found: dict[Runners, Fraction] = defaultdict(Fraction)
    for runners, chance in reached.items():
        table.runners = dict(runners)
        for dice, times in throws(sides).items():
            options = oracle.options(table, dice)
            for after in options.values():
                share = chance * Fraction(times, sides**4 * len(options))
                found[tuple(sorted(after.items()))] += share
    return found


@cache
def throws(sides: int) -> Counter[tuple[int, ...]]:
    """All ordered throws of four dice; those that differ in order only are counted together."""
    return Counter(tuple(sorted(throw)) for throw in product(range(1, sides + 1), repeat=4))
