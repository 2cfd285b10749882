"""The ladder: eight opponents for people, from one who has just read the rules to the champion.

``docs/ladder.md`` tells how they were measured; ``research/ladder`` measures them again.
"""

from dataclasses import dataclass

from cantstop.bots.bot import Bot
from cantstop.bots.expert import ChampionBot
from cantstop.bots.judgement import Judgement, JudgingBot
from cantstop.language import message


@dataclass(frozen=True)
class Level:
    """An opponent: what it is called, what it is like, how it judges and how strong it is."""

    name: str
    about: str
    """Its temperament in one sentence; an interface translates it."""
    rating: int
    """Measured in two-player games by the standard rules; the champion has 2000 by definition."""
    judgement: Judgement
    """The champion's is without any weakness."""

    def bot(self) -> Bot:
        """The player."""
        if self.judgement == Judgement():
            return ChampionBot(self.name)
        return JudgingBot(self.name, self.judgement)


LADDER = (
    Level(
        "chick",
        message(
            "Has just read the rules: it is glad of every step, takes what it has as soon as it "
            "has a little, and never looks at what the others do."
        ),
        1410,
        Judgement(1, misjudgement=0.7, habit=6.9, enough=0.238, fresh=0.3),
    ),
    Level(
        "magpie",
        message(
            "Falls for whatever glitters: short columns at the edge, and any space near a top."
        ),
        1487,
        Judgement(2, misjudgement=1.5, boldness=-0.2, middle=-1.6, fresh=0.35, summit=0.5),
    ),
    Level(
        "tortoise",
        message(
            "Takes its time: it is content with a few steps, seldom risks what it has, and makes a "
            "column safe as soon as it is at the top."
        ),
        1582,
        Judgement(3, misjudgement=0.92, habit=3.6, enough=0.39, banking=0.4),
    ),
    Level(
        "ibex",
        message(
            "Climbs with a sure foot: it keeps to the long columns in the middle, and starts as "
            "few new ones as it can."
        ),
        1656,
        Judgement(4, misjudgement=0.75, middle=0.28, fresh=-0.28),
    ),
    Level(
        "monkey",
        message(
            "Wants to be everywhere at once: it sends its runners out, rolls on and on, and loses "
            "most of its turns."
        ),
        1756,
        Judgement(5, misjudgement=0.47, boldness=0.41, fresh=0.29),
    ),
    Level(
        "fox",
        message("Weighs the odds and the race like a master, and only close calls go wrong."),
        1835,
        Judgement(6, misjudgement=0.37, boldness=0.15),
    ),
    Level(
        "falcon",
        message("Sees almost everything, and cannot resist: it rolls once too often."),
        1917,
        Judgement(7, misjudgement=0.13, boldness=0.12),
    ),
    Level(
        "champion",
        message(
            "Nobody here is stronger: it solves each turn exactly, and has learned what follows "
            "from millions of games against itself."
        ),
        2000,
        Judgement(),
    ),
)
