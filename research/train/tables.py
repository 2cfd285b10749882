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
from cantstop.rules import EDITIONS, InvalidRules, Rules

from . import measure
from .games import Library
from .plan import BROAD, LARGE_NAME, race_of, shipped_name
from .work import Work


def is_printed(rules: Rules) -> bool:
    """Whether an edition prints these rules; custom games may combine more."""
    for edition in EDITIONS.values():
        with suppress(InvalidRules):
            edition.rules(rules.players, rules.columns_to_win, rules.early, rules.sharing)
            return True
    return False


@dataclass(frozen=True)
class Amount:
    """How much is measured for one rule set."""

    positions: int
    repeats: int
    classic: int
    match: int
    seats: int


PLAIN = Amount(positions=4000, repeats=64, classic=12_000, match=40_000, seats=40_000)
FIRST = Amount(positions=1000, repeats=50, classic=400, match=8_000, seats=8_000)
OTHER = Amount(positions=400, repeats=40, classic=160, match=3_000, seats=3_000)


FRESH = 900_000
"""Added to the seeds of the polished network's family: what it said was looked at before, too."""


def measure_rules(work: Work, family: Family, number: int) -> dict[str, Any]:
    """Errors, matches and seats of one rule set."""
    rules = family.rule_sets[number]
    plain = family == FAMILIES[0] and number == 0
    amount = PLAIN if plain else FIRST if number == 0 else OTHER
    library = Library()
    race = race_of(library, work)
    champion = library.network(work.weights(shipped_name(family)).rounded())
    playing = LARGE_NAME if plain else shipped_name(family)
    player = library.network(work.weights(playing))
    seed = 10_000 * (FAMILIES.index(family) + 1) + 1000 * number
    if family == FAMILIES[0]:
        seed += FRESH
    starts = measure.played_positions(library, rules, champion, amount.positions, seed)
    file, array = ("polish", "measure") if plain else ("classic", f"measure{number}")
    with np.load(work.folder / "inputs" / f"{file}-{family.name}.npz") as kept:
        classic = library.tensor(kept[array][: amount.classic], torch.int8)
    found: dict[str, Any] = {
        "rules": str(rules),
        "seed": seed,
        "truth_by": playing,
        "network": shipped_name(family),
    }
    unpolished = library.network(work.weights(BROAD).rounded()) if plain else champion
    for kind, positions in (("self_play", starts), ("classic", classic)):
        truth = measure.truth_of(library, family, player, positions, amount.repeats, seed + 100)
        found[kind] = {
            "repeats": amount.repeats,
            "champion": measure.judged(library, family, champion, truth),
            "race": measure.judged(library, family, race, truth),
        }
        if plain:
            found[kind]["large"] = measure.judged(library, family, player, truth)
            found[kind]["unpolished"] = measure.judged(library, family, unpolished, truth)
    found["against_race"] = measure.match(library, rules, champion, race, amount.match, seed + 300)
    if family.players > 2:
        found["race_against"] = measure.match(
            library, rules, champion, race, amount.match // 2, seed + 400, alone=False
        )
    found["seats"] = measure.first_seat(library, rules, champion, amount.seats, seed + 500)
    if plain:
        found["counted"] = measure.counted_match(
            library, rules, champion, race, 120_000, seed + 600
        )
        found["large_against"] = measure.match(library, rules, player, champion, 20_000, seed + 700)
        found["against_unpolished"] = measure.match(
            library, rules, champion, unpolished, 10_000, seed + 900
        )
    return found


def measuring(work: Work) -> None:
    """Measure every rule set that has a network and no figures yet, the plain games first."""
    order = [(number, family) for number in (0, 4, 2, 1, 3, 5) for family in FAMILIES]
    order.sort(key=lambda one: not is_printed(one[1].rule_sets[one[0]]))
    for number, family in order:
        path = work.folder / "measured" / f"{family.name}-{number}.json"
        if path.exists() or not work.has(shipped_name(family)):
            continue
        plain = family == FAMILIES[0] and number == 0
        work.check_time(95.0 if plain else 10.0 if number == 0 else 4.0)
        before = time.monotonic()
        found = measure_rules(work, family, number)
        found["took_s"] = round(time.monotonic() - before, 1)
        path.write_text(json.dumps(found))
        short = {
            kind: found[kind]["champion"]["solved"]["all"]["rms"]
            for kind in ("self_play", "classic")
        }
        worse = {
            kind: found[kind]["race"]["solved"]["all"]["rms"] for kind in ("self_play", "classic")
        }
        print(
            json.dumps(
                {
                    "t": round(time.monotonic() - work.begun, 1),
                    "rules": found["rules"],
                    "rms": short,
                    "race_rms": worse,
                    "gain": found["against_race"]["less_luck"],
                    "counted": found["against_race"]["counted"],
                    "seats": found["seats"]["seats"],
                    "took_s": found["took_s"],
                }
            ),
            flush=True,
        )
