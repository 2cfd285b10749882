"""Reviewed games of the ladder's levels, one JSON line a game; a second run goes on."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from operator import add
from pathlib import Path

from cantstop.bots import LADDER
from cantstop.engine import evaluator_version
from cantstop.review import Review, review
from cantstop.rules import Rules
from research.reviews.games import play, seated

LEVELS = range(1, len(LADDER) + 1)
NEAR = 3
"""Levels that meet are at most this far apart."""
PAIRS = [(a, b) for a in LEVELS for b in LEVELS if a <= b <= a + NEAR]


@dataclass(frozen=True)
class Moment:
    """The game at one moment, as far as it concerns whoever thinks of leaving."""

    turn: int
    seat: int
    """Whose turn it is."""
    chance: float
    """The first seat's; the other seat has the rest."""
    luck: float
    """The first seat's, up to here; the other seat's is its opposite."""


@dataclass(frozen=True)
class Reviewed:
    """One game: what the two ratings use of it."""

    n: int
    levels: list[int]
    """Of each seat, 1 to 8."""
    results: list[float]
    starts: list[float]
    luck: list[float]
    drift: list[float]
    evaluator: str
    moments: tuple[Moment, ...]
    """All of them for two players, none for more."""


def levels_of(players: int, n: int, dice: random.Random) -> list[int]:
    """Who sits at table n: of two every pair in turn, of more anybody within three levels."""
    if players == 2:
        levels = list(PAIRS[n % len(PAIRS)])
    else:
        low = n % len(LEVELS) + 1
        low = low if low + NEAR <= len(LEVELS) else dice.randint(1, len(LEVELS) - NEAR)
        levels = [dice.randint(low, low + NEAR) for _ in range(players)]
    dice.shuffle(levels)
    return levels


def moments_of(found: Review) -> Iterator[Moment]:
    """All moments of a reviewed game at which a seat may leave."""
    changes = {roll.n: roll.changes for roll in found.rolls}
    none = (0.0,) * found.rules.players
    luck = accumulate(
        (changes.get(moment.n, none) for moment in found.moments),
        lambda total, more: tuple(map(add, total, more)),
    )
    for moment, so_far in zip(found.moments, luck, strict=True):
        yield Moment(
            moment.turn,
            moment.position.seat,
            round(moment.worths[0], 5),
            round(so_far[0], 5),
        )


def reviewed(players: int, seed: str, n: int) -> Reviewed:
    """Game n of a seed: played and reviewed."""
    levels = levels_of(players, n, random.Random(f"{seed} {players} {n}"))
    bots = seated([LADDER[level - 1].name for level in levels])
    game = play(Rules(players=players), bots, f"ratings {seed} {players} {n}", longest=10**6)
    found = review(game)
    return Reviewed(
        n,
        levels,
        [seat.result for seat in found.seats],
        [seat.start for seat in found.seats],
        [seat.luck for seat in found.seats],
        [seat.drift for seat in found.seats],
        evaluator_version(game.rules),
        tuple(moments_of(found)) if players == 2 else (),
    )


def as_json(game: Reviewed) -> dict[str, object]:
    """A game as a line of a file has it: the moments as short lists."""
    moments = [[one.turn, one.seat, one.chance, one.luck] for one in game.moments]
    return {**vars(game), "moments": moments}


def collect(file: Path, players: int, games: int, seed: str) -> None:
    """Add to a file until it has this number of games."""
    file.parent.mkdir(parents=True, exist_ok=True)
    have = sum(1 for _ in read(file)) if file.exists() else 0
    with file.open("a", encoding="utf-8") as lines:
        for n in range(have, games):
            lines.write(json.dumps(as_json(reviewed(players, seed, n))) + "\n")
            lines.flush()


def read(file: Path) -> Iterator[Reviewed]:
    """The games of a file."""
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            found = json.loads(line)
            moments = tuple(Moment(*one) for one in found.pop("moments"))
            yield Reviewed(**found, moments=moments)
