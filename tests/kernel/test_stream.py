"""Random streams: the published generator, fair numbers, and nothing shared between purposes."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cantstop.kernel.stream import RandomStream, decision_stream, philox, start_stream, turn_stream

# The authors' known answers for Philox4x32-10: counter, key, words.
KNOWN_ANSWERS = [
    (
        (0, 0, 0, 0),
        (0, 0),
        (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8),
    ),
    (
        (0xFFFFFFFF,) * 4,
        (0xFFFFFFFF,) * 2,
        (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD),
    ),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


def fill(key: int, counter: tuple[int, int, int, int], words: NDArray[np.uint64]) -> None:
    """Four words of the generator."""
    first, second, third, fourth = map(np.uint64, counter)
    philox(np.uint64(key), first, second, third, fourth, words)


@pytest.mark.parametrize(("counter", "key", "words"), KNOWN_ANSWERS)
def test_the_generator_gives_the_known_answers(
    counter: tuple[int, int, int, int], key: tuple[int, int], words: Any
) -> None:
    found = np.zeros(4, np.uint64)
    fill(key[0] | key[1] << 32, counter, found)
    assert tuple(found.tolist()) == words


def test_a_stream_is_the_generators_words_scaled_in_order() -> None:
    # seed 5, game 2**32 + 3, turn 7, seat 2: the counter is (3, 1, 7, 2), then (3, 1, 7, 2 + 16)
    words = np.zeros(8, np.uint64)
    fill(5, (3, 1, 7, 2), words[:4])
    fill(5, (3, 1, 7, 18), words[4:])
    draws = turn_stream(seed=5, game=2**32 + 3, seat=2, turn=7)
    assert [draws.below(1296) for _ in range(8)] == [
        int(word) * 1296 >> 32 for word in words.tolist()
    ]


def test_words_that_would_favour_some_numbers_are_passed_over() -> None:
    # of 2**32 words 3 * 2**30 fill three equal parts of 2**30; the rest would be one too many
    bound = 3 * 2**30
    words = np.zeros(4 * 50, np.uint64)
    for block in range(50):
        counter = (0, 0, 0, 16 * block)
        fill(1, counter, words[4 * block : 4 * block + 4])
    fair = [word * bound >> 32 for word in words.tolist() if word * bound % 2**32 >= 2**32 % bound]
    draws = RandomStream(1, 0, 0, 0)
    assert len(fair) < 180
    assert [draws.below(bound) for _ in fair] == fair


@pytest.mark.parametrize("bound", [1, 2, 6, 20, 1296, 160_000])
def test_numbers_stay_below_their_bound(bound: int) -> None:
    draws = RandomStream(7, 0, 0, 0)
    assert {draws.below(bound) < bound for _ in range(500)} == {True}


def test_dice_are_fair() -> None:
    draws = RandomStream(11, 0, 0, 0)
    faces = Counter(die for _ in range(15_000) for die in draws.dice(4, 6))
    chi_square = sum((count - 10_000) ** 2 / 10_000 for count in faces.values())
    assert sorted(faces) == [1, 2, 3, 4, 5, 6]
    assert chi_square < 20.5  # five degrees of freedom: one seed in a thousand lies above


def test_every_purpose_seat_turn_game_seed_and_number_has_its_own_stream() -> None:
    streams = [
        start_stream(1, 0),
        start_stream(1, 1),
        *(
            turn_stream(1, game, seat, turn)
            for game in (0, 1)
            for seat in (0, 1)
            for turn in (0, 1)
        ),
        turn_stream(2, 0, 0, 0),
        *(decision_stream(1, 0, seat, 0, number) for seat in (0, 1) for number in (0, 7)),
    ]
    beginnings = {tuple(stream.below(2**31) for _ in range(4)) for stream in streams}
    assert len(beginnings) == len(streams)
