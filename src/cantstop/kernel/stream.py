"""Random streams, one for each purpose of each turn of each game, that need no state to be kept.

The generator is Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy
as 1, 2, 3", 2011): a keyed function of a counter. The key is the seed; the counter holds the game,
the turn, the purpose and how far the turn has come. So any game can be played alone, in any order
and on any machine, and its dice do not depend on what other turns needed.
"""

import numpy as np

from cantstop.jit import compiled, entry, inlined
from cantstop.kernel.layout import STREAM, Array, StreamRecord, Word
from cantstop.kernel.records import DICE_IN_A_ROLL
from cantstop.rules import Dice

ROUNDS = 10
LOW_32 = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
FIRST_FACTOR, SECOND_FACTOR = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
FIRST_STEP, SECOND_STEP = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)

ONE = np.uint64(1)
PURPOSES = np.uint64(16)
"""Dice of the four seats, decisions of the four seats, and the roll-off."""

DICE, DECISIONS, ROLL_OFF = 0, 4, 8

NUMBER_STEP = np.uint64(0x9E3779B97F4A7C15)


@compiled
def philox(
    key: Word, counter_0: Word, counter_1: Word, counter_2: Word, counter_3: Word, words: Array
) -> None:
    """Write the four 32-bit words that the key makes of the counter."""
    key_0, key_1 = key & LOW_32, key >> HALF
    for _ in range(ROUNDS):
        first = FIRST_FACTOR * counter_0
        second = SECOND_FACTOR * counter_2
        counter_0 = (second >> HALF) ^ counter_1 ^ key_0
        counter_2 = (first >> HALF) ^ counter_3 ^ key_1
        counter_1 = second & LOW_32
        counter_3 = first & LOW_32
        key_0 = (key_0 + FIRST_STEP) & LOW_32
        key_1 = (key_1 + SECOND_STEP) & LOW_32
    words[0], words[1], words[2], words[3] = counter_0, counter_1, counter_2, counter_3


@inlined
def open_stream(stream: StreamRecord, key: Word, game: Word, turn: int, purpose: int) -> None:
    """Make a stream begin: the same arguments give the same numbers, always."""
    stream.key = key
    stream.game = game
    stream.turn = turn
    stream.purpose = purpose
    stream.block = 0
    stream.used = 4


@inlined
def next_word(stream: StreamRecord) -> Word:
    """The next 32 random bits."""
    if stream.used == 4:
        philox(
            stream.key,
            stream.game & LOW_32,
            stream.game >> HALF,
            stream.turn,
            stream.purpose + PURPOSES * stream.block,
            stream.words,
        )
        stream.block += ONE
        stream.used = 0
    word = stream.words[stream.used]
    stream.used += 1
    return word


@inlined
def below(stream: StreamRecord, bound: int) -> int:
    """A number from 0 to ``bound`` - 1, each equally likely.

    Lemire's method ("Fast random integer generation in an interval", 2019): the few words that
    would make some numbers likelier are passed over.
    """
    wide = np.uint64(bound)
    scaled = next_word(stream) * wide
    if scaled & LOW_32 < wide:
        unfair = ((LOW_32 + ONE) - wide) % wide
        while scaled & LOW_32 < unfair:
            scaled = next_word(stream) * wide
    return np.int64(scaled >> HALF)  # type: ignore[return-value]


LARGEST_SEED = 2**64 - 1


@entry
def _open_at(streams: Array, key: Word, game: Word, turn: int, purpose: int) -> None:
    """Make the stream in an array begin."""
    open_stream(streams[0], key, game, turn, purpose)


@entry
def _below_at(streams: Array, bound: int) -> int:
    """The next number of the stream in an array."""
    return below(streams[0], bound)


class RandomStream:
    """A stream that Python draws from."""

    def __init__(self, key: int, game: int, turn: int, purpose: int) -> None:
        self._stream = np.zeros(1, STREAM)
        _open_at(self._stream, np.uint64(key), np.uint64(game), turn, purpose)

    def below(self, bound: int) -> int:
        """A number from 0 to ``bound`` - 1."""
        return int(_below_at(self._stream, bound))

    def dice(self, count: int, sides: int) -> Dice:
        """A number of dice."""
        fall = self.below(sides**count)
        return tuple(fall // sides**place % sides + 1 for place in reversed(range(count)))


def start_stream(seed: int, game: int) -> RandomStream:
    """The throws for the start of a game."""
    return RandomStream(seed, game, 0, ROLL_OFF)


def turn_stream(seed: int, game: int, seat: int, turn: int) -> RandomStream:
    """The rolls of a seat's turn, counted from 0."""
    return RandomStream(seed, game, turn, DICE + seat)


def decision_stream(seed: int, game: int, seat: int, turn: int, number: int) -> RandomStream:
    """What a random bot of that number draws in a seat's turn."""
    key = (seed + number * int(NUMBER_STEP)) & LARGEST_SEED
    return RandomStream(key, game, turn, DECISIONS + seat)


def roll(draws: RandomStream, sides: int) -> Dice:
    """The four dice of the next roll."""
    return draws.dice(DICE_IN_A_ROLL, sides)
