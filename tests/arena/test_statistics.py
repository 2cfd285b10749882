"""Error bars and ratings, against formulas and books."""

from itertools import pairwise
from math import log10, sqrt
from statistics import mean, stdev

import pytest

from cantstop.arena.statistics import MatchWins, block_error, ratings, share_interval


def test_the_block_error_is_the_standard_error_of_block_means() -> None:
    blocks = [3, 0, 6, 5, 1, 4, 2, 2]  # sums over blocks of two games
    due = stdev(total / 2 for total in blocks) / sqrt(len(blocks))
    found = block_error(len(blocks), sum(blocks), sum(total**2 for total in blocks), games=2)
    assert found == pytest.approx(due)
    assert mean(blocks) / 2 == pytest.approx(sum(blocks) / 16)


@pytest.mark.parametrize("blocks", [0, 1])
def test_one_block_tells_nothing_about_the_error(blocks: int) -> None:
    assert block_error(blocks, 3, 9, 2) is None


def test_large_sums_keep_their_digits() -> None:
    # 10**9 blocks of 10**5 and as many of 10**5 + 2: the variance of a block is 1
    count, low, high = 10**9, 10**5, 10**5 + 2
    error = block_error(2 * count, count * (low + high), count * (low**2 + high**2), 1)
    assert error == pytest.approx(1 / sqrt(2 * count), rel=1e-6)


def test_wilsons_interval_as_in_the_books() -> None:
    # Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29
    for wins, games, low, high in [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ]:
        share = wins / games
        error = sqrt(share * (1 - share) / games) if wins else None
        assert share_interval(share, error, games) == pytest.approx((low, high), abs=5e-5)


def test_paired_dice_that_halve_the_error_make_the_interval_narrower() -> None:
    wide = share_interval(0.5, 0.02, 625)
    narrow = share_interval(0.5, 0.01, 625)
    assert wide.high - wide.low == pytest.approx(2 * (narrow.high - narrow.low), rel=0.01)


def test_two_bots_differ_by_elos_formula() -> None:
    one, other = ratings(2, [MatchWins((0, 1), (7500.0, 2500.0))])
    assert one.value - other.value == pytest.approx(400 * log10(3), abs=0.1)
    assert (one.value + other.value) / 2 == pytest.approx(1500)


def test_the_error_of_two_bots_by_the_binomial_formula() -> None:
    games, chance = 10_000, 0.75
    (one, _) = ratings(2, [MatchWins((0, 1), (7500.0, 2500.0))])
    # the difference of the logarithms has variance 1 / (n p (1 - p)), each rating half of it
    due = 400 / 2.302585 / sqrt(games * chance * (1 - chance)) / 2
    assert one.error == pytest.approx(due, rel=1e-3)


def test_strengths_are_recovered_from_a_round_robin_and_from_larger_tables() -> None:
    strengths = (8.0, 4.0, 2.0, 1.0)
    pairs = [(a, b) for a in range(4) for b in range(a + 1, 4)]
    for seatings in (pairs, [(0, 1, 2), (1, 2, 3)], [(0, 1, 2, 3)]):
        matches = []
        for seats in seatings:
            total = sum(strengths[seat] for seat in seats)
            wins = tuple(1e6 * strengths[seat] / total for seat in seats)
            matches.append(MatchWins(seats, wins))
        found = [rating.value for rating in ratings(4, matches)]
        steps = [a - b for a, b in pairwise(found)]
        assert steps == pytest.approx([400 * log10(2)] * 3, abs=0.01)


def test_a_bot_that_always_wins_is_strong_but_not_infinitely() -> None:
    one, other = ratings(2, [MatchWins((0, 1), (1000.0, 0.0))])
    assert 800 < one.value - other.value < 2000
