"""What the reviewed games tell: the luck of the seats, the bots' errors, and the curve."""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cantstop.arena.statistics import MatchWins, ratings
from cantstop.bots import LADDER
from cantstop.review.played_like import Curve

from .luck import BOTS, ReviewedGame, SeatOfGame, read

ROOT = Path(__file__).parents[2]
CONSTANTS = ROOT / "src" / "cantstop" / "review" / "played_like.json"
PAGE = ROOT / "docs" / "review.md"
BEGIN, END = "<!-- written by research/reviews -->\n", "<!-- end -->\n"
TOP = 2000.0
POINTS = 100
CLOSEST = 0.005
"""A share of wins this close to 0 or 1 says nothing more about a rating."""


class Bot:
    """One bot over all of its games."""

    def __init__(self, name: str, seats: Sequence[SeatOfGame], rating: float) -> None:
        self.name, self.rating, self.games = name, rating, len(seats)
        self._errors = np.array([seat.error for seat in seats])
        self._decisions = np.array([seat.decisions for seat in seats])

    @property
    def error(self) -> float:
        """What a decision gives away on average."""
        return float(self._errors.sum() / self._decisions.sum())

    @property
    def decisions(self) -> float:
        """How many decisions a game has."""
        return float(self._decisions.mean())

    @property
    def noise(self) -> float:
        """The standard deviation of one decision's error, as far as whole games tell.

        Errors of one game go together: a decision counts for what it adds to a game's scatter.
        """
        off = self._errors - self.error * self._decisions
        return sqrt(float((off**2).mean()) / self.decisions)

    @property
    def standard_error(self) -> float:
        """Of the error per decision."""
        return self.noise / sqrt(self.decisions * self.games)


def bots_of(games: Sequence[ReviewedGame]) -> list[Bot]:
    """Every bot, the strongest first, with a rating from who would have won without luck."""
    shares: dict[tuple[str, str], list[float]] = defaultdict(list)
    seats: dict[str, list[SeatOfGame]] = defaultdict(list)
    for game in games:
        one, other = sorted(game.seats, key=lambda seat: BOTS.index(seat.bot))
        # what the first seat is worth evens out: each of the two has it in half of their games
        shares[one.bot, other.bot].append(one.result - one.luck)
        for seat in game.seats:
            seats[seat.bot].append(seat)
    matches = []
    for (one_name, other_name), found in shares.items():
        share = float(np.clip(np.mean(found), CLOSEST, 1 - CLOSEST))
        pair = BOTS.index(one_name), BOTS.index(other_name)
        matches.append(MatchWins(pair, (share * len(found), (1 - share) * len(found))))
    values = [rating.value for rating in ratings(len(BOTS), matches)]
    known = {level.name: level.rating for level in LADDER}
    above = float(np.mean([known[name] - values[BOTS.index(name)] for name in known]))
    found_bots = [Bot(name, seats[name], values[BOTS.index(name)] + above) for name in seats]
    return sorted(found_bots, key=lambda bot: -bot.rating)


def fitted(bots: Sequence[Bot]) -> Curve:
    """The curve through the bots: both parts are powers of the error."""
    erring = [bot for bot in bots if bot.error > 0]
    errors = np.array([bot.error for bot in erring])
    below = TOP - np.array([bot.rating for bot in erring])
    power, slope = _power_law(errors, below)
    spread = sqrt(float(((below - slope * errors**power) ** 2).sum()) / (len(erring) - 2))
    noise_power, noise = np.polyfit(np.log(errors), np.log([bot.noise for bot in erring]), 1)
    rounded = [slope, power, spread, float(np.exp(noise)), float(noise_power)]
    return Curve(TOP, *(float(f"{number:.4g}") for number in rounded))


def _power_law(errors: NDArray[np.float64], below: NDArray[np.float64]) -> tuple[float, float]:
    """The power and the slope of least squares: for each power the slope is known."""
    best = (np.inf, 0.0, 0.0)
    for power in np.arange(0.3, 1.5, 0.001):
        raised = errors**power
        slope = float(raised @ below / (raised @ raised))
        best = min(best, (float(((below - slope * raised) ** 2).sum()), float(power), slope))
    return best[1], best[2]


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Spearman's."""
    first, second = (np.argsort(np.argsort(values)) for values in (one, other))
    return float(np.corrcoef(first, second)[0, 1])


def lines_of(games: Sequence[ReviewedGame], bots: Sequence[Bot], curve: Curve) -> list[str]:
    """The part of the page that is measured."""
    found = ["| seat | mean luck a game, points | standard error | off by |", "|---|---|---|---|"]
    for seat in (0, 1):
        luck = np.array([game.seats[seat].luck for game in games])
        error = float(luck.std(ddof=1)) / sqrt(len(luck))
        mean = float(luck.mean())
        found.append(
            f"| {seat + 1} | {POINTS * mean:+.2f} | {POINTS * error:.2f} | "
            f"{abs(mean) / error:.1f} standard errors |"
        )
    violation = max(
        abs(one.result - one.start - one.luck - one.skill - one.drift)
        for game in games
        for one in game.seats
    )
    drift = np.array([game.seats[0].drift for game in games])
    ladder = {level.name: level.rating for level in LADDER}
    levels = [bot for bot in bots if bot.name in ladder]
    overall = rank_correlation([bot.rating for bot in bots], [-bot.error for bot in bots])
    of_ladder = rank_correlation(
        [ladder[bot.name] for bot in levels], [-bot.error for bot in levels]
    )
    found += [
        "",
        f"{len(games):,} games for two by the standard rules, every pair of {len(bots)} bots. "
        f"The sums of a seat are off by {violation:.0e} at most; the drift of a game is "
        f"{POINTS * float(np.abs(drift).mean()):.2f} points on average, whatever its sign, "
        f"and {POINTS * float(drift.mean()):+.2f} for the first seat.",
        "",
        "| bot | error per decision, points | decisions a game | rating without luck | the curve |",
        "|---|---|---|---|---|",
    ]
    found += [
        f"| `{bot.name}` | {POINTS * bot.error:.2f} ± {POINTS * 1.96 * bot.standard_error:.2f} | "
        f"{bot.decisions:.0f} | {bot.rating:.0f} | {curve.rating(bot.error):.0f} |"
        for bot in bots
    ]
    found += [
        "",
        f"The error per decision ranks the bots as their games do: the rank correlation is "
        f"{overall:.2f} for all, {of_ladder:.2f} for the eight levels with the ladder's ratings.",
        "",
        f"The curve: rating = {curve.top:.0f} − {curve.slope / POINTS**curve.power:.0f} · "
        f"*e*^{curve.power:.2f} for *e* points a decision; bots are off it by {curve.spread:.0f} "
        "(standard deviation).",
    ]
    return found


def report(folder: Path) -> None:
    """Print what was found; write the constants and the page."""
    games = sorted({game.n: game for game in read(folder)}.values(), key=lambda game: game.n)
    bots = bots_of(games)
    curve = fitted(bots)
    stored = {
        "made_by": "python -m research.reviews report",
        "games": len(games),
        "bots": {bot.name: [round(bot.error, 6), round(bot.rating, 1)] for bot in bots},
        "curve": asdict(curve),
    }
    CONSTANTS.write_text(json.dumps(stored, indent=1) + "\n", "utf-8")
    lines = lines_of(games, bots, curve)
    print("\n".join(lines))
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n" + "\n".join(lines) + f"\n\n{END}{after}", "utf-8")
