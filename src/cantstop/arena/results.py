"""What came of a plan: standings with error bars, for each match and for the field."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from cantstop.arena.checkpoint import Checkpoint, Totals
from cantstop.arena.plan import Plan, seatings_of
from cantstop.arena.statistics import (
    NINETY_FIVE,
    Estimate,
    Interval,
    MatchWins,
    Rating,
    block_error,
    ratings,
    share_interval,
)
from cantstop.kernel.layout import FIRST_FIGURE, LUCK_UNIT, POINTS, ROLLS_FIGURE, TURNS_FIGURE
from cantstop.language import Translator

Row = dict[str, str | int | float | None]


@dataclass(frozen=True, repr=False)
class Standing:
    """How one bot did in one match."""

    name: str
    games: int
    wins: float
    """A shared win counts for its part."""
    share: float
    interval: Interval
    turns: int
    rolls: int
    busts: int

    def __repr__(self) -> str:
        return f"<Standing {self.name}: {self.wins:.10g} of {self.games} games>"

    @property
    def busts_per_turn(self) -> float:
        """How often a turn ends in a bust."""
        return self.busts / self.turns if self.turns else 0.0


@dataclass(frozen=True)
class LuckFree:
    """How one bot did in one match with the luck of all rolls taken off (a control variate)."""

    share: Estimate
    luck: Estimate
    """What luck gave it in a game, on average: chance alone, so about 0."""

    @property
    def interval(self) -> Interval | None:
        """Where the share lies."""
        if self.share.error is None:
            return None
        half = NINETY_FIVE * self.share.error
        return Interval(self.share.mean - half, self.share.mean + half)


@dataclass(frozen=True, repr=False)
class MatchResult:
    """What came of one match's games."""

    names: tuple[str, ...]
    totals: Totals

    def __repr__(self) -> str:
        bots = ", ".join(
            f"{name} {won:.10g}" for name, won in zip(self.names, self.wins, strict=True)
        )
        return f"<MatchResult {self.games} games, won: {bots}>"

    def rows(self) -> list[Row]:
        """A row for each bot."""
        return [
            {
                "bot": standing.name,
                "games": standing.games,
                "wins": standing.wins,
                "share": standing.share,
                "share_low": standing.interval.low,
                "share_high": standing.interval.high,
                "turns": standing.turns,
                "rolls": standing.rolls,
                "busts": standing.busts,
            }
            for standing in self.standings
        ]

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.totals.count("games")

    @property
    def wins(self) -> list[float]:
        """The games that each bot has won."""
        return [points / POINTS for points in self.totals.counts("bot_points")[: len(self.names)]]

    @property
    def first_player_wins(self) -> float:
        """The games won by whoever started."""
        return self.totals.count("first_points") / POINTS

    @property
    def unfinished(self) -> int:
        """Games given up because they would not end."""
        return self.totals.count("unfinished")

    @property
    def turns_per_game(self) -> Estimate:
        """All players' turns together."""
        return self._estimate("turns", TURNS_FIGURE)

    @property
    def rolls_per_game(self) -> Estimate:
        """All players' rolls together; the throws for the start do not count."""
        return self._estimate("rolls", ROLLS_FIGURE)

    @property
    def first_player_share(self) -> Estimate:
        """How often whoever starts wins."""
        return self._estimate("first_points", FIRST_FIGURE, POINTS)

    @property
    def busts_per_turn(self) -> float:
        """How often a turn ends in a bust."""
        turns = self.totals.count("turns")
        return self.totals.count("busts") / turns if turns else 0.0

    @property
    def turn_counts(self) -> list[int]:
        """How many games had 0, 1, 2 … turns; the last number holds all longer ones."""
        counts = self.totals.counts("turn_counts")
        while counts and not counts[-1]:
            counts.pop()
        return counts

    @cached_property
    def standings(self) -> list[Standing]:
        """How each bot did, in the order of their names on the command line."""
        lists = {name: self.totals.counts(f"bot_{name}") for name in ("turns", "rolls", "busts")}
        return [
            Standing(
                name,
                self.games,
                self.wins[bot],
                self.wins[bot] / self.games if self.games else 0.0,
                share_interval(*self._bot_estimate(bot), self.games),
                lists["turns"][bot],
                lists["rolls"][bot],
                lists["busts"][bot],
            )
            for bot, name in enumerate(self.names)
        ]

    @cached_property
    def luck_free(self) -> list[LuckFree] | None:
        """How each bot did without luck; None where luck was not counted."""
        blocks = self.totals.count("luck_blocks")
        if not blocks:
            return None
        size = len(seatings_of(self.names).bots)
        found: dict[str, list[Estimate]] = {}
        for kind in ("rest", "luck"):
            sums, squares = (
                self.totals.counts(f"{kind}_sums"),
                self.totals.counts(f"{kind}_squares"),
            )
            found[kind] = []
            for total, square in zip(sums, squares, strict=True):
                error = block_error(blocks, total, square, size)
                error = None if error is None else error / LUCK_UNIT
                found[kind].append(Estimate(total / (blocks * size * LUCK_UNIT), error))
        pairs = zip(found["rest"], found["luck"], strict=True)
        return [LuckFree(*pair) for pair, _ in zip(pairs, self.names, strict=False)]

    @property
    def games_worth(self) -> float | None:
        """How many times as many games would tell as much by counting wins alone."""
        plain, found = self._error(0, POINTS), self.luck_free
        if not plain or found is None or not found[0].share.error:
            return None
        return (plain / found[0].share.error) ** 2

    def _bot_estimate(self, bot: int) -> Estimate:
        share = self.wins[bot] / self.games if self.games else 0.0
        return Estimate(share, self._error(bot, POINTS))

    def _estimate(self, name: str, figure: int, unit: int = 1) -> Estimate:
        total = self.totals.count(name) / unit
        return Estimate(total / self.games if self.games else 0.0, self._error(figure, unit))

    def _error(self, figure: int, unit: int) -> float | None:
        error = block_error(
            self.totals.count("blocks"),
            self.totals.counts("block_sums")[figure],
            self.totals.counts("block_squares")[figure],
            len(seatings_of(self.names).bots),
        )
        return None if error is None else error / unit


