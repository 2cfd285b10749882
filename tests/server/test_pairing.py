"""Who is seated together: near ratings first, then whoever waits; nobody who is blocked."""

import random
from datetime import UTC, datetime, timedelta
from statistics import median, quantiles
from typing import Any

import pytest

from cantstop.bots import LADDER
from cantstop.server.tables.pairing import (
    ANYBODY,
    NEAR,
    Seek,
    bot_for,
    groups,
    in_random_order,
)
from pairing import simulate

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


def seek(player: str, rating: float | None = None, waited: float = 0.0, **more: Any) -> Seek:
    since = NOW - timedelta(seconds=waited)
    wanted: dict[str, Any] = {"players": 2, "edition": "classic", "rated": True} | more
    return Seek(player, player, player, since=since, rating=rating, **wanted)


def seated(*seeks: Seek, blocks: frozenset[frozenset[str]] = frozenset()) -> set[frozenset[str]]:
    return {frozenset(one.player for one in group) for group in groups(seeks, blocks, NOW)}


def of(*players: str) -> frozenset[str]:
    return frozenset(players)


def test_two_who_want_the_same_are_seated() -> None:
    assert seated(seek("a"), seek("b")) == {of("a", "b")}
    assert seated(seek("a")) == set()


@pytest.mark.parametrize("other", [{"edition": "asmodee"}, {"rated": False}, {"players": 3}])
def test_who_wants_something_else_is_not(other: dict[str, Any]) -> None:
    assert seated(seek("a"), seek("b", **other)) == set()


def test_the_nearest_rating_is_chosen_and_the_longest_wait_first() -> None:
    found = seated(seek("a", 1500, 3), seek("b", 1590, 2), seek("c", 1520, 1), seek("d", 1600))
    assert found == {of("a", "c"), of("b", "d")}


def test_far_ratings_meet_when_one_has_waited() -> None:
    weak, strong = seek("weak", 1410, 0), seek("strong", 1900, 0)
    assert seated(weak, strong) == set()
    assert seated(seek("weak", 1410, ANYBODY.total_seconds()), strong) == {of("weak", "strong")}


def test_a_newcomer_is_near_the_middle() -> None:
    assert seated(seek("new"), seek("b", 1650)) == {of("new", "b")}


def test_three_and_four_sit_down_together_or_not_at_all() -> None:
    three = [seek(name, 1600, players=3) for name in "abcde"]
    assert seated(*three) == {of("a", "b", "c")}
    assert seated(*(seek(name, 1600, players=4) for name in "abc")) == set()


def test_the_blocked_are_never_together_however_long_they_wait() -> None:
    blocks = frozenset({of("a", "b")})
    assert seated(seek("a", None, 999), seek("b", None, 999), blocks=blocks) == set()
    others = [seek(name, None, 99, players=3) for name in "abcd"]
    assert seated(*others, blocks=blocks) in ({of("a", "c", "d")}, {of("b", "c", "d")})


def test_nobody_is_seated_twice_whoever_comes() -> None:
    chance = random.Random(31)
    for _ in range(200):
        seeks = [
            seek(
                f"p{at}",
                chance.choice([None, chance.uniform(1400, 2000)]),
                chance.uniform(0, 30),
                players=chance.choice([2, 3, 4]),
                rated=chance.random() < 0.5,
            )
            for at in range(chance.randint(0, 15))
        ]
        blocks = {of(*chance.sample([one.player for one in seeks], 2)) for _ in seeks[1:]}
        found = list(groups(seeks, blocks, NOW))
        players = [one.player for group in found for one in group]
        assert len(players) == len(set(players))
        for group in found:
            assert len({one.wants for one in group}) == 1
            assert len(group) == group[0].players
            assert not any(block <= {one.player for one in group} for block in blocks)


def test_in_a_busy_lobby_players_are_seated_soon_and_with_those_near_them() -> None:
    """50 come in a minute, most of them for a game of two."""
    found = simulate(minute=50, hours=1, seed=31)
    assert sorted(found) == [2, 3, 4]
    two = found[2]
    assert len(two.seconds) == 2 * len(two.gaps) > 2000
    assert median(two.seconds) < 3
    assert quantiles(two.seconds, n=20)[-1] < ANYBODY.total_seconds()
    assert median(two.gaps) < NEAR
    assert median(found[3].seconds) < ANYBODY.total_seconds()
    # without ratings to go by, two strangers would be about 150 points apart
    assert all(median(waits.gaps) < 110 for waits in found.values())
    assert sum(waits.left for waits in found.values()) < 10


def test_in_a_quiet_lobby_everybody_meets_somebody_in_the_end() -> None:
    found = simulate(minute=1, hours=24, seed=31)[2]
    assert found.left <= 1
    assert median(found.seconds) < ANYBODY.total_seconds()


def test_seats_are_drawn() -> None:
    assert {in_random_order("ab") for _ in range(60)} == {("a", "b"), ("b", "a")}


def test_the_bot_is_of_ones_own_level() -> None:
    for number, level in enumerate(LADDER, 1):
        assert bot_for(level.rating) == (level.name, number)
    assert bot_for(None)[1] in (3, 4)
    assert bot_for(9000) == ("champion", 8)
