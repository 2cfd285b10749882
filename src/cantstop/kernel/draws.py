"""Kernel dice for games that Python plays: number for number what compiled games get."""

import numpy as np

from cantstop.jit import entry
from cantstop.kernel.layout import STREAM, Array, Word
from cantstop.kernel.stream import DECISIONS, DICE, NUMBER_STEP, ROLL_OFF, below, open_stream
from cantstop.kernel.tables import DICE_IN_A_ROLL
from cantstop.rules import Dice

LARGEST_SEED = 2**64 - 1


@entry
def _open_at(streams: Array, key: Word, game: Word, turn: int, purpose: int) -> None:
    """Make the stream in an array begin."""
    open_stream(streams[0], key, game, turn, purpose)


@entry
def _below_at(streams: Array, bound: int) -> int:
    """The next number of the stream in an array."""
    return below(streams[0], bound)


class Draws:
    """A stream that Python draws from."""

    def __init__(self, key: int, game: int, turn: int, purpose: int) -> None:
        self._stream = np.zeros(1, STREAM)
        _open_at(self._stream, np.uint64(key), np.uint64(game), turn, purpose)

    def below(self, bound: int) -> int:
        """A number from 0 to ``bound`` - 1."""
        return int(_below_at(self._stream, bound))

    def dice(self, count: int, sides: int) -> Dice:
        """So many dice."""
        fall = self.below(sides**count)
        return tuple(fall // sides**place % sides + 1 for place in reversed(range(count)))


def start_draws(seed: int, game: int) -> Draws:
    """The throws for the start of a game."""
    return Draws(seed, game, 0, ROLL_OFF)


def turn_draws(seed: int, game: int, seat: int, turn: int) -> Draws:
    """The rolls of a seat's turn, counted from 0."""
    return Draws(seed, game, turn, DICE + seat)


def decision_draws(seed: int, game: int, seat: int, turn: int, number: int) -> Draws:
    """What a random bot of that number draws in a seat's turn."""
    key = (seed + number * int(NUMBER_STEP)) & LARGEST_SEED
    return Draws(key, game, turn, DECISIONS + seat)


def roll(draws: Draws, sides: int) -> Dice:
    """The four dice of the next roll."""
    return draws.dice(DICE_IN_A_ROLL, sides)
