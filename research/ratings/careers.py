"""Careers of people who play like levels of the ladder: are intervals narrow, and do they hold?

A game of a career is one of the reviewed games of that pair, drawn with replacement, and moved by a
constant so that the mean of all games of the pair is the share of wins that 4,000 games gave.
"""

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, median

from cantstop.ratings import Anchor, Fate, Findings, Game, Kind, Member, Rater, Rating, Seat
from cantstop.ratings.fit import Fit
from cantstop.ratings.model import MISFIT, SURE
from cantstop.ratings.opinions import Observation
from research.ratings.games import LEVELS, NEAR, Reviewed
from research.ratings.truth import RATINGS, SHARES

AFTER = (10, 20, 50)
MEMBERS = 40


@dataclass(frozen=True)
class Drawn:
    """One game, seen from one of its seats."""

    won: bool
    luck: float
    start: float


class Pool:
    """The reviewed games of every pair, from both sides."""

    def __init__(self, games: Sequence[Reviewed]) -> None:
        self._games: dict[tuple[int, int], list[Drawn]] = defaultdict(list)
        for game in games:
            for seat in (0, 1):
                levels = game.levels[seat], game.levels[1 - seat]
                won = game.results[seat] > 0.5
                self._games[levels].append(Drawn(won, game.luck[seat], game.starts[seat]))
        self._moved = {levels: _moved(levels, drawn) for levels, drawn in self._games.items()}

    def draw(self, level: int, other: int, dice: random.Random) -> Drawn:
        """A game of two levels, from the first one's side."""
        return dice.choice(self._moved[level, other])

    @property
    def fewest(self) -> int:
        """Games of the pair that has the fewest."""
        return min(map(len, self._games.values()))


def _moved(levels: tuple[int, int], games: list[Drawn]) -> list[Drawn]:
    luck = fmean(game.luck for game in games)
    above = fmean(game.won - game.start for game in games) - (SHARES[levels] - 0.5)
    return [Drawn(game.won, game.luck - luck, game.start + above) for game in games]


def play_game(one: Member | Anchor, other: Member | Anchor, drawn: Drawn) -> Game:
    """A drawn game, as ratings take it."""
    fates = (Fate.WON, Fate.LOST) if drawn.won else (Fate.LOST, Fate.WON)
    starts, luck = (drawn.start, 1 - drawn.start), (drawn.luck, -drawn.luck)
    return Game((Seat(one, fates[0]), Seat(other, fates[1])), Findings(starts, luck))


@dataclass(frozen=True)
class Shown:
    """A rating as it was shown, and how far it was from the truth."""

    level: int
    games: int
    away: float
    half: float

    @property
    def holds(self) -> bool:
        """Whether the interval contains the truth."""
        return abs(self.away) <= self.half


def shown(level: int, games: int, rating: Rating) -> Shown:
    """One rating compared with the level's own."""
    half = (rating.high - rating.low) / 2
    return Shown(level, games, rating.value - RATINGS[level], half)


def anchored(pool: Pool, careers: int, seed: str) -> tuple[list[Shown], list[Shown]]:
    """New players among levels of the ladder within three of their own: Play, and Results."""
    play, results = [], []
    for level in LEVELS:
        field = [other for other in LEVELS if abs(other - level) <= NEAR]
        for career in range(careers):
            dice = random.Random(f"{seed} {level} {career}")
            member, rater, wins = Member("new"), Rater(), Fit(Kind.RESULTS)
            for n in range(1, max(AFTER) + 1):
                other = dice.choice(field)
                anchor = Anchor(RATINGS[other])
                rater.add(play_game(member, anchor, pool.draw(level, other, dice)))
                won = float(dice.random() < SHARES[level, other])
                wins.add(Observation((member, anchor), (won, 1 - won), None))
                if n in AFTER:
                    (rating,) = rater.ratings()
                    play.append(shown(level, n, rating))
                    (fitted,) = wins.ratings().values()
                    half = SURE * (fitted.variance + MISFIT**2 / fitted.variety) ** 0.5
                    results.append(Shown(level, n, fitted.mean - RATINGS[level], half))
    return play, results


def club(pool: Pool, bots: float, seed: str) -> list[Shown]:
    """Forty people nobody knows, who play each other; a share of the games is against levels.

    Everybody plays once a round, against a player within three levels.
    """
    dice = random.Random(f"club {seed}")
    levels = [dice.choice(LEVELS) for _ in range(MEMBERS)]
    members = [Member(str(n)) for n in range(MEMBERS)]
    rater, played, found = Rater(), [0] * MEMBERS, []
    told = [0] * MEMBERS
    while min(played) < max(AFTER):
        order = sorted(range(MEMBERS), key=lambda n: (played[n], dice.random()))
        free = dict.fromkeys(order)
        while free:
            i = next(iter(free))
            del free[i]
            near = [j for j in free if abs(levels[i] - levels[j]) <= NEAR]
            if dice.random() < bots:
                other = dice.choice([one for one in LEVELS if abs(one - levels[i]) <= NEAR])
                sits: Member | Anchor = Anchor(RATINGS[other])
            elif near:
                j = dice.choice(near)
                del free[j]
                other, sits = levels[j], members[j]
                played[j] += 1
            else:
                continue
            played[i] += 1
            drawn = pool.draw(levels[i], other, dice)
            rater.add(play_game(members[i], sits, drawn))
        due = [
            (n, after)
            for n in range(MEMBERS)
            for after in AFTER
            if told[n] < after <= played[n] and after == _next(told[n])
        ]
        if due and (min(played) in AFTER):
            ratings = {one.player: one for one in rater.ratings() if one.kind is Kind.PLAY}
            for n, after in due:
                found.append(shown(levels[n], after, ratings[members[n]]))
                told[n] = after
    return found


def _next(told: int) -> int:
    return next(after for after in AFTER if after > told)


def summary(found: Sequence[Shown]) -> dict[str, dict[str, float]]:
    """By the number of games: median half-widths by level, how often intervals hold, errors."""
    table = {}
    for after in AFTER:
        here = [one for one in found if one.games == after]
        row: dict[str, float] = {"ratings": len(here), "holds": _holds(here), "rms": _rms(here)}
        for level in LEVELS:
            those = [one for one in here if one.level == level]
            if those:
                row[f"half {level}"] = round(median(one.half for one in those), 1)
                row[f"holds {level}"] = _holds(those)
                row[f"rms {level}"] = _rms(those)
        table[str(after)] = row
    return table


def _holds(found: Sequence[Shown]) -> float:
    return round(100 * fmean(one.holds for one in found), 1)


def _rms(found: Sequence[Shown]) -> float:
    return round(sqrt(fmean(one.away**2 for one in found)), 1)
