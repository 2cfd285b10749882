"""What has been played and what it came to: in memory, and in a file to resume from."""

import json
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np

from cantstop.arena.plan import Plan
from cantstop.files import write_atomically
from cantstop.kernel.layout import TOTALS
from cantstop.kernel.records import Records
from cantstop.rules import CantStopError, InvalidText, Phrase

MOST_REASONS = 20
"""Different reasons for lost games that are kept word for word."""

OTHER_REASON = "…"


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

    def forfeit(self, bot: int, reason: str) -> None:
        """Note why a bot lost a game without playing it to its end."""
        known = (bot, reason) in self.reasons or len(self.reasons) < MOST_REASONS
        self.reasons[bot, reason if known else OTHER_REASON] += 1

    def add(self, other: Self) -> None:
        """Count what somebody else has counted."""
        self.array.view(np.int64)[:] += other.array.view(np.int64)
        for (bot, reason), times in sorted(other.reasons.items()):
            for _ in range(times):
                self.forfeit(bot, reason)

    def to_json(self) -> dict[str, list[int] | list[tuple[int, str, int]]]:
        """A form that a file can hold."""
        reasons = [(bot, reason, times) for (bot, reason), times in self.reasons.items()]
        return {"counts": self.array.view(np.int64).tolist(), "reasons": reasons}

    @classmethod
    def from_json(cls, counts: Sequence[int], reasons: Sequence[tuple[int, str, int]]) -> Self:
        """The totals of such a form."""
        known = np.zeros(1, TOTALS)
        known.view(np.int64)[: len(counts)] = counts  # older files do not count luck
        return cls(known, Counter({(bot, reason): times for bot, reason, times in reasons}))

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
        content = json.loads(path.read_text("utf-8"))
        matches = [_match_progress(match) for match in content["tables"]]
        kept, games = content["plan"], int(content["plan"]["games"])
        due = _plan_json(plan.with_games(games))
    except OSError as error:
        raise _unusable(path, os.strerror(error.errno or 0)) from None
    except (CantStopError, ValueError, KeyError, TypeError):
        raise _unusable(path, Phrase("it is not a file of the arena")) from None
    if content.get("format") != FORMAT or kept != due or games > plan.games:
        raise InvalidText(
            "{path} keeps other games than these: its bots, rules, seed or games differ.", path=path
        )
    return Checkpoint(plan, matches)


def _match_progress(match: dict[str, Any]) -> MatchProgress:
    totals = Totals.from_json(match["counts"], [tuple(reason) for reason in match["reasons"]])
    return MatchProgress(totals, [(int(first), int(last)) for first, last in match["done"]])


def _plan_json(plan: Plan) -> dict[str, object]:
    content = {**asdict(plan), "rules": str(plan.rules), "bots": list(plan.bots)}
    if not plan.control:  # as files were before there were control variates
        del content["control"]
    return content


def _unusable(path: Path, reason: str) -> InvalidText:
    return InvalidText("{path} cannot be used to resume: {reason}.", path=path, reason=reason)
