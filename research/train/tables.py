"""The tables that the documents show: what is measured for every rule set, and how much of it."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from cantstop.engine.evaluators.value.packed import FAMILIES, Family
from cantstop.rules import EDITIONS, InvalidRules, Rules, Sharing

from . import measure
from .games import Library
from .plan import before_of, race_of
from .work import Work

FIRST, AGAIN = "measure", "again"
"""Positions that the stated errors come from, and fresh ones of another seed to compare with."""


def is_printed(rules: Rules) -> bool:
    """Whether an edition prints these rules; custom games may combine more."""
    for edition in EDITIONS.values():
        with suppress(InvalidRules):
            edition.rules(rules.players, rules.columns_to_win, rules.early, rules.sharing)
            return True
    return False


@dataclass(frozen=True)
class Amount:
    """How much is measured for one rule set: positions, games from each, and whole games."""

    mixed: int
    classic: int
    again: int
    again_classic: int
    repeats: int
    self_play: int
    match: int
    seats: int


PLAIN = Amount(2500, 2500, 2500, 2500, 32, 2000, 12_000, 12_000)
SHARED = Amount(500, 500, 500, 0, 32, 0, 3_000, 3_000)
OTHER = Amount(500, 250, 500, 0, 24, 0, 0, 2_000)


def amount_of(family: Family, number: int) -> Amount:
    """How much is measured for a rule set of a family."""
    if number:
        return OTHER
    return PLAIN if family.sharing is Sharing.FREE else SHARED


def _seed(family: Family, number: int) -> int:
    return 40_000 + 10_000 * FAMILIES.index(family) + 1000 * number


def measure_rules(work: Work, family: Family, number: int) -> dict[str, Any]:
    """Errors, matches and seats of one rule set; positions are those of games of mixed bots."""
    rules, amount, seed = family.rule_sets[number], amount_of(family, number), _seed(family, number)
    library = Library()
    race = race_of(library, work)
    champion = library.network(work.weights(family.name).rounded())
    before = before_of(library, work, family)
    found: dict[str, Any] = {"rules": str(rules), "seed": seed, "repeats": amount.repeats}
    path = work.folder / "inputs" / f"{FIRST}-{family.name}.npz"
    with np.load(path) as kept:
        kinds = {
            "mixed": library.tensor(kept[f"mixed{number}"][: amount.mixed], torch.int8),
            "classic": library.tensor(kept[f"classic{number}"][: amount.classic], torch.int8),
        }
    if amount.self_play:
        kinds["self_play"] = measure.played_positions(
            library, rules, champion, amount.self_play, seed
        )
    for at, (kind, positions) in enumerate(kinds.items()):
        truth = measure.truth_of(
            library, family, champion, positions, amount.repeats, seed + 100 + 50 * at
        )
        found[kind] = {"champion": measure.judged(library, family, champion, truth)}
        found[kind]["race"] = measure.judged(library, family, race, truth)
        if number == 0:
            found[kind]["before"] = measure.judged(library, family, before, truth)
    if amount.match:
        found["against_before"] = measure.match(
            library, rules, champion, before, amount.match, seed + 300
        )
    found["seats"] = measure.first_seat(library, rules, champion, amount.seats, seed + 500)
    return found


def measure_again(work: Work, family: Family, number: int) -> dict[str, Any]:
    """Errors at fresh positions."""
    rules, amount, seed = family.rule_sets[number], amount_of(family, number), _seed(family, number)
    library = Library()
    champion = library.network(work.weights(family.name).rounded())
    found: dict[str, Any] = {"rules": str(rules), "seed": seed + 900, "repeats": amount.repeats}
    path = work.folder / "inputs" / f"{AGAIN}-{family.name}.npz"
    for at, (kind, count) in enumerate(
        (("mixed", amount.again), ("classic", amount.again_classic))
    ):
        if count == 0:
            continue
        with np.load(path) as kept:
            positions = library.tensor(kept[f"{kind}{number}"][:count], torch.int8)
        truth = measure.truth_of(
            library, family, champion, positions, amount.repeats, seed + 900 + 50 * at
        )
        found[kind] = {"champion": measure.judged(library, family, champion, truth)}
    return found


MEASURES = {FIRST: measure_rules, AGAIN: measure_again}


def measuring(work: Work, only: list[str]) -> None:
    """Measure every rule set that has a network and no figures yet, the plain games first."""
    order = [(number, family) for number in range(6) for family in FAMILIES]
    order.sort(key=lambda one: not is_printed(one[1].rule_sets[one[0]]))
    order.sort(key=lambda one: (one[0] > 0, one[1].sharing is not Sharing.FREE))
    for part, measured in MEASURES.items():
        for number, family in order:
            path = work.folder / "measured" / f"{part}-{family.name}-{number}.json"
            if path.exists() or not work.has(family.name) or (only and family.name not in only):
                continue
            work.check_time(30.0 if number == 0 and family.sharing is Sharing.FREE else 10.0)
            before = time.monotonic()
            found = measured(work, family, number)
            found["took_s"] = round(time.monotonic() - before, 1)
            path.write_text(json.dumps(found))
            _tell(work, part, found)


def _tell(work: Work, part: str, found: dict[str, Any]) -> None:
    row: dict[str, Any] = {"t": round(time.monotonic() - work.begun, 1), "part": part}
    row["rules"] = found["rules"]
    for kind in ("mixed", "classic", "self_play"):
        for who, table in found.get(kind, {}).items():
            row[f"{kind} {who}"] = [
                table["solved"].get(phase, {}).get("rms") for phase in ("all", *measure.PHASES)
            ]
    if "against_before" in found:
        row["gain"] = found["against_before"]["less_luck"]
    row["took_s"] = found["took_s"]
    print(json.dumps(row), flush=True)
