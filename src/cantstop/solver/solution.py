"""A solved game: its values, its file, and how far a solver has come."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite
from pathlib import Path

from cantstop.rules import Rules, Start
from cantstop.solver.numbering import Numbering
from cantstop.solver.table import CHECKPOINT, BadTable, Table, read_file, write_file


@dataclass(frozen=True)
class Progress:
    """``share`` of the work is done, after ``seconds``; ``left`` are the seconds it may still take.

    The share counts work, not anchors: the anchors of the first levels are solved in no time.
    """

    level: int
    levels: int
    share: float
    seconds: float

    @property
    def left(self) -> float | None:
        """An estimate of the seconds to go, once there is something to go by."""
        return self.seconds * (1 / self.share - 1) if self.share > 0 else None


Report = Callable[[Progress], None]


def no_report(progress: Progress) -> None:
    """Report nothing."""


@dataclass(frozen=True, eq=False)
class Solution:
    """A solved game.

    ``value`` is what it is worth to whoever begins: expected turns, or the probability to win.
    ``boards`` counts the anchors together with the positions in which the game is over.
    """

    value: float
    anchors: int
    boards: int
    seconds: float
    fetch: Callable[[], Table]
    """Gets the table from where it is."""

    @cached_property
    def table(self) -> Table:
        """The value of every anchor."""
        return self.fetch()


def save_solution(solution: Solution, path: Path) -> None:
    """Write a solution to a file; what was there stays until the new one is whole."""
    table = solution.table
    write_file(
        path,
        table.values,
        {
            "rules": str(table.rules),
            "anchors": solution.anchors,
            "boards": solution.boards,
            "seconds": solution.seconds,
        },
    )


def open_solution(path: Path, rules: Rules | None = None) -> Solution:
    """Open the file of a solution, of these rules if they are given.

    A file that is not whole is refused. Its values are read where they lie.

    Raises:
        BadTable: If the file is unfinished, damaged, or of other rules.
    """
    header, values = read_file(path)
    if CHECKPOINT in header:
        raise BadTable("{name} is unfinished: its solution was interrupted.", name=path.name)
    found = Rules.parse(header["rules"])
    if rules is not None and replace(rules, start=Start.FIRST_SEAT) != found:
        raise BadTable("{name} has other rules: {rules}.", name=path.name, rules=str(found))
    numbering = Numbering(found)
    match header:
        case {"anchors": int(anchors), "boards": int(boards), "seconds": float(seconds)} if len(
            values
        ) == numbering.boards and isfinite(seconds):
            table = Table(numbering, values)
        case _:
            raise BadTable("{name} has a damaged header.", name=path.name)
    return Solution(table.start, anchors, boards, seconds, lambda: table)
