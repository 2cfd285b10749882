"""Everybody's rating at once, from all games: the ratings that are published.

What is to be largest is the logarithm of the posterior. Results: the chance of those who won.
Play: ``-(n - 1)/n · Σ (score - P)² / 2σ²`` for each table; scores of a table sum to 1, which is why
they count for one less than they are. Both have a prior for every player, in which the rating for
two players and the one for more stand by each other. Newton's method finds it, with Fisher's
information in the place of the second derivatives.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from cantstop.ratings.arithmetic import dot, exponential
from cantstop.ratings.games import Anchor, Member
from cantstop.ratings.model import NEW, NEW_SD, SCALE, Kind, Size, chances
from cantstop.ratings.network import DRAWS, EXACT, Network
from cantstop.ratings.opinions import SHARED_VARIANCE, Observation

_STEPS = 100
_LONGEST_STEP = 100.0
_CLOSE = 1e-7
_SHORTEST = 2.0**-20

Node = tuple[Member, Size]
"""One rating of one player."""

_VARIANCE = NEW_SD * NEW_SD
_ALONE = 1.0 / _VARIANCE
_BOTH = 1.0 / (_VARIANCE + SHARED_VARIANCE)
_TIE = SHARED_VARIANCE / (_VARIANCE * _VARIANCE - SHARED_VARIANCE * SHARED_VARIANCE)
"""The prior as a network: the inverse of [[variance, shared], [shared, variance]]."""


@dataclass(slots=True)
class _Tables:
    """All games with this number of seats, in columns: a million of them take little memory."""

    seats: int
    players: "array[int]" = field(default_factory=lambda: array("q"))
    """For each seat the number of its node; ``-1 - n`` for anchor n."""
    edges: "array[int]" = field(default_factory=lambda: array("q"))
    """For each pair of seats the number of its edge."""
    scores: "array[float]" = field(default_factory=lambda: array("d"))
    precisions: "array[float]" = field(default_factory=lambda: array("d"))
    """1 / σ² for each game; 1 in Results, where it is not used."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """What all games together say of one rating."""

    mean: float
    variance: float
    games: int
    replaces: float
    """How many games of the same players, counted by wins, would say as much."""
    opponents: int
    variety: float
    """How many opponents there were, if each had been met equally often: (Σ games)² / Σ games²."""


class Fit:
    """Takes observations of one kind one by one, and finds the ratings that explain them best."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self._nodes: dict[Node, int] = {}
        self._anchors: dict[float, int] = {}
        self._tables = {seats: _Tables(seats) for seats in (2, 3, 4)}
        self._edges: dict[tuple[int, int], int] = {}
        self._met: array[int] = array("q")

    def add(self, observation: Observation) -> None:
        """Take in a game."""
        tables = self._tables[len(observation.seats)]
        players = [self._number(player, observation.size) for player in observation.seats]
        tables.players.extend(players)
        tables.edges.extend(self._edge(i, j) for i, j in combinations(players, 2))
        tables.scores.extend(observation.scores)
        variance = observation.variance
        tables.precisions.append(1.0 if variance is None else 1.0 / variance)

    def _number(self, player: Member | Anchor, size: Size) -> int:
        if isinstance(player, Anchor):
            return -1 - self._anchors.setdefault(player.rating, len(self._anchors))
        return self._nodes.setdefault((player, size), len(self._nodes))

    def _edge(self, i: int, j: int) -> int:
        edge = self._edges.setdefault((min(i, j), max(i, j)), len(self._edges))
        if edge == len(self._met):
            self._met.append(0)
        self._met[edge] += 1
        return edge

    def ratings(
        self,
        start: dict[Node, float] | None = None,
        spread: float = 1.0,
        exact: int = EXACT,
        draws: int = DRAWS,
    ) -> dict[Node, Fitted]:
        """The ratings of all players of these games.

        Args:
            start: Where to begin; it saves time.
            spread: What all variances of scores are multiplied by.
            exact: See ``Network.variances``.
            draws: See there.
        """
        start = start or {}
        means = [start.get(node, NEW) for node in self._nodes]
        pull, network = self._equations(means, spread)
        for _ in range(_STEPS):
            step = [max(-_LONGEST_STEP, min(_LONGEST_STEP, one)) for one in network.solved(pull)]
            slope, length = dot(pull, step), 1.0
            while True:
                tried = [mean + length * one for mean, one in zip(means, step, strict=True)]
                pull, network = self._equations(tried, spread)
                if abs(dot(pull, step)) <= abs(slope) or length < _SHORTEST:
                    break
                length *= 0.5
            means = tried
            if max(map(abs, step), default=0.0) < _CLOSE:
                break
        return self._described(means, network.variances(exact, draws), spread)

    def _equations(self, means: Sequence[float], spread: float) -> tuple[list[float], Network]:
        """The gradient at these ratings, and the network that a step solves."""
        pull, strength = self._from_games(means, spread)
        own = [_ALONE] * len(means)
        left = [max(i, -1) for i, _ in self._edges]
        right = [max(j, -1) for _, j in self._edges]
        for (player, size), i in self._nodes.items():
            j = self._nodes.get((player, Size.MORE)) if size is Size.TWO else None
            if j is not None:
                own[i] = own[j] = _BOTH
                left.append(i)
                right.append(j)
                strength.append(_TIE)
                apart = _TIE * (means[j] - means[i])
                pull[i] += apart
                pull[j] -= apart
        for i, (tie, mean) in enumerate(zip(own, means, strict=True)):
            pull[i] += tie * (NEW - mean)
        return pull, Network(own, left, right, strength)

    def _from_games(self, means: Sequence[float], spread: float) -> tuple[list[float], list[float]]:
        """What games add to the gradient, and to the strength of every edge."""
        at = [*means, *reversed(self._anchors)]
        pull = [0.0] * len(at)
        strength = [0.0] * len(self._edges)
        by_wins = self._kind is Kind.RESULTS
        two = self._tables[2]
        for i, j, edge, score, other, precision in zip(
            two.players[0::2],
            two.players[1::2],
            two.edges,
            two.scores[0::2],
            two.scores[1::2],
            two.precisions,
            strict=True,
        ):
            p = 1.0 / (1.0 + exponential(SCALE * (at[j] - at[i])))
            away = 0.5 * (score - other + 1.0) - p
            slope = SCALE * p * (1.0 - p)
            if by_wins:
                force, tie = SCALE * away, SCALE * slope
            else:
                force = slope * precision / spread
                tie = force * slope
                force *= away
            pull[i] += force
            pull[j] -= force
            strength[edge] += tie
        for seats in (3, 4):
            self._from_larger_tables(self._tables[seats], at, spread, pull, strength)
        del pull[len(means) :]
        return pull, strength

    def _from_larger_tables(
        self,
        tables: _Tables,
        at: Sequence[float],
        spread: float,
        pull: list[float],
        strength: list[float],
    ) -> None:
        seats = tables.seats
        pairs = list(combinations(range(seats), 2))
        for game, precision in enumerate(tables.precisions):
            players = tables.players[game * seats : (game + 1) * seats]
            scores = tables.scores[game * seats : (game + 1) * seats]
            edges = tables.edges[game * len(pairs) : (game + 1) * len(pairs)]
            expected = chances([at[i] for i in players])
            away = [score - p for score, p in zip(scores, expected, strict=True)]
            if self._kind is Kind.RESULTS:
                weight, mean, squares = 1.0, 0.0, 0.0
                forces = away
                ties = [expected[a] * expected[b] for a, b in pairs]
            else:
                weight = (seats - 1) / seats * precision / spread
                mean, squares = dot(expected, away), dot(expected, expected)
                forces = [p * (one - mean) for p, one in zip(expected, away, strict=True)]
                ties = [
                    expected[a] * expected[b] * (expected[a] + expected[b] - squares)
                    for a, b in pairs
                ]
            for i, force in zip(players, forces, strict=True):
                pull[i] += weight * SCALE * force
            for edge, tie in zip(edges, ties, strict=True):
                strength[edge] += weight * SCALE * SCALE * tie

    def _described(
        self, means: Sequence[float], variances: Sequence[float], spread: float
    ) -> dict[Node, Fitted]:
        games, replaces = self._counted(means, spread)
        by_opponent: list[list[int]] = [[] for _ in means]
        for (i, j), met in zip(self._edges, self._met, strict=True):
            if i >= 0:
                by_opponent[i].append(met)
            if j >= 0:
                by_opponent[j].append(met)
        return {
            node: Fitted(
                means[i],
                variances[i],
                games[i],
                replaces[i],
                len(by_opponent[i]),
                sum(by_opponent[i]) ** 2 / sum(met * met for met in by_opponent[i]),
            )
            for node, i in self._nodes.items()
        }

    def _counted(self, means: Sequence[float], spread: float) -> tuple[list[int], list[float]]:
        """For each node its games, and how many by counting wins would have said as much."""
        at = [*means, *reversed(self._anchors)]
        games = [0] * len(at)
        said, by_wins = [0.0] * len(at), [0.0] * len(at)
        for seats, tables in self._tables.items():
            for game, precision in enumerate(tables.precisions):
                players = tables.players[game * seats : (game + 1) * seats]
                expected = chances([at[i] for i in players])
                weight = (seats - 1) / seats * precision / spread
                squares = dot(expected, expected)
                for i, p in zip(players, expected, strict=True):
                    games[i] += 1
                    said[i] += weight * p * p * (1.0 - 2.0 * p + squares)
                    by_wins[i] += p * (1.0 - p)
        if self._kind is Kind.RESULTS:
            return games, [float(count) for count in games]
        return games, [
            count * one / other if other else 0.0
            for count, one, other in zip(games, said, by_wins, strict=True)
        ]
