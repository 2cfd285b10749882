"""Who plays whom."""

from typing import Any

import pytest

from cantstop.arena import Plan
from cantstop.rules import Board, InvalidRules, InvalidText, Rules


@pytest.mark.parametrize(
    ("count", "players", "matches"),
    [(1, 1, 1), (2, 2, 1), (3, 3, 1), (4, 4, 1), (5, 2, 10)],
)
def test_without_rules_all_play_together_or_two_by_two(
    count: int, players: int, matches: int
) -> None:
    plan = Plan.of(["bold"] * count, games=1)
    assert (plan.rules.players, len(plan.matches)) == (players, matches)


def test_more_bots_than_players_make_a_round_robin() -> None:
    plan = Plan.of(["bold", "careful", "random"], games=1, rules=Rules(players=2))
    assert plan.matches == ((0, 1), (0, 2), (1, 2))
    assert plan.names(1) == ("bold", "random")


def test_alone_each_bot_has_a_table() -> None:
    assert Plan.of(["bold", "careful"], games=1, rules=Rules(players=1)).matches == ((0,), (1,))


def test_a_plan_without_a_seed_takes_a_fresh_one() -> None:
    assert len({Plan.of(["bold"], games=1).seed for _ in range(5)}) == 5


@pytest.mark.parametrize(
    ("bots", "options", "said"),
    [
        ([], {}, "No bots are named"),
        (["bold"], {"games": 0}, "0 games cannot be played"),
        (["bold"], {"games": -5}, "-5 games cannot be played"),
        (["bold"], {"games": 10**13}, "1 to 1,000,000,000,000 are possible"),
        (["bold"], {"seed": -1}, "-1 is not a seed"),
        (["bold"], {"seed": 2**64}, "is not a seed"),
        (["bold"], {"rules": Rules(players=2)}, "for 2 players, but the number of bots is 1"),
        (["bold"], {"seconds": 0.0}, "The timeout must be positive"),
        (["bold"], {"seconds": float("nan")}, "The timeout must be positive"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(
    bots: list[Any] | list[str], options: dict[str, Any], said: str
) -> None:
    with pytest.raises(InvalidText, match=said):
        Plan.of(bots, **{"games": 1, **options})


def test_bots_that_do_not_exist_or_do_not_fit_are_found_before_the_first_game() -> None:
    with pytest.raises(InvalidText, match="There is no bot “deep-blue”"):
        Plan.of(["deep-blue"], games=1).check()
    small = Rules(players=1, board=Board.stepped(4, 1))
    with pytest.raises(InvalidRules, match="official board only"):
        Plan.of(["rule-of-28"], games=1, rules=small).check()
    Plan.of(["max-expected-progress"], games=1, rules=small).check()
