"""A club's ratings: the same bits for everybody, and what they say."""

from hashlib import sha256

import pytest

from cantstop import Game as Played
from cantstop.ratings import (
    Anchor,
    Fate,
    Findings,
    Game,
    Kind,
    Member,
    Rating,
    Ratings,
    Seat,
    Size,
    rate,
)
from cantstop.ratings.findings import findings_of
from cantstop.review import review
from rating_clubs import club

ANN = Member("Ann")


def bits(ratings: Ratings) -> str:
    """Every digit of every number, as a digest."""
    numbers = [
        f"{one.player.id} {one.kind} {one.size} {one.games} {one.opponents} "
        + " ".join(x.hex() for x in (one.value, one.low, one.high, one.replaces))
        for one in ratings
    ]
    return sha256("\n".join([*numbers, ratings.spread.hex()]).encode()).hexdigest()[:16]


def test_a_club_has_these_ratings_to_the_last_bit_on_every_machine() -> None:
    assert bits(rate(club(1, 150))) == "d2c50ed6c790a121"


def test_names_change_no_rating() -> None:
    one, other = rate(club(2, 60)), rate(club(2, 60, prefix="player "))
    assert [(a.value, a.high) for a in one] == [(b.value, b.high) for b in other]


def against(level: float, *, won: bool, luck: float) -> Game:
    """A game of Ann against a level of the ladder."""
    fates = (Fate.WON, Fate.LOST) if won else (Fate.LOST, Fate.WON)
    findings = Findings((0.5, 0.5), (luck, -luck))
    return Game((Seat(ANN, fates[0]), Seat(Anchor(level), fates[1])), findings)


def play_of(games: list[Game]) -> Rating:
    """Ann's Play."""
    found = rate(games).of(ANN, Kind.PLAY)
    assert found is not None
    return found


def test_a_win_by_luck_counts_less_than_a_win_against_luck() -> None:
    lucky = play_of([against(1756.0, won=True, luck=0.5)] * 5)
    unlucky = play_of([against(1756.0, won=True, luck=-0.2)] * 5)
    assert lucky.value < unlucky.value - 50


def test_games_against_the_ladder_count_for_play_only() -> None:
    ratings = rate([against(1756.0, won=True, luck=0.1)])
    assert [(one.kind, one.size, one.games) for one in ratings] == [(Kind.PLAY, Size.TWO, 1)]


def test_ever_the_same_opponent_says_less_than_many() -> None:
    one = play_of([against(1756.0, won=True, luck=0.4)] * 16)
    levels = [1716.0, 1736.0, 1776.0, 1796.0]
    many = play_of([against(levels[n % 4], won=True, luck=0.4) for n in range(16)])
    assert (one.opponents, many.opponents) == (1, 4)
    assert one.high - one.low > many.high - many.low + 5


def test_games_of_more_players_say_something_of_games_of_two() -> None:
    bob = Member("Bob")
    three = [
        Game((Seat(ANN, Fate.WON), Seat(bob, Fate.LOST), Seat(Member("Cat"), Fate.LOST)), None)
    ] * 10
    pair = [Game((Seat(bob, Fate.WON), Seat(Member("Dan"), Fate.LOST)), None)]
    alone, both = rate(pair).of(bob, Kind.RESULTS), rate([*three, *pair]).of(bob, Kind.RESULTS)
    assert alone is not None
    assert both is not None
    assert both.value < alone.value - 30


def test_people_who_vary_more_than_bots_have_wider_intervals() -> None:
    wild = [against(2000.0, won=n % 2 == 0, luck=0.0) for n in range(200)]
    ratings = rate(wild)
    assert ratings.spread > 2
    calm = [against(1756.0, won=n % 2 == 0, luck=0.48 - 0.96 * (n % 2)) for n in range(200)]
    assert rate(calm).spread == 1


def test_a_review_has_what_ratings_need_until_a_seat_left() -> None:
    game = Played(dice=11)
    for _ in range(4):
        while game.roll():
            game.move(game.legal_moves[0])
            if game.moves_in_turn == 2:
                game.stop()
                break
    found = review(game)
    whole = findings_of(found)
    assert whole.leaving is None
    assert whole.luck == tuple(seat.luck for seat in found.seats)
    left = findings_of(found, {1: 5, 0: 9})
    assert left.leaving is not None
    assert (left.leaving.seat, left.leaving.chances) == (1, found.moments[5].worths)
    early = [roll.changes[0] for roll in found.rolls if roll.n <= 5]
    assert left.luck[0] == pytest.approx(sum(early))
