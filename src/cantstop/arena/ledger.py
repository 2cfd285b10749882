"""Which games have been played and what they came to: in memory, and in a file to resume from."""

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from cantstop.arena.plan import Plan
from cantstop.arena.totals import Totals
from cantstop.files import write_atomically
from cantstop.rules import CantStopError, InvalidText, Phrase

FORMAT = 1

Ranges = list[tuple[int, int]]
"""Games from one number up to another, in order and without touching each other."""


@dataclass
class Account:
    """What one table has come to."""

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
class Ledger:
    """What a plan has come to so far."""

    plan: Plan
    accounts: list[Account]

    @classmethod
    def blank(cls, plan: Plan) -> "Ledger":
        """Nothing played yet."""
        return cls(plan, [Account() for _ in plan.tables])

    @property
    def played(self) -> int:
        """How many games have been played, at all tables."""
        return sum(account.totals.count("games") for account in self.accounts)

    def save(self, path: Path) -> None:
        """Write everything to a file; one that was there stays whole until the new one is."""
        content = {
            "format": FORMAT,
            "plan": _plan_json(self.plan),
            "tables": [
                {**account.totals.to_json(), "done": account.done} for account in self.accounts
            ],
        }
        try:
            write_atomically(path, json.dumps(content))
        except OSError as error:
            raise _unusable(path, os.strerror(error.errno or 0)) from None


def resumed(plan: Plan, path: Path) -> Ledger:
    """What a file says has been played of a plan; nothing if there is no file yet.

    The file's plan may have fewer games: then the same games go on.
    """
    if not path.exists():
        Ledger.blank(plan).save(path)  # a place that cannot be written to is better found now
        return Ledger.blank(plan)
    try:
        content = json.loads(path.read_text("utf-8"))
        accounts = [_account(table) for table in content["tables"]]
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
    return Ledger(plan, accounts)


def _account(table: dict[str, Any]) -> Account:
    totals = Totals.from_json(table["counts"], [tuple(reason) for reason in table["reasons"]])
    return Account(totals, [(int(first), int(last)) for first, last in table["done"]])


def _plan_json(plan: Plan) -> dict[str, object]:
    return {**asdict(plan), "rules": str(plan.rules), "bots": list(plan.bots)}


def _unusable(path: Path, reason: str) -> InvalidText:
    return InvalidText("{path} cannot be used to resume: {reason}.", path=path, reason=reason)
