"""What was known of everybody before each game: one pass through the games in their order.

The weight of luck and the variance of a score are fixed by this before a game, so that nothing of
the game itself is in them. It is also the preview that a player sees after a game. As ratings of a
club it would not do: game by game, what opponents do not know of each other is counted as known.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from cantstop.ratings.games import Anchor, Game, Member
from cantstop.ratings.model import (
    NEW,
    NEW_SD,
    SCALE,
    SIZES_APART,
    Kind,
    Opinion,
    Size,
    chances,
    luck_weight,
    play_variance,
)
from cantstop.ratings.scores import play_scores, result_scores

_VARIANCE = NEW_SD * NEW_SD
SHARED_VARIANCE = _VARIANCE - 0.5 * SIZES_APART * SIZES_APART
"""The covariance of a newcomer's ratings for two and for more players."""

_STEPS = 12
_LONGEST_STEP = 100.0
_CLOSE = 0.01


@dataclass(frozen=True, slots=True)
class Player:
    """What is known of one player, for both sizes: a normal distribution of two ratings."""

    two: float = NEW
    more: float = NEW
    variance_two: float = _VARIANCE
    variance_more: float = _VARIANCE
    covariance: float = SHARED_VARIANCE

    def opinion(self, size: Size) -> Opinion:
        """Of one of the two ratings."""
        if size is Size.TWO:
            return Opinion(self.two, sqrt(self.variance_two))
        return Opinion(self.more, sqrt(self.variance_more))

    def told(self, size: Size, mean: float, variance: float) -> "Player":
        """After one of the two ratings has become known better: the other one follows it."""
        if size is Size.MORE:
            return _swapped(_swapped(self).told(Size.TWO, mean, variance))
        follows = self.covariance / self.variance_two
        return Player(
            mean,
            self.more + follows * (mean - self.two),
            variance,
            self.variance_more - follows * follows * (self.variance_two - variance),
            follows * variance,
        )


def _swapped(player: Player) -> Player:
    return Player(
        player.more, player.two, player.variance_more, player.variance_two, player.covariance
    )


@dataclass(frozen=True, slots=True)
class Observation:
    """What one game says, fixed before anything is fitted: scores, and how sure they are."""

    seats: tuple[Member | Anchor, ...]
    scores: tuple[float, ...]
    variance: float | None
    """Of one seat's score; None in Results, where it follows from the chances."""

    @property
    def size(self) -> Size:
        """Which rating it is about."""
        return Size.of(len(self.seats))


def observed(
    kind: Kind, game: Game, known: Mapping[Member, Player]
) -> tuple[Observation, list[Opinion]] | None:
    """What a game says, and what was known of its players; None if it does not count."""
    opinions = opinions_of(game, known)
    players = tuple(seat.player for seat in game.seats)
    if kind is Kind.RESULTS:
        if not game.counts_for_results:
            return None
        expected = chances([one.mean for one in opinions])
        return Observation(players, tuple(result_scores(game, expected)), None), opinions
    if game.findings is None:
        return None
    scores = play_scores(game, game.findings, luck_weight(opinions), opinions)
    return Observation(players, tuple(scores), play_variance(opinions)), opinions


def opinions_of(game: Game, known: Mapping[Member, Player]) -> list[Opinion]:
    """What was known of everybody at a table."""
    size = Size.of(len(game.seats))
    return [
        Opinion(seat.player.rating, 0.0)
        if isinstance(seat.player, Anchor)
        else known.get(seat.player, Player()).opinion(size)
        for seat in game.seats
    ]


def learned(
    known: dict[Member, Player], observation: Observation, opinions: Sequence[Opinion]
) -> None:
    """Take one game into what is known of its players."""
    size = observation.size
    found = {
        player: stepped(seat, observation, opinions)
        for seat, player in enumerate(observation.seats)
        if isinstance(player, Member)
    }
    for player, (mean, variance) in found.items():
        known[player] = known.get(player, Player()).told(size, mean, variance)


def stepped(
    seat: int, observation: Observation, opinions: Sequence[Opinion]
) -> tuple[float, float]:
    """The mean and the variance of one seat's rating after a game (Laplace's approximation)."""
    own = opinions[seat]
    score = observation.scores[seat]
    prior = 1.0 / (own.sd * own.sd)
    means = [one.mean for one in opinions]
    information = 0.0
    for _ in range(_STEPS):
        expected = chances(means)
        p = expected[seat]
        slope = SCALE * p * (1.0 - p)
        noise = p * (1.0 - p) if observation.variance is None else observation.variance
        noise += fsum(
            (SCALE * p * chance * other.sd) ** 2
            for j, (chance, other) in enumerate(zip(expected, opinions, strict=True))
            if j != seat
        )
        information = slope * slope / noise
        pull = (own.mean - means[seat]) * prior + slope * (score - p) / noise
        step = max(-_LONGEST_STEP, min(_LONGEST_STEP, pull / (prior + information)))
        means[seat] += step
        if abs(step) < _CLOSE:
            break
    return means[seat], 1.0 / (prior + information)


def surprise(observation: Observation, opinions: Sequence[Opinion]) -> float:
    """The mean square of (score - P) in standard deviations, as a game was expected: about 1."""
    expected = chances([one.mean for one in opinions])
    total = 0.0
    for seat, p in enumerate(expected):
        noise = p * (1.0 - p) if observation.variance is None else observation.variance
        unsure = fsum(
            (SCALE * p * ((1.0 - chance) if j == seat else chance) * other.sd) ** 2
            for j, (chance, other) in enumerate(zip(expected, opinions, strict=True))
        )
        away = observation.scores[seat] - p
        total += away * away / (noise + unsure)
    return total / len(expected)
