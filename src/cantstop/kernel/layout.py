"""The records that compiled code works on: rules, a position, a stream, a bot, and totals.

``fields.py`` says what those of rules and positions are made of.
"""

from typing import Any

from cantstop.extras import require

require("arena")

import numpy as np
from numba import from_dtype

from cantstop.kernel.fields import (
    FREE,
    LEAPFROG,
    MOST_MOVES,
    NO_REST,
    POSITION_FIELDS,
    RULES_FIELDS,
)
from cantstop.rules.board import LARGEST_DIE
from cantstop.rules.settings import MOST_PLAYERS

MOST_FALLS = LARGEST_DIE**4
"""Ways for four dice to fall."""

MOST_ROLLS = LARGEST_DIE * (LARGEST_DIE + 1) * (LARGEST_DIE + 2) * (LARGEST_DIE + 3) // 24
"""Distinct rolls: the order in which the dice fall changes nothing."""

__all__ = ["FREE", "LEAPFROG", "MOST_MOVES", "NO_REST"]

RULES = np.dtype(list(RULES_FIELDS), align=True)

ROLLS = np.dtype(
    [
        ("falls", "i8"),  # ways for the dice to fall, all equally likely
        ("count", "i8"),  # distinct rolls, in the order of ``rules.ways``
        ("ways", "i8", MOST_ROLLS),  # how often each comes in all falls
        ("number", "i2", MOST_FALLS),  # the roll that a fall makes
        ("columns", "i8", MOST_ROLLS),  # all that a roll shows, bit by bit
        ("split_count", "i1", MOST_ROLLS),
        ("splits", "i1", (MOST_ROLLS, 3, 2)),
        (
            "fallen",
            "i8",
            6**4,
        ),  # six-sided dice: columns and splits as ``heuristic_turn`` reads them
    ],
    align=True,
)

POSITION = np.dtype(list(POSITION_FIELDS), align=True)

STREAM = np.dtype(
    [
        ("key", "u8"),
        ("game", "u8"),
        ("turn", "u8"),
        ("purpose", "u8"),
        ("block", "u8"),
        ("used", "i8"),
        ("words", "u8", 4),
    ],
    align=True,
)

OFFICIAL_COLUMNS = 13
OFFICIAL_SPACES = 14

SECOND = 16
"""What is added to a column's number for a second step in it."""

STEPS = 2 * SECOND
STEP_BITS = 5

DIFFICULTIES = 16
"""By whether there is a runner in odd, even, low and high columns, bit by bit."""

SCORES = np.dtype(
    [
        ("roomy", "i8"),  # second steps that there is room for, bit by bit
        ("values", "i4", STEPS),  # what each step is worth to the choice
        ("left", "i4", SECOND),  # steps left to the top, from a runner or a token
    ],
    align=True,
)

BOT = np.dtype(
    [
        ("kind", "i8"),
        ("number", "u8"),  # random: tells apart bots that draw differently
        (
            "enough",
            "i8",
        ),  # counting: moves before it stops; random: stops once in this many times
        ("column_worth", "i8"),  # progress: points for a whole column
        ("caution", "i8"),  # progress: how much a bust's loss counts, in percent
        ("threshold", "i8"),  # heuristic, from here on
        ("marker", "i8"),
        ("entry", "i8"),
        ("foresees", "i8"),
        ("odd", "i8"),
        ("even", "i8"),
        ("high", "i8"),
        ("low", "i8"),
        ("tops", "i8"),  # whether a top ends the turn
        ("race", "i8"),  # whether only tops do, once another player has won a column
        ("progress", "i8", OFFICIAL_COLUMNS),  # points of a column entered
        ("space", "i8", OFFICIAL_COLUMNS),  # points of a space gained in it
        ("reached", "i8", (OFFICIAL_COLUMNS, OFFICIAL_SPACES)),  # choice value of all up to a space
        ("difficulty", "i8", DIFFICULTIES),  # the same again, as ``heuristic_turn`` reads it
        ("worth", "i4", (2, SECOND, STEPS)),  # of a step: without or with a runner, by steps left
        ("choose", "i8"),  # user's functions: their addresses
        ("stop", "i8"),
        ("judges", "i8"),  # turn solvers: whether they decide by a player's judgement
    ],
    align=True,
)

TALLY = np.dtype(
    [
        ("end", "i8"),  # how the game ended
        ("first", "i8"),  # the seat that started
        ("turns", "i8", MOST_PLAYERS),  # these of each seat
        ("rolls", "i8", MOST_PLAYERS),
        ("busts", "i8", MOST_PLAYERS),
        ("points", "i8", MOST_PLAYERS),
    ]
)

GOES_ON, OVER, FORFEIT = range(3)
"""How a turn leaves the game."""

POINTS = 12
"""Points a game has to give: a shared win of two, three or four seats is whole for each."""

LUCK_UNIT = 1 << 16
"""Luck is counted in whole parts of a win, so that totals are the same in any order."""

LONGEST_COUNTED = 1000
"""Games of this many turns or more are counted together in the distribution."""

FIRST_FIGURE, TURNS_FIGURE, ROLLS_FIGURE = range(MOST_PLAYERS, MOST_PLAYERS + 3)
BLOCK_FIGURES = MOST_PLAYERS + 3
"""Each bot's points, the first player's points, turns, rolls: figures that get an error bar."""

TOTALS = np.dtype(
    [
        ("games", "i8"),
        ("unfinished", "i8"),
        ("turns", "i8"),
        ("rolls", "i8"),
        ("busts", "i8"),
        ("first_points", "i8"),
        ("bot_points", "i8", MOST_PLAYERS),
        ("bot_turns", "i8", MOST_PLAYERS),
        ("bot_rolls", "i8", MOST_PLAYERS),
        ("bot_busts", "i8", MOST_PLAYERS),
        ("bot_forfeits", "i8", MOST_PLAYERS),
        ("blocks", "i8"),
        ("block_sums", "i8", BLOCK_FIGURES),
        ("block_squares", "i8", BLOCK_FIGURES),
        ("turn_counts", "i8", LONGEST_COUNTED + 1),
        # with control variates: sums over whole blocks, for each bot, in parts of a win
        ("luck_blocks", "i8"),
        ("luck_sums", "i8", MOST_PLAYERS),
        ("luck_squares", "i8", MOST_PLAYERS),
        ("rest_sums", "i8", MOST_PLAYERS),  # results without luck
        ("rest_squares", "i8", MOST_PLAYERS),
    ]
)

# compiled code knows the records' fields; to the type checker they are opaque
RulesRecord = Any
PositionRecord = Any
RollsRecord = Any
StreamRecord = Any
ScoresRecord = Any
TallyRecord = Any
BotRecord = Any
TotalsRecord = Any
Array = Any
Word = Any
"""An unsigned number: mixed with signed ones Numba would make it a float."""

RULES_TYPE, POSITION_TYPE = from_dtype(RULES), from_dtype(POSITION)
