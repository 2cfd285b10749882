"""Does leaving pay? Before every event of every game of two, each seat leaves, or stays.

To a rating, a player has left at the moment from which on another plays for them. The ways to
leave differ in when that is. What the game was until then is known, and so is what staying gave;
only what ratings know of both players is used.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean, stdev

from cantstop.ratings import Anchor, Fate, Findings, Game, Leaving, Member, Seat
from cantstop.ratings.model import Opinion, luck_weight
from cantstop.ratings.scores import play_scores
from research.ratings.games import LEVELS, Moment, Reviewed
from research.ratings.truth import RATINGS

WORTHS = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9)
TURNS = (1, 7, 13, 19)
"""24 kinds of moments: how good the position is, and how late it is."""


SEEN = 1624
"""What leaving costs was chosen after games before this one were seen."""


class Way(StrEnum):
    """How a player leaves on a server, which decides at which moment a bot begins to play."""

    RESIGN = "resign"
    """At once, whoever has the turn."""
    STALL = "stall"
    """At a decision of one's own, which the clock ends: it runs for nobody else."""
    DISCONNECT = "disconnect"
    """At the next decision of one's own; until then the others play on, and the game may end."""


@dataclass(frozen=True)
class Gain:
    """What leaving once gave more than staying: a score, and the stayer's."""

    game: int
    level: int
    cell: tuple[int, int]
    leaver: float
    stayer: float


def gains(games: Sequence[Reviewed], way: Way, unsure: float = 0.0) -> Iterator[Gain]:
    """Every seat leaves before every event of every game.

    Args:
        games: Games of two players.
        way: How.
        unsure: How far ratings are from the truth, in the leaver's favour (points).
    """
    for game in games:
        for seat, level in enumerate(game.levels):
            other = game.levels[1 - seat]
            rating = RATINGS[level] + unsure
            ratings = (rating, RATINGS[other]) if seat == 0 else (RATINGS[other], rating)
            opinions = [Opinion(one, 0.0) for one in ratings]
            weight = luck_weight(opinions)
            stay = _stay(game, weight, opinions)
            then: list[float] = stay
            for moment in reversed(game.moments[:-1]):
                own = moment.seat == seat
                if way is Way.STALL and not own:
                    continue
                if way is Way.RESIGN or own:
                    then = _leave(game, seat, moment, weight, opinions)
                cell = _cell(moment, seat)
                yield Gain(
                    game.n, level, cell, then[seat] - stay[seat], then[1 - seat] - stay[1 - seat]
                )


def _game(fates: Sequence[Fate], findings: Findings) -> Game:
    first, second = fates
    return Game((Seat(Member("one"), first), Seat(Anchor(0.0), second)), findings)


def _stay(game: Reviewed, weight: float, opinions: Sequence[Opinion]) -> list[float]:
    fates = [Fate.WON if result > 0.5 else Fate.LOST for result in game.results]
    findings = Findings(tuple(game.starts), tuple(game.luck))
    return play_scores(_game(fates, findings), findings, weight, opinions)


def _leave(
    game: Reviewed, seat: int, moment: Moment, weight: float, opinions: Sequence[Opinion]
) -> list[float]:
    fates = [Fate.WON, Fate.WON]
    fates[seat] = Fate.LEFT
    worths = (moment.chance, 1.0 - moment.chance)
    luck = (moment.luck, -moment.luck)
    findings = Findings(tuple(game.starts), luck, Leaving(seat, worths))
    return play_scores(_game(fates, findings), findings, weight, opinions)


def _cell(moment: Moment, seat: int) -> tuple[int, int]:
    worth = moment.chance if seat == 0 else 1.0 - moment.chance
    return sum(worth >= low for low in WORTHS), sum(moment.turn >= first for first in TURNS)


@dataclass(frozen=True)
class Mean:
    """A mean over games, with its standard error; in points of a win."""

    games: int
    mean: float
    error: float


def mean_of(found: Sequence[Gain], who: str = "leaver") -> Mean:
    """The mean of the means of each game: moments of one game are not independent."""
    games: dict[int, list[float]] = defaultdict(list)
    for gain in found:
        games[gain.game].append(getattr(gain, who))
    means = [fmean(one) for one in games.values()]
    error = stdev(means) / len(means) ** 0.5 if len(means) > 1 else float("inf")
    return Mean(len(means), round(100 * fmean(means), 2), round(100 * error, 2))


def summary(
    games: Sequence[Reviewed], way: Way, unsure: float = 0.0, least: int = 30
) -> dict[str, object]:
    """By level: at any moment, and at the kind of moment at which leaving gains most."""
    by_level: dict[int, list[Gain]] = defaultdict(list)
    for gain in gains(games, way, unsure):
        by_level[gain.level].append(gain)
    table: dict[str, object] = {}
    for level in LEVELS:
        here = by_level[level]
        cells: dict[tuple[int, int], list[Gain]] = defaultdict(list)
        for gain in here:
            cells[gain.cell].append(gain)
        known = {
            cell: mean
            for cell, mean in ((cell, mean_of(one)) for cell, one in cells.items())
            if mean.games >= least
        }
        best = max(known, key=lambda cell: known[cell].mean / known[cell].error)
        table[str(level)] = {
            "any": vars(mean_of(here)),
            "stayer": vars(mean_of(here, "stayer")),
            "kinds": len(known),
            "best": {"cell": best, **vars(known[best])},
        }
    return table
