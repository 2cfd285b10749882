"""What has been played and what it came to: in memory, and in a file to resume from."""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Self, TypedDict, cast

import numpy as np

from cantstop.arena.plan import Plan
from cantstop.files import write_atomically
from cantstop.kernel.layout import TOTALS
from cantstop.kernel.records import Records
from cantstop.rules import InvalidText, Phrase
from cantstop.rules.settings import MOST_PLAYERS
from cantstop.untrusted import read_bounded

MAX_BYTES = 1 << 20
MAX_MATCH_BYTES = 1 << 16
"""The most bytes of a file: a base, and an allowance for each match."""

_COUNTS = TOTALS.itemsize // np.dtype(np.int64).itemsize
_LUCK_COUNTS = 1 + 4 * MOST_PLAYERS
"""The last numbers of a record are about luck: they may be negative, and older files lack them."""


def _counts(value: object) -> bool:
    """Whether this is a number of times that something happened."""
    return type(value) is int and 0 <= value < 2**63


def _size(value: object) -> object:
    """A number without its sign; anything else as it is."""
    return abs(value) if type(value) is int else value


@dataclass
class Totals:
    """A ``TOTALS`` record: what some games came to."""

    array: Records = field(default_factory=lambda: np.zeros(1, TOTALS))

    def count(self, name: str) -> int:
        """A number of the record."""
        return int(self.array[name][0])

    def counts(self, name: str) -> list[int]:
        """A list of the record."""
        return list(map(int, self.array[name][0]))

    def add(self, other: Self) -> None:
        """Add counts that were made elsewhere."""
        self.array.view(np.int64)[:] += other.array.view(np.int64)

    def to_json(self) -> list[int]:
        """A form that a file can hold."""
        return cast("list[int]", self.array.view(np.int64).tolist())

    @classmethod
    def from_json(cls, counts: object) -> Self:
        """The totals of such a form; a ``ValueError`` where it is none."""
        plain = _COUNTS - _LUCK_COUNTS
        if not isinstance(counts, list) or len(counts) not in (plain, _COUNTS):
            raise ValueError("These are no counts.")
        if not all(map(_counts, [*counts[:plain], *map(_size, counts[plain:])])):
            raise ValueError("These are no counts.")
        known = np.zeros(1, TOTALS)
        known.view(np.int64)[: len(counts)] = counts
        return cls(known)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Totals) and self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]


FORMAT = 1

Ranges = list[tuple[int, int]]
"""Games from one number up to another, in order and without touching each other."""


@dataclass
class MatchProgress:
    """What one match has come to."""

    totals: Totals = field(default_factory=Totals)
    done: Ranges = field(default_factory=list)

    def note(self, first: int, last: int, totals: Totals) -> None:
        """Add the games from one number up to another."""
        self.totals.add(totals)
        ranges: Ranges = []
        for begin, end in sorted([*self.done, (first, last)]):
            if ranges and ranges[-1][1] == begin:
                ranges[-1] = (ranges[-1][0], end)
            else:
                ranges.append((begin, end))
        self.done = ranges

    def gaps(self, games: int) -> Ranges:
        """The games that are still to be played, of ``games`` in all."""
        edges = [0, *(edge for played in self.done for edge in played), games]
        pairs = zip(edges[::2], edges[1::2], strict=True)
        return [(begin, end) for begin, end in pairs if begin < end]


@dataclass
class Checkpoint:
    """What a plan has come to so far."""

    plan: Plan
    matches: list[MatchProgress]

    @classmethod
    def blank(cls, plan: Plan) -> "Checkpoint":
        """Nothing played yet."""
        return cls(plan, [MatchProgress() for _ in plan.matches])

    @property
    def played(self) -> int:
        """How many games have been played, in all matches."""
        return sum(played.totals.count("games") for played in self.matches)

    def save(self, path: Path) -> None:
        """Write everything to a file; one that was there stays whole until the new one is."""
        content = {
            "format": FORMAT,
            "plan": _plan_json(self.plan),
            "tables": [
                {"counts": played.totals.to_json(), "done": played.done} for played in self.matches
            ],
        }
        try:
            write_atomically(path, json.dumps(content))
        except OSError as error:
            raise _unusable(path, os.strerror(error.errno or 0)) from None


def resumed(plan: Plan, path: Path) -> Checkpoint:
    """What a file says has been played of a plan; nothing if there is no file yet.

    The file's plan may have fewer games: then the same games go on.
    """
    if not path.exists():
        Checkpoint.blank(plan).save(path)  # a place that cannot be written to is better found now
        return Checkpoint.blank(plan)
    try:
        data = read_bounded(path, MAX_BYTES + len(plan.matches) * MAX_MATCH_BYTES)
        content = json.loads(data)
        kept, games = content["plan"], int(content["plan"]["games"])
        matches = [_match_progress(match, games) for match in content["tables"]]
        due = _plan_json(plan.with_games(games))
        same = content.get("format") == FORMAT and kept == due and len(matches) == len(plan.matches)
    except OSError as error:
        raise _unusable(path, error.strerror or "") from None
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        raise _unusable(path, Phrase("it is not an arena file")) from None
    if not same or games > plan.games:
        raise InvalidText(
            "{path} holds other games: its bots, rules, seed or games differ.", path=path
        )
    return Checkpoint(plan, matches)


class _MatchFile(TypedDict):
    """A match in the file."""

    counts: list[int]
    done: list[tuple[int, int]]


def _match_progress(match: _MatchFile, games: int) -> MatchProgress:
    """Read a progress file; raises ``ValueError`` unless it fits the number of games."""
    totals = Totals.from_json(match["counts"])
    done = [(int(first), int(last)) for first, last in match["done"]]
    edges = [edge for played in done for edge in played]
    if edges != sorted(set(edges)) or (edges and not 0 <= edges[0] < edges[-1] <= games):
        raise ValueError("These are no games.")
    if totals.count("games") > sum(last - first for first, last in done):
        raise ValueError("More games than there were are counted.")
    return MatchProgress(totals, done)


def _plan_json(plan: Plan) -> Mapping[str, object]:
    content = {**asdict(plan), "rules": str(plan.rules), "bots": list(plan.bots)}
    del content["own"]  # no object is kept in a file
    if not plan.control:  # as files were before there were control variates
        del content["control"]
    return content


def _unusable(path: Path, reason: str) -> InvalidText:
    return InvalidText("{path} cannot be used to resume: {reason}.", path=path, reason=reason)
