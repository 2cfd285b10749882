"""What has been played and what it came to: in memory, and in a file to resume from."""

import json
import os
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np

from cantstop.arena.plan import Plan
from cantstop.files import write_atomically
from cantstop.kernel.layout import TOTALS
from cantstop.kernel.records import Records
from cantstop.rules import InvalidText, Phrase
from cantstop.rules.settings import MOST_PLAYERS
from cantstop.untrusted import quoted, read_bounded

MAX_BYTES = 1 << 20
MAX_MATCH_BYTES = 1 << 16
"""A file has at most so many bytes, and so many for each match."""

MOST_REASONS = 20
"""Different reasons for lost games that are kept word for word."""

OTHER_REASON = "…"


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
    """A ``TOTALS`` record, and why bots forfeited games: (bot, reason) to how often."""

    array: Records = field(default_factory=lambda: np.zeros(1, TOTALS))
    reasons: Counter[tuple[int, str]] = field(default_factory=Counter)

    def count(self, name: str) -> int:
        """A number of the record."""
        return int(self.array[name][0])

    def counts(self, name: str) -> list[int]:
        """A list of the record."""
        return list(map(int, self.array[name][0]))

    def forfeit(self, bot: int, reason: str, times: int = 1) -> None:
        """Note why a bot lost a game, or so many, without playing it to its end."""
        known = (bot, reason) in self.reasons or len(self.reasons) < MOST_REASONS
        self.reasons[bot, reason if known else OTHER_REASON] += times

    def add(self, other: Self) -> None:
        """Count what somebody else has counted."""
        self.array.view(np.int64)[:] += other.array.view(np.int64)
        for (bot, reason), times in sorted(other.reasons.items()):
            self.forfeit(bot, reason, times)

    def to_json(self) -> dict[str, list[int] | list[tuple[int, str, int]]]:
        """A form that a file can hold."""
        reasons = [(bot, reason, times) for (bot, reason), times in self.reasons.items()]
        return {"counts": self.array.view(np.int64).tolist(), "reasons": reasons}

    @classmethod
    def from_json(cls, counts: object, reasons: object) -> Self:
        """The totals of such a form; a ``ValueError`` where it is none."""
        plain = _COUNTS - _LUCK_COUNTS
        if not isinstance(counts, list) or len(counts) not in (plain, _COUNTS):
            raise ValueError("These are no counts.")
        if not all(map(_counts, [*counts[:plain], *map(_size, counts[plain:])])):
            raise ValueError("These are no counts.")
        if not isinstance(reasons, list) or len(reasons) > MOST_REASONS + MOST_PLAYERS:
            raise ValueError("These are no reasons.")
        found: Counter[tuple[int, str]] = Counter()
        for entry in reasons:
            match entry:
                case [int(bot), str(reason), times] if 0 <= bot < MOST_PLAYERS and _counts(times):
                    found[bot, quoted(reason)] += times
                case _:
                    raise ValueError("These are no reasons.")
        known = np.zeros(1, TOTALS)
        known.view(np.int64)[: len(counts)] = counts
        return cls(known, found)

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
        """What is still to be played of so many games."""
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
            "tables": [{**played.totals.to_json(), "done": played.done} for played in self.matches],
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


def _match_progress(match: dict[str, Any], games: int) -> MatchProgress:
    """The progress that a file tells; a ``ValueError`` where it cannot be that of so many games."""
    totals = Totals.from_json(match["counts"], match["reasons"])
    done = [(int(first), int(last)) for first, last in match["done"]]
    edges = [edge for played in done for edge in played]
    if edges != sorted(set(edges)) or (edges and not 0 <= edges[0] < edges[-1] <= games):
        raise ValueError("These are no games.")
    if totals.count("games") > sum(last - first for first, last in done):
        raise ValueError("More games than there were are counted.")
    return MatchProgress(totals, done)


def _plan_json(plan: Plan) -> dict[str, object]:
    content = {**asdict(plan), "rules": str(plan.rules), "bots": list(plan.bots)}
    del content["own"]  # no object is kept in a file
    if not plan.control:  # as files were before there were control variates
        del content["control"]
    return content


def _unusable(path: Path, reason: str) -> InvalidText:
    return InvalidText("{path} cannot be used to resume: {reason}.", path=path, reason=reason)
