"""How far estimates drift in games of mixed bots of the ladder, by number of players and rules."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import sqrt
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from cantstop.bots import LADDER
from cantstop.review import review
from cantstop.rules import Rules, Sharing

from .games import play, seated

PLAIN_SHARE = 0.5
"""Of the games are by the standard rules; the rest by V1 to V4, all rule sets in turn."""
POINTS = 100


@dataclass(frozen=True)
class Drifts:
    """What the estimate changed between the turns of one game, for every seat."""

    n: int
    rules: str
    seats: tuple[float, ...]


def rule_sets(players: int) -> tuple[Rules, ...]:
    """All games by V1 to V4 for a number of players, the standard one left out."""
    found = (
        Rules(players=players, columns_to_win=win, early=early, sharing=sharing)
        for win, early, sharing in product((3, 4, 5), (False, True), Sharing)
    )
    return tuple(rules for rules in found if rules != Rules(players=players))


def drifts_of(n: int, seed: int, players: int) -> Drifts:
    """Game number n, whoever plays it: its levels are drawn; a level may come twice."""
    dice = random.Random(f"drift {seed} {players} {n}")
    others = rule_sets(players)
    is_plain = n % 2 < 2 * PLAIN_SHARE
    rules = Rules(players=players) if is_plain else others[n // 2 % len(others)]
    names = [dice.choice(LADDER).name for _ in range(players)]
    game = play(rules, seated(names), f"drift {seed} {players} {n}", longest=10**6)
    return Drifts(n, str(rules), tuple(seat.drift for seat in review(game).seats))


def run(file: Path, games: int, seed: int, players: int, processes: int) -> None:
    """Play and review games that the file does not have yet; each is a line of it."""
    done = {game.n for game in read(file)} if file.exists() else set()
    numbers = [n for n in range(games) if n not in done]
    work = partial(drifts_of, seed=seed, players=players)
    with file.open("a", encoding="utf-8") as lines, get_context("spawn").Pool(processes) as pool:
        for count, game in enumerate(pool.imap_unordered(work, numbers), start=1):
            lines.write(json.dumps([game.n, game.rules, game.seats]) + "\n")
            if count % 50 == 0:
                lines.flush()
                print(f"{count} of {len(numbers)} games for {players}", flush=True)


def read(file: Path) -> Iterator[Drifts]:
    """The games of a file."""
    for line in file.read_text("utf-8").splitlines():
        n, rules, seats = json.loads(line)
        yield Drifts(n, rules, tuple(seats))


GROUPS: dict[str, Callable[[Rules], bool]] = {
    "standard": lambda rules: rules == Rules(players=rules.players),
    "V1, 4 columns": lambda rules: rules.columns_to_win == 4,
    "V1, 5 columns": lambda rules: rules.columns_to_win == 5,
    "V2": lambda rules: rules.early,
    "V3": lambda rules: rules.sharing is Sharing.NO_REST,
    "V4": lambda rules: rules.sharing is Sharing.LEAPFROG,
}
"""Games that are looked at together; one with two variants counts for both."""


def lines_of(players: int, games: Sequence[Drifts]) -> Iterator[str]:
    """A row for each group: games, mean drift of a seat and game with its error, the largest."""
    for name, belongs in GROUPS.items():
        found = [POINTS * np.abs(game.seats) for game in games if belongs(Rules.parse(game.rules))]
        means = np.array([seats.mean() for seats in found])
        error = float(means.std(ddof=1)) / sqrt(len(means))
        largest = max(float(seats.max()) for seats in found)
        yield (
            f"| {players} | {name} | {len(found):,} | {float(means.mean()):.2f} ± {error:.2f} "
            f"| {largest:.1f} |"
        )
