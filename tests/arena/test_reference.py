"""Whole games: the compiled loop against Python playing by the rules, with the same dice."""

from typing import Any

import numpy as np
import pytest

from cantstop.arena.checkpoint import Totals
from cantstop.arena.plan import seatings_of
from cantstop.arena.reference import ReferenceGames
from cantstop.bots import any_bot
from cantstop.bots.compiled import compiled_bots
from cantstop.kernel.layout import POINTS
from cantstop.kernel.play import play_games
from cantstop.kernel.records import rules_records
from cantstop.rules import Board, Rules, Sharing, Start


def compiled(rules: Rules, names: Any, first: Any, last: Any, seed: int = 3) -> Totals:
    totals = Totals()
    bots = compiled_bots(tuple(names))
    assert bots is not None
    play_games(
        rules_records(rules),
        bots.records,
        seatings_of(names),
        np.uint64(seed),
        first,
        last,
        totals.array,
    )
    return totals


def by_rules(rules: Rules, names: Any, first: Any, last: Any, seed: int = 3) -> Any:
    games = ReferenceGames(rules, [any_bot(name) for name in names], seed)
    return games.play(seatings_of(names), first, last)


SMALL = Board.stepped(sides=3, shortest=1, runners=2)

TABLES = [
    (Rules(players=1), ["rule-of-28"]),
    (Rules(), ["rule-of-28", "glenn-linear"]),
    (Rules(sharing=Sharing.NO_REST), ["glenn-aloi-constant", "random:4"]),
    (Rules(sharing=Sharing.LEAPFROG, early=True), ["glenn-aloi-linear", "rule-of-28:24"]),
    (Rules(3, 4, early=True, start=Start.ROLL_OFF), ["random", "bold", "careful:3"]),
    (Rules(4, 5, sharing=Sharing.NO_REST, start=Start.ROLL_OFF), ["bold"] * 3 + ["random"]),
    (Rules(4, 2, board=SMALL), ["random", "random:1", "bold", "careful"]),
    (Rules(3, 1, sharing=Sharing.LEAPFROG, board=Board.stepped(2, 5, 3)), ["random"] * 3),
    (Rules(2, 2, board=SMALL), ["max-expected-progress", "max-expected-progress:150"]),
]


@pytest.mark.parametrize(("rules", "names"), TABLES, ids=lambda value: str(value))
def test_kernel_and_rules_count_the_same_games(rules: Rules, names: Any) -> None:
    assert compiled(rules, names, 0, 26) == by_rules(rules, names, 0, 26)


def test_games_of_a_part_are_the_same_as_in_the_whole() -> None:
    rules, names = Rules(), ["random", "bold"]
    parts = Totals()
    for first, last in [(6, 20), (0, 6), (20, 31)]:
        parts.add(compiled(rules, names, first, last))
    assert parts == compiled(rules, names, 0, 31)


def test_a_block_that_is_cut_into_pieces_counts_as_no_block() -> None:
    rules, names = Rules(), ["random", "bold"]
    whole, cut = compiled(rules, names, 0, 4), Totals()
    cut.add(compiled(rules, names, 0, 1))
    cut.add(compiled(rules, names, 1, 4))
    assert (whole.count("blocks"), cut.count("blocks")) == (2, 1)
    assert cut.counts("bot_points") == whole.counts("bot_points")


def test_seeds_and_numbers_of_random_bots_matter() -> None:
    rules = Rules()
    games = compiled(rules, ["random", "bold"], 0, 50)
    assert games == compiled(rules, ["random", "bold"], 0, 50)
    assert games != compiled(rules, ["random", "bold"], 0, 50, seed=4)
    assert games != compiled(rules, ["random:1", "bold"], 0, 50)


def test_every_seating_of_a_block_has_the_same_dice() -> None:
    # both bots are the same but for their names, so in the two games of a block the same seat wins
    totals = compiled(Rules(), ["careful", "careful:2"], 0, 200)
    assert totals.counts("bot_points")[:2] == [100 * POINTS, 100 * POINTS]
    assert totals.counts("block_squares")[0] == 100 * POINTS**2


def test_bots_of_one_name_change_places_with_other_dice() -> None:
    seatings = seatings_of(["bold", "bold", "random"])
    assert seatings.bots.tolist() == [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ]
    assert seatings.dice.tolist() == [0, 0, 1, 1, 0, 1]
    assert seatings.dice_a_block == 2


def test_W5_a_tie_is_shared_in_points() -> None:
    # three columns of one space for three players who need two: each takes one if nobody busts
    rules, names = Rules(3, 2, board=Board((1, 1, 1), runners=1)), ["bold"] * 3
    games = [compiled(rules, names, game, game + 1) for game in range(40)]
    assert games == [by_rules(rules, names, game, game + 1) for game in range(40)]
    points = {tuple(sorted(totals.counts("bot_points")[:3])) for totals in games}
    assert (POINTS // 3,) * 3 in points
    assert points <= {(POINTS // 3,) * 3, (0, 0, POINTS)}


def test_points_are_all_given_away() -> None:
    totals = compiled(Rules(4, 5), ["bold", "random", "careful", "rule-of-28"], 0, 240)
    assert sum(totals.counts("bot_points")) == 240 * POINTS
    assert totals.count("turns") == sum(totals.counts("bot_turns"))
    assert sum(totals.counts("turn_counts")) == 240
    assert totals.count("blocks") == 10
