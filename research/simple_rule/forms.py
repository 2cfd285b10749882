"""Forms of rules: which numbers there are, in which bounds, and the rows that play by them.

Numbers that stand for columns are given for 2 to 7 and count for 12 to 7 as well, or for three
groups of columns: the outer ones (2, 3, 11, 12), the inner ones (4, 5, 9, 10) and the middle.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cantstop.rules import OFFICIAL

from .games import RULE, Rows, set_points

Numbers = NDArray[np.int64]
Given = dict[str, Any]
"""The numbers of many rules by name: a row of them for each rule, or one number for all."""

GROUPS = 3
NEVER = 999
"""More points than a turn has."""


def rows_of(given: Given, count: int) -> Rows:
    """Rules that all have the same kinds of numbers; a kind that is missing is 0."""
    rows = np.zeros(count, RULE)
    for column in OFFICIAL.columns:
        place, top = min(column, 14 - column) - 2, OFFICIAL.top(column)
        for space in range(1, top + 1):
            rows["value"][:, column, space] = (
                _of_column(given, "like", place)
                + _of_column(given, "slope", place) * (space - 1) // (top - 1)
                + given.get("upper", 0) * (2 * space > top)
                + given.get("prize", 0) * (space == top)
            )
        rows["space"][:, column] = space_points = _of_column(given, "space", place)
        rows["entered"][:, column] = (
            _of_column(given, "entered", place) if "entered" in given else space_points
        )
    for name, field in (("taken", "taken"), ("added", "added")):
        odd, even, side = (given.get(f"{kind}_{name}", 0) for kind in ("odd", "even", "side"))
        rows[field] = set_points(odd, even, side, side)
    for name in ("price", "enough", "top", "tops_stop", "behind"):
        rows[name] = given.get(name, 0)
    return rows


def _of_column(given: Given, name: str, place: int) -> Any:  # noqa: ANN401
    numbers = given.get(name)
    if numbers is None:
        return 0
    return numbers[:, place // 2 if numbers.shape[1] == GROUPS else place]


@dataclass(frozen=True)
class Number:
    """One number of a rule, or one for each column or group."""

    name: str
    least: int
    most: int
    start: tuple[int, ...]


@dataclass(frozen=True)
class Form:
    """Rules of one form."""

    numbers: tuple[Number, ...]

    @property
    def start(self) -> Numbers:
        """Where a search begins."""
        return np.concatenate([np.array(number.start) for number in self.numbers])

    @property
    def bounds(self) -> tuple[Numbers, Numbers]:
        """The least and the most that each number can be."""
        least = [number.least for number in self.numbers for _ in number.start]
        most = [number.most for number in self.numbers for _ in number.start]
        return np.array(least), np.array(most)

    def named(self, candidates: Numbers) -> Given:
        """The numbers of many rules by name."""
        found, place = {}, 0
        for number in self.numbers:
            part = candidates[:, place : place + len(number.start)]
            found[number.name] = part if len(number.start) > 1 else part[:, 0]
            place += len(number.start)
        return found

    def rows(self, candidates: Numbers) -> Rows:
        """The rules as rows."""
        return rows_of(self.named(candidates), len(candidates))


_TOPS = Number("tops_stop", 0, 1, (1,))

FORMS = {
    # what the Rule of 28 has, with better numbers
    "twenty-eight": Form(
        (
            Number("like", 0, 9, (1, 2, 3, 4, 5, 6)),
            Number("price", -5, 20, (6,)),
            Number("space", 0, 9, (6, 5, 4, 3, 2, 1)),
            *(Number(f"odd_{name}", -9, 20, (2,)) for name in ("added", "taken")),
            *(Number(f"even_{name}", -20, 9, (-2,)) for name in ("added", "taken")),
            *(Number(f"side_{name}", -9, 20, (4,)) for name in ("added", "taken")),
            Number("enough", 5, 99, (28,)),
        )
    ),
    # the card's choice, and points that are counted to stop
    "counting": Form(
        (
            Number("like", 0, 4, (3, 0, 2, 0, 3, 2)),
            Number("price", 0, 8, (3,)),
            Number("upper", 0, 8, (3,)),
            Number("prize", 0, 20, (20,)),
            Number("space", 0, 4, (3, 1, 0)),
            Number("enough", 3, 40, (10,)),
            Number("behind", 0, 40, (10,)),
            _TOPS,
        )
    ),
    # all that this kind of player can have, for nobody's head
    "long": Form(
        (
            Number("like", 0, 60, (15, 0, 3, 0, 7, 5)),
            Number("slope", 0, 120, (72, 48, 56, 44, 28, 32)),
            Number("price", -10, 60, (12,)),
            Number("odd_taken", -40, 60, (11,)),
            Number("even_taken", -60, 40, (-1,)),
            Number("side_taken", -40, 60, (4,)),
            Number("space", 0, 40, (15, 13, 8, 8, 4, 3)),
            Number("entered", 0, 60, (15, 13, 8, 8, 4, 3)),
            Number("odd_added", -40, 60, (11,)),
            Number("even_added", -60, 40, (-1,)),
            Number("side_added", -40, 60, (4,)),
            Number("enough", 5, 400, (61,)),
            Number("top", 0, 300, (0,)),
            Number("behind", 0, 99, (0,)),
            _TOPS,
        )
    ),
}

LONG = (
    *(13, 0, 11, 0, 15, 12),
    *(66, 68, 46, 51, 29, 30),
    *(19, 22, -14, 11),
    *(10, 5, 4, 1, 3, 2),
    *(26, 22, 20, 21, 9, 4),
    *(-15, -9, 9),
    *(80, 38, 80, 1),
)
"""A strong rule of the long form, which a search found: the other ones have to win against it."""


def strong_rival() -> Rows:
    """The rival of that form."""
    return FORMS["long"].rows(np.array([LONG]))