@dataclass(frozen=True, repr=False)
class Results:
    """What came of a plan; ``print`` shows it as people read it."""

    plan: Plan
    matches: tuple[MatchResult, ...]
    finished: bool
    """False where the games were interrupted."""

    @classmethod
    def of(cls, checkpoint: Checkpoint, *, finished: bool) -> "Results":
        """The results of what has been played."""
        plan = checkpoint.plan
        return cls(
            plan,
            tuple(
                MatchResult(plan.names(match), progress.totals)
                for match, progress in enumerate(checkpoint.matches)
            ),
            finished,
        )

    def __repr__(self) -> str:
        if self.plan.rules.players == 1:
            figures = [f"{match.turns_per_game.mean:.2f} turns" for match in self.matches]
        else:
            figures = [f"{won:.10g} won" for won in self.wins]
        bots = ", ".join(map(" ".join, zip(self.plan.bots, figures, strict=True)))
        return f"<Results {self.plan.rules}, {self.games} games: {bots}>"

    def __str__(self) -> str:
        from cantstop.arena.report import report  # it needs this class

        return "\n".join(report(Translator(), self))

    @property
    def games(self) -> int:
        """How many games were played, in all matches."""
        return sum(match.games for match in self.matches)

    @property
    def wins(self) -> list[float]:
        """The games that each bot has won, in all its matches."""
        wins = [0.0] * len(self.plan.bots)
        for seats, match in zip(self.plan.matches, self.matches, strict=True):
            for bot, won in zip(seats, match.wins, strict=True):
                wins[bot] += won
        return wins

    @property
    def first_player_wins(self) -> float:
        """The games won by whoever started."""
        return sum(match.first_player_wins for match in self.matches)

    def per_game(self, name: str) -> float:
        """A count of all matches together, such as turns, divided by the games."""
        total = sum(match.totals.count(name) for match in self.matches)
        return total / self.games if self.games else 0.0

    def rows(self) -> list[Row]:
        """A row for each bot in each match, as pandas and spreadsheets take them."""
        found: list[Row] = []
        for number, (seats, match) in enumerate(zip(self.plan.matches, self.matches, strict=True)):
            for bot, row in zip(seats, match.rows(), strict=True):
                rating = None if self.ratings is None else self.ratings[bot]
                found.append(
                    {
                        "rules": str(self.plan.rules),
                        "seed": str(self.plan.seed),  # larger than some programs' numbers
                        "table": number,
                        **row,
                        "rating": None if rating is None else rating.value,
                        "rating_error": None if rating is None else rating.error,
                    }
                )
        return found

    @cached_property
    def ratings(self) -> Sequence[Rating] | None:
        """The field on Elo's scale; None where nobody plays against anybody."""
        if self.plan.rules.players == 1 or not self.games:
            return None
        return ratings(
            len(self.plan.bots),
            [
                MatchWins(seats, tuple(match.wins))
                for seats, match in zip(self.plan.matches, self.matches, strict=True)
            ],
        )
