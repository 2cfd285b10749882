"""Which games the golden playthroughs show; the seeds are picked so that what they say happens."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Playthrough:
    """One game to be played and written down."""

    name: str
    about: str
    rules: str
    seed: int
    patience: int
    """A turn is stopped once it has made this many steps."""
    edition: str | None = None
    youngest: int = 0


SMALL = "lengths=2.3.4.5.4.3.2"
WIDE = "lengths=" + ".".join(["2"] * 23)

PLAYTHROUGHS = (
    Playthrough("classic-two", "The classic game for two.", "players=2", 16, 8, "classic"),
    Playthrough("classic-four", "The classic game for four.", "players=4", 104, 8, "classic"),
    Playthrough(
        "trademark-three",
        "Two of three tie in the roll-off and throw again (M4).",
        "players=3,start=roll-off",
        217,
        7,
        "trademark",
    ),
    Playthrough(
        "ravensburger-two",
        "The second seat is the youngest and starts (M4).",
        "players=2,start=youngest",
        16,
        8,
        "ravensburger",
        youngest=1,
    ),
    Playthrough(
        "ravensburger-longer",
        "Five columns for two players (V1).",
        "players=2,win=5,start=youngest",
        90,
        6,
        "ravensburger",
    ),
    Playthrough(
        "ravensburger-early",
        "Runners out early (V2).",
        "players=2,early,start=youngest",
        16,
        6,
        "ravensburger",
    ),
    Playthrough(
        "ravensburger-no-rest",
        "No rest on a shared space (V3), not even with a runner on the top.",
        "players=2,sharing=no-rest,start=youngest",
        238,
        5,
        "ravensburger",
    ),
    Playthrough(
        "ravensburger-all-variants",
        "Four columns for three players, runners out early, no rest when shared (V1, V2, V3).",
        "players=3,win=4,early,sharing=no-rest,start=youngest",
        74,
        7,
        "ravensburger",
        youngest=2,
    ),
    Playthrough(
        "asmodee-leapfrog",
        "Leapfrog (V4) after a tie of both in the roll-off.",
        "players=2,sharing=leapfrog,start=roll-off",
        384,
        8,
        "asmodee",
    ),
    Playthrough(
        "asmodee-longer-leapfrog",
        "Four columns for three players, with leapfrog (V1, V4).",
        "players=3,win=4,sharing=leapfrog,start=roll-off",
        83,
        5,
        "asmodee",
    ),
    Playthrough(
        "asmodee-no-rest-four",
        "Four players, some of whom tie in the roll-off; no rest on a shared space (V3).",
        "players=4,sharing=no-rest,start=roll-off",
        151,
        7,
        "asmodee",
    ),
    Playthrough(
        "early-leapfrog",
        "A custom game: runners out early, and leapfrog (V2, V4).",
        "players=2,early,sharing=leapfrog",
        238,
        5,
    ),
    Playthrough(
        "early-no-rest-four",
        "A custom game for four: runners out early, no rest on a shared space (V2, V3).",
        "players=4,early,sharing=no-rest",
        27,
        8,
    ),
    Playthrough(
        "longer-early-leapfrog",
        "A custom game to four columns: runners out early, and leapfrog (V1, V2, V4).",
        "players=2,win=4,early,sharing=leapfrog",
        59,
        8,
    ),
    Playthrough("solo", "One player who counts turns (M3).", "players=1", 66, 6),
    Playthrough(
        "solo-small",
        "Solo on a small board with four-sided dice, runners out early (M3, V2).",
        f"players=1,win=4,early,{SMALL}",
        265,
        5,
    ),
    Playthrough(
        "small-board",
        "Four-sided dice; the last stop wins more columns than the game asks (W4).",
        f"players=2,{SMALL}",
        682,
        6,
    ),
    Playthrough(
        "small-no-rest",
        "A small board where a runner on the top may not stop, as another shares its space (V3).",
        f"players=3,sharing=no-rest,{SMALL}",
        32,
        5,
    ),
    Playthrough(
        "none-open-four",
        "Four players, five columns to win: none is open any more and the tie is shared (W5).",
        "players=4,win=5",
        16,
        6,
    ),
    Playthrough(
        "none-open-shared",
        "A small board on which no column is left and two share the game (W5).",
        f"players=3,win=4,{SMALL}",
        481,
        8,
    ),
    Playthrough(
        "none-open-won",
        "A small board on which no column is left and the most columns win (W5).",
        f"players=3,win=4,early,{SMALL}",
        372,
        5,
    ),
    Playthrough(
        "none-open-leapfrog",
        "Leapfrog on a small board until no column is left (V4, W5).",
        f"players=3,win=4,sharing=leapfrog,start=roll-off,{SMALL}",
        182,
        7,
    ),
    Playthrough(
        "wide-board",
        "Twelve-sided dice, which are written with dashes.",
        f"players=2,start=roll-off,{WIDE}",
        103,
        5,
    ),
    Playthrough(
        "two-runners",
        "Three-sided dice and two runners.",
        "players=2,lengths=3.4.5.4.3,runners=2",
        235,
        5,
    ),
    Playthrough(
        "four-runners", "Four runners, four columns to win.", "players=2,win=4,runners=4", 127, 7
    ),
)
