"""Clubs for tests: made of whole numbers and fractions, the same on every machine."""

import random
from collections.abc import Iterator

from cantstop.ratings import Anchor, Fate, Findings, Game, Leaving, Member, Seat

ANCHORS = [Anchor(1410.0), Anchor(1656.0), Anchor(2000.0)]


def club(seed: int, games: int, members: int = 9, prefix: str = "") -> Iterator[Game]:
    """Games of two to four seats, some with a level of the ladder, some of which a seat left."""
    dice = random.Random(seed)
    people = [Member(f"{prefix}{n}") for n in range(members)]
    for _ in range(games):
        seats = dice.choice((2, 2, 2, 3, 4))
        players: list[Member | Anchor] = [*dice.sample(people, seats)]
        if dice.random() < 0.3:
            players[-1] = dice.choice(ANCHORS)
        fates = [Fate.LOST] * seats
        fates[dice.randrange(seats)] = Fate.WON
        luck = [dice.uniform(-0.5, 0.5) for _ in range(seats)]
        luck[0] -= sum(luck[1:]) + luck[0]
        leaving = None
        if dice.random() < 0.1:
            fates[0], fates[1] = Fate.LEFT, Fate.WON
            leaving = Leaving(0, (0.4, *([0.6 / (seats - 1)] * (seats - 1))))
        starts = (1 / seats,) * seats
        findings = Findings(starts, tuple(luck), leaving) if dice.random() < 0.9 else None
        yield Game(tuple(map(Seat, players, fates)), findings)
