"""The ratings of a club: all of them, from its games alone."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import sqrt

from cantstop.ratings.fit import Fit, Fitted, Node
from cantstop.ratings.games import Game, Member
from cantstop.ratings.model import MISFIT, SURE, Kind, Size
from cantstop.ratings.network import DRAWS, EXACT
from cantstop.ratings.opinions import Player, learned, observed, surprise

EXPECTED_SCORES = 200.0
"""The spread begins as if this number of games had been as expected: few games do not move it."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating as it is shown: never without its interval."""

    player: Member
    kind: Kind
    size: Size
    value: float
    low: float
    high: float
    """The 95 % interval."""
    games: int
    replaces: float
    """How many games by counting wins would say as much."""
    opponents: int
    """How many different opponents it is from."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """Everybody's ratings, in the order in which players came."""

    all: tuple[Rating, ...]
    spread: float
    """What the variance of scores in Play was multiplied by: people may vary more than bots."""

    def __iter__(self) -> Iterator[Rating]:
        return iter(self.all)

    def of(self, player: Member, kind: Kind, size: Size = Size.TWO) -> Rating | None:
        """One rating; None if no game counts for it."""
        wanted = (player, kind, size)
        return next((one for one in self.all if (one.player, one.kind, one.size) == wanted), None)


class Rater:
    """Takes the games of a club one by one, in the order in which they ended."""

    def __init__(self) -> None:
        self._known: dict[Kind, dict[Member, Player]] = {kind: {} for kind in Kind}
        self._fits = {kind: Fit(kind) for kind in Kind}
        self._surprises = 0.0
        self._scores = 0

    def add(self, game: Game) -> None:
        """Take in the next game."""
        for kind, known in self._known.items():
            found = observed(kind, game, known)
            if found is None:
                continue
            observation, opinions = found
            self._fits[kind].add(observation)
            if kind is Kind.PLAY:
                self._surprises += surprise(observation, opinions)
                self._scores += 1
            learned(known, observation, opinions)

    @property
    def spread(self) -> float:
        """How much more scores in Play vary than expected; 1 at least."""
        mean = (self._surprises + EXPECTED_SCORES) / (self._scores + EXPECTED_SCORES)
        return max(1.0, mean)

    def ratings(self, exact: int = EXACT, draws: int = DRAWS) -> Ratings:
        """Everybody's ratings; see ``Network.variances`` for the two numbers."""
        found: list[Rating] = []
        for kind, fit in self._fits.items():
            start: dict[Node, float] = {}
            for player, known in self._known[kind].items():
                start[player, Size.TWO] = known.two
                start[player, Size.MORE] = known.more
            spread = self.spread if kind is Kind.PLAY else 1.0
            found += [
                _rating(kind, node, fitted)
                for node, fitted in fit.ratings(start, spread, exact, draws).items()
            ]
        return Ratings(tuple(found), self.spread)


def _rating(kind: Kind, node: Node, fitted: Fitted) -> Rating:
    player, size = node
    half = SURE * sqrt(fitted.variance + MISFIT * MISFIT / fitted.variety)
    low, high = fitted.mean - half, fitted.mean + half
    return Rating(
        player, kind, size, fitted.mean, low, high, fitted.games, fitted.replaces, fitted.opponents
    )


def rate(games: Iterable[Game]) -> Ratings:
    """The ratings of everybody in these games, which come in the order in which they ended.

    >>> from cantstop.ratings.games import Anchor, Fate, Findings, Seat
    >>> ann, champion = Seat(Member("Ann"), Fate.WON), Seat(Anchor(2000.0), Fate.LOST)
    >>> lucky = Game((ann, champion), Findings((0.5, 0.5), (0.6, -0.6)))
    >>> ratings = rate([lucky] * 10)
    >>> print(*(f"{one.kind}: {one.low:.0f} to {one.high:.0f}" for one in ratings))
    play: 1888 to 1996
    """
    rater = Rater()
    for game in games:
        rater.add(game)
    return rater.ratings()
