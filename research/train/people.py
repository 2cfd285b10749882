"""Anchors of people-like games: starts to train from, and positions to measure at.

``python -m research.train.people WORK/inputs`` plays games in which every seat is drawn again from
the ladder's eight levels and five classic bots, and games of the classic bots alone, for all 54
rule sets. It writes a file for each family of games, and beside them the race model's weights.
Training, the first measurement and the second have different seeds. A file that exists is kept.
"""

import argparse
import time
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cantstop.arena.advance import BUSTED, MOVED, STOPPED
from cantstop.arena.solving import SolvingGames
from cantstop.bots import LADDER, any_bot
from cantstop.bots.compiled import compiled_forms
from cantstop.engine.evaluators.value.network import COLUMNS, SEAT
from cantstop.engine.evaluators.value.packed import FAMILIES, Family
from cantstop.jit import compiled
from cantstop.kernel.layout import POSITION, Array, PositionRecord, RollsRecord, RulesRecord
from cantstop.kernel.records import rules_records
from cantstop.kernel.steps import begin_game, bust_turn, find_moves, make_move, stop_turn
from cantstop.rules import Rules, Sharing

from .classic import BOTS, classic_starts

CLASSIC_CHANCE = 0.8
"""How often a classic bot is drawn for every time that a level of the ladder is."""

MOST_EVENTS = 4_000
KEPT = 0.25
"""How many of a game's anchors are kept: neighbours are alike."""


@dataclass(frozen=True)
class Part:
    """Positions for one purpose: their seed, and how many of the plain game and of all others."""

    name: str
    seed: int
    plain: int
    others: int
    plain_classic: int
    others_classic: int


PARTS = (
    Part("measure", 9000, 2500, 500, 2500, 500),
    Part("train", 1000, 6000, 400, 200_000, 30_000),
    Part("again", 11_000, 2500, 500, 2500, 500),
)
"""``again`` is for a second measurement, of what the first has led to state."""


def mixed_starts(rules: Rules, count: int, seed: int) -> NDArray[np.int8]:
    """Anchors of games in which every seat is drawn from the ladder and the classic bots."""
    names = [level.name for level in LADDER] + list(BOTS)
    chances = np.array([1.0] * len(LADDER) + [CLASSIC_CHANCE] * len(BOTS))
    bots = compiled_forms([any_bot(name) for name in names])
    assert bots is not None
    games = SolvingGames(rules, bots, seed, events=MOST_EVENTS)
    records = rules_records(rules)
    trace, position = games.table.trace, np.zeros(1, POSITION)
    chance = np.random.default_rng(seed)
    starts = np.zeros((count, rules.players * SEAT + 2), np.int8)
    starts[:, -2], starts[:, -1] = rules.columns_to_win, rules.early
    found = number = 0
    while found < count:
        number += 1
        seats = chance.choice(len(names), rules.players, p=chances / chances.sum())
        trace.length[0] = 0
        games.play_game(seats.astype(np.int64), number)
        events = trace.events[: trace.length[0]]
        keep = chance.random(len(events) + 1) < KEPT
        found = _collect(records.rules[0], records.rolls[0], position, events, keep, starts, found)
    return starts


@compiled
def _collect(
    rules: RulesRecord,
    rolls: RollsRecord,
    positions: Array,
    events: NDArray[np.int64],
    keep: NDArray[np.bool_],
    starts: NDArray[np.int8],
    found: int,
) -> int:
    """Follow a game again and write the anchors of the turns that are kept; returns how many."""
    position = positions[0]
    begins = True
    for at in range(len(events)):
        seat, what, roll, move = events[at]
        if at == 0:
            begin_game(rules, position, seat)
        if begins and keep[at] and found < len(starts):
            _write_anchor(rules, position, starts[found])
            found += 1
        begins = what != MOVED
        if what == BUSTED:
            bust_turn(rules, position)
        elif what == STOPPED:
            stop_turn(rules, position)
        else:
            find_moves(rules, rolls, position, roll)
            make_move(rules, position, move)
    return found


@compiled
def _write_anchor(rules: RulesRecord, position: PositionRecord, start: NDArray[np.int8]) -> None:
    players = rules.players
    for place in range(players):
        seat = (position.seat + place) % players
        for column in range(COLUMNS):
            is_open = position.open >> (column + 2) & 1
            left = rules.tops[column + 2] - position.tokens[seat, column + 2]
            start[place * SEAT + column] = left if is_open else 0
        start[place * SEAT + COLUMNS] = rules.columns_to_win - position.won[seat]


def write_family(folder: Path, family: Family, part: Part) -> None:
    """One file: mixed and classic starts of every rule set of a family."""
    path = folder / f"{part.name}-{family.name}.npz"
    if path.exists():
        return
    kept: dict[str, Any] = {}
    before = time.monotonic()
    for number, rules in enumerate(family.rule_sets):
        seed = part.seed + 10 * FAMILIES.index(family) + number
        plain = number == 0 and family.sharing is Sharing.FREE
        mixed = part.plain if plain else part.others
        classic = part.plain_classic if plain else part.others_classic
        kept[f"mixed{number}"] = mixed_starts(rules, mixed, seed)
        kept[f"classic{number}"] = classic_starts(rules, classic, seed + 500)
    unfinished = path.with_suffix(".unfinished.npz")
    np.savez_compressed(unfinished, **kept)
    unfinished.replace(path)
    print(path.name, round(time.monotonic() - before), "s", flush=True)


def main() -> None:
    """Write the files."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("folder", type=Path)
    reader.add_argument("--parts", nargs="*", default=[part.name for part in PARTS])
    given = reader.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    weights = files("cantstop.engine.evaluators.race") / "weights.npz"
    (given.folder / "race.npz").write_bytes(weights.read_bytes())
    for part in PARTS:
        for family in sorted(FAMILIES, key=lambda one: tuple(Sharing).index(one.sharing)):
            if part.name in given.parts:
                write_family(given.folder, family, part)


if __name__ == "__main__":
    main()
