"""Count the trees of tests/data/counted_trees.txt again; the positions in it are the input."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import lcm
from pathlib import Path

from cantstop import Position
from cantstop.rules import ways

FILE = Path(__file__).parent.parent / "tests" / "data" / "counted_trees.txt"
DEPTHS = 3
SHARES = lcm(*range(1, 7))
"""Three splits allow at most six moves, so an even share of this is a whole number."""


def tree(position: Position) -> Iterator[tuple[int, Fraction]]:
    """For one roll, two, three: the positions still in the turn, and how likely it is to be there.

    The player takes each legal move equally often and always rolls on.
    """
    sides = position.rules.board.sides
    weights = Counter({position: 1})
    for depth in range(1, DEPTHS + 1):
        weights = after_a_roll(weights, sides)
        yield len(weights), Fraction(weights.total(), (sides**4 * SHARES) ** depth)


def after_a_roll(weights: Counter[Position], sides: int) -> Counter[Position]:
    """The positions after one more roll and move, in parts of ``sides ** 4 * SHARES``."""
    found: Counter[Position] = Counter()
    for position, weight in weights.items():
        for dice, times in ways(sides, 4).items():
            rolled = position.roll(dice)
            for move in rolled.legal_moves:
                found[rolled.move(move)] += weight * times * SHARES // len(rolled.legal_moves)
    return found


def counted(text: str) -> str:
    """The file's text with its counts recomputed; comments and positions stay."""
    lines: list[str] = []
    for line in text.splitlines():
        if not line.startswith(" "):
            lines.append(line)
        if line.startswith("v"):
            for depth, (positions, mass) in enumerate(tree(Position.parse(line)), 1):
                lines.append(f"  {depth} {positions} {mass}")
    return "\n".join([*lines, ""])


def main() -> None:
    """Rewrite the file."""
    FILE.write_text(counted(FILE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
