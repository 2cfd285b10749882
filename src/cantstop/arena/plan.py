"""What is to be played: which bots, by which rules, how many games, from which seed."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, count, permutations
from math import comb
from secrets import randbits
from typing import Self

import numpy as np

from cantstop.bots import AnyBot, Bot, any_bot, check_rules, read_bot
from cantstop.bots.external import ANSWER_SECONDS
from cantstop.bots.loading import check_bots
from cantstop.engine import check_turn_size
from cantstop.kernel.play import Seatings
from cantstop.kernel.stream import LARGEST_SEED
from cantstop.rules import InvalidText, Rules, WrongType, whole_number
from cantstop.rules.lazy import lazy
from cantstop.rules.settings import MOST_PLAYERS

MOST_GAMES = 10**12
MOST_MATCHES = 10_000


@dataclass(frozen=True)
class Plan:
    """Every group of ``rules.players`` bots plays a match of its own.

    As many bots as players make one match, more of them a round robin; alone, each bot plays solo.
    The same plan gives the same results, however the work is divided.
    """

    bots: tuple[str, ...]
    rules: Rules
    games: int
    """In each match."""
    seed: int
    seconds: float = ANSWER_SECONDS
    """How long a bot in another program may think about an answer."""
    control: bool = False
    """Whether luck is counted and taken off the results (a control variate)."""
    own: tuple[Bot | None, ...] = field(default=(), compare=False, repr=False)
    """The bots that were given as objects, each in the place of its name; they play in this process
    only, since a class from a notebook does not travel to another. Empty if all have
    names that mean the same everywhere."""

    def __post_init__(self) -> None:
        for name in ("games", "seed"):
            given = getattr(self, name)
            try:
                object.__setattr__(self, name, whole_number(given))
            except TypeError:
                raise WrongType(
                    "{name} is a whole number, not “{text}”.", name=name, text=given
                ) from None
        if not 1 <= self.games <= MOST_GAMES:
            raise InvalidText(
                "{games} games cannot be played: 1 to {most} are possible.",
                games=self.games,
                most=f"{MOST_GAMES:,}",
            )
        if not 0 <= self.seed <= LARGEST_SEED:
            raise InvalidText(
                "{seed} is not a seed: a seed is a whole number from 0 to {most}.",
                seed=self.seed,
                most=LARGEST_SEED,
            )
        if len(self.bots) < self.rules.players:
            raise InvalidText(
                "The rules are for {players} players, but the number of bots is {count}.",
                players=self.rules.players,
                count=len(self.bots),
            )
        if comb(len(self.bots), self.rules.players) > MOST_MATCHES:
            raise InvalidText(
                "{count} bots make too many matches: at most {most} can be played.",
                count=len(self.bots),
                most=f"{MOST_MATCHES:,}",
            )
        if not self.seconds > 0:
            raise InvalidText("The timeout must be positive.")
        if self.control and self.rules.players == 1:
            raise InvalidText("Control variates are for wins and losses: alone there are none.")

    @classmethod
    def of(
        cls,
        bots: Sequence[AnyBot],
        *,
        games: int,
        rules: Rules | None = None,
        seed: int | None = None,
        seconds: float = ANSWER_SECONDS,
        control: bool = False,
    ) -> Self:
        """A plan; without rules all bots play together, or two by two if they are too many.

        Without a seed it takes a fresh one.

        Raises:
            WrongType: If the bots are not a list of them.
            InvalidText: If there is no bot.
        """
        check_bots(bots)
        if rules is None:
            rules = Rules(players=len(bots) if len(bots) <= MOST_PLAYERS else 2)
        players = [None if isinstance(bot, str) else read_bot(bot) for bot in bots]
        named = [bot.strip() if isinstance(bot, str) else None for bot in bots]
        return cls(
            _distinct_names(named, players),
            rules,
            games,
            randbits(32) if seed is None else seed,
            seconds,
            control,
            tuple(players) if any(players) else (),
        )

    @lazy
    def matches(self) -> tuple[tuple[int, ...], ...]:
        """The bots of each match, by their numbers."""
        return tuple(combinations(range(len(self.bots)), self.rules.players))

    def own_bots(self, match: int) -> tuple[Bot | None, ...]:
        """The bots of a match that were given as objects, in the places of their names."""
        return tuple(self.own[bot] for bot in self.matches[match]) if self.own else ()

    def names(self, match: int) -> tuple[str, ...]:
        """The bots of a match, by their names."""
        return tuple(self.bots[bot] for bot in self.matches[match])

    def with_games(self, games: int) -> Self:
        """The same plan with another number of games."""
        return replace(self, games=games)

    def check(self) -> None:
        """Refuse bots that there are not, or that do not play by these rules."""
        own = dict(zip(self.bots, self.own, strict=False))
        for name in dict.fromkeys(self.bots):
            given = own.get(name)
            if given is not None:
                check_rules(given, self.rules)
                continue
            bot = any_bot(name, self.seconds)
            try:
                check_rules(bot, self.rules)
            finally:
                bot.close()
        if self.control:
            check_turn_size(self.rules.board)


def _distinct_names(named: Sequence[str | None], players: Sequence[Bot | None]) -> tuple[str, ...]:
    """A name for every bot; two objects never share one, since bots of one name count as equal."""
    taken = {name for name in named if name is not None}
    names: list[str] = []
    for given, player in zip(named, players, strict=True):
        name = given or ("" if player is None else player.name)
        if player is not None:
            tries = count(2)
            while name in taken:
                name = f"{player.name} {next(tries)}"
            taken.add(name)
        names.append(name)
    return tuple(names)


def seatings_of(names: Sequence[str]) -> Seatings:
    """All orders in which bots can sit down; equal ones, with bots of one name, differ in dice."""
    orders = list(permutations(range(len(names))))
    met: dict[tuple[str, ...], int] = {}
    dice = []
    for order in orders:
        sitting = tuple(names[bot] for bot in order)
        dice.append(met.get(sitting, 0))
        met[sitting] = dice[-1] + 1
    return Seatings(np.array(orders), np.array(dice), max(dice) + 1)
