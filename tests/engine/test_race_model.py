"""The race model: chances that add up, and a network that equals its plain arithmetic."""

import random
from itertools import product
from typing import Any

import numpy as np
import pytest

from cantstop.engine import Anchors, race_model, solve_turn
from cantstop.engine.evaluators.race.chances import (
    RESOLUTION,
    duel_chances,
    evaluate_duel,
    evaluate_race,
)
from cantstop.engine.evaluators.race.distances import MAX_DISTANCE, seat_distances
from cantstop.engine.evaluators.race.network import FIRST
from cantstop.rules import OFFICIAL, Board, Position, Rules, Sharing

BOARDS = (
    OFFICIAL,
    Board.stepped(sides=3, shortest=1),
    Board.stepped(sides=8, shortest=2),
    Board((1,) * 11, runners=2),
)


def anchors_of(rules: Rules, count: int, seed: int) -> Anchors:
    """Tokens anywhere, with a few columns won, none of the games over."""
    dice = random.Random(seed)
    lengths = rules.board.lengths
    rows = []
    for _ in range(count):
        row = [[dice.randrange(length) for length in lengths] for _ in range(rules.players)]
        won = min(rules.players * (rules.columns_to_win - 1), len(lengths) - 1)
        for turn, column in enumerate(dice.sample(range(len(lengths)), dice.randint(0, won))):
            for tokens in row:
                tokens[column] = 0
            row[turn % rules.players][column] = lengths[column]
        rows.append(row)
    return Anchors(rules, dice.randrange(rules.players), np.array(rows, np.int8))


def chances(text: str) -> Any:
    """What an anchor is worth to its seats."""
    position = Position.parse(text)
    spaces = np.array([tokens[2:] for tokens in position.tokens.spaces], np.int8)
    return race_model().evaluate(Anchors(position.rules, position.seat, spaces[None]))[0]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: "-".join(map(str, board.lengths)))
@pytest.mark.parametrize(("players", "sharing"), [*product((2, 3, 4), Sharing)])
def test_everybodys_chances_are_probabilities_that_add_up_to_one(
    players: int, sharing: Any, board: Any
) -> None:
    for win in (1, 3, 5):
        rules = Rules(players, win, sharing=sharing, board=board)
        worth = race_model().evaluate(anchors_of(rules, 50, seed=win))
        assert worth.shape == (50, players)
        assert worth.min() >= 0
        assert worth.max() <= 1
        np.testing.assert_allclose(worth.sum(axis=1), 1, atol=1e-12)


def test_alone_it_tells_turns_that_are_one_at_least_and_fewer_near_the_end() -> None:
    rules = Rules(players=1)
    worth = race_model().evaluate(anchors_of(rules, 100, seed=1))
    assert worth.shape == (100, 1)
    assert worth.max() <= -1
    empty, halfway, nearly = (
        float(chances(f"v1,players=1 {tokens} 1 - -")[0])
        for tokens in ("-", "6:6,7:7,8:6", "6:11,7:12,8:11")
    )
    assert empty < halfway < nearly < -1
    assert nearly > -2


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("sharing", Sharing)
def test_an_anchor_is_worth_the_same_whatever_is_asked_before_it(
    players: int, sharing: Any
) -> None:
    rules = Rules(players, sharing=sharing)
    anchors = anchors_of(rules, 300, seed=5)
    together = race_model().evaluate(anchors)
    for row in range(0, 300, 7):
        alone = Anchors(rules, anchors.seat, anchors.spaces[row : row + 1])
        assert race_model().evaluate(alone).tolist() == together[row : row + 1].tolist()


def plain_distance(steps: list[int], need: int) -> float:
    """The network by the book, for one view."""
    network = race_model().network
    total = sum(network.vectors[FIRST[place] + entry] for place, entry in enumerate([*steps, need]))
    deep = np.maximum(total, 0) @ network.hidden + network.hidden_bias
    raw = float(np.maximum(deep, 0) @ network.out + network.out_bias[0])
    return 1 + float(np.logaddexp(0, raw))


def test_distances_are_what_the_networks_arithmetic_gives() -> None:
    rules = Rules()
    anchors = anchors_of(rules, 200, seed=9)
    found = seat_distances(anchors, race_model().network)
    lengths = np.array(rules.board.lengths)
    for row, tokens in enumerate(anchors.spaces.astype(int)):
        is_open = ~(tokens == lengths).any(axis=0)
        for seat in (0, 1):
            need = 3 - int((tokens[seat] == lengths).sum())
            steps = np.where(is_open, lengths - tokens[seat], 0).tolist()
            assert found[seat, row] == pytest.approx(plain_distance(steps, need), abs=1e-4)


def test_the_player_to_move_is_ahead_when_all_else_is_equal() -> None:
    for players in (2, 3, 4):
        worth = chances(f"v1,players={players} {'/'.join(['7:5'] * players)} 1 - -")
        assert worth[0] == max(worth)
        assert worth[0] > 1 / players
        assert (np.diff(worth) < 0).all()


def test_a_player_one_step_from_the_third_column_is_the_favourite() -> None:
    assert chances("v1,players=2 2:3,6:10,7:12,12:3/8:1 1 - -")[0] > 0.95
    assert chances("v1,players=2 2:3,6:10,7:12,12:3/8:1 2 - -")[0] > 0.85


def test_columns_won_and_columns_closed_count() -> None:
    ahead, even = "2:3,12:3/7:1", "-/7:1"
    assert chances(f"v1,players=2 {ahead} 2 - -")[0] > chances(f"v1,players=2 {even} 2 - -")[0]
    # the column that the other one has won is lost to a player who was about to win it
    mine, gone = "6:3,7:12/8:5", "6:3/7:13,8:5"
    assert chances(f"v1,players=2 {mine} 2 - -")[0] > chances(f"v1,players=2 {gone} 2 - -")[0]


def test_V4_what_others_have_ahead_is_jumped_over() -> None:
    tokens = np.zeros((1, 3, 11), np.int8)
    tokens[0, :, 5] = 4, 8, 9
    leapfrog = Anchors(Rules(players=3, sharing=Sharing.LEAPFROG), 0, tokens)
    tokens = tokens.copy()
    tokens[0, 0, 5], tokens[0, 1, 5] = 6, 9  # the same steps, with nobody to jump over
    shared = Anchors(Rules(players=3), 0, tokens)
    network = race_model().network
    assert seat_distances(leapfrog, network).tolist() == seat_distances(shared, network).tolist()


def test_W5_a_lead_that_the_open_columns_cannot_make_up_is_a_win() -> None:
    decided = "v1,players=2,win=11 2:3,3:5,4:7,5:9,6:11,7:13/8:11,9:9,10:7,11:5 1 - -"
    assert chances(decided).tolist() == [1.0, 0.0]


def test_W5_a_seat_that_cannot_be_first_any_more_is_as_far_away_as_can_be() -> None:
    rules = Rules(players=4, columns_to_win=5)
    spaces = np.zeros((1, 4, 11), np.int8)
    for seat, columns in enumerate([(0, 1, 2, 3), (4, 5, 6), (7, 8), (9,)]):
        spaces[0, seat, columns] = np.array(rules.board.lengths)[list(columns)]
    distances = seat_distances(Anchors(rules, 0, spaces), race_model().network)[:, 0]
    assert distances[0] < MAX_DISTANCE
    assert distances[3] == MAX_DISTANCE


def test_a_stop_that_wins_is_worth_exactly_one() -> None:
    position = Position.parse("v1,players=2 2:3,12:3/8:5 1 7:13 -")
    turn = solve_turn(position, race_model())
    assert turn.value(position) == turn.stop_value(position) == 1.0


def scatter(*exactly: float) -> np.ndarray:
    """Certain turns for whole distances: a row for each part of a turn."""
    rows = np.zeros((len(exactly) * RESOLUTION, 30))
    for row in range(len(rows)):
        rows[row, : row // RESOLUTION] = 1.0
    return rows


def test_with_certain_turns_the_nearer_seat_wins_and_of_equals_the_one_to_move() -> None:
    later = scatter(0, 1, 2, 3, 4)
    duels = duel_chances(later)
    for mine, other in product((1, 2, 3), repeat=2):
        distances = np.array([[mine], [other]], float)
        worth = np.empty((1, 2))
        evaluate_duel(duels, distances, 0, worth)
        assert worth.tolist() == [[float(mine <= other), float(mine > other)]]
        evaluate_duel(duels, distances, 1, worth)
        assert worth.tolist() == [[float(mine < other), float(mine >= other)]]


def test_two_seats_share_the_wins_as_in_a_duel() -> None:
    later = race_model().survival
    distances = np.random.default_rng(1).integers(RESOLUTION, 10 * RESOLUTION, (2, 60)) / RESOLUTION
    for first in (0, 1):
        duel, shared = np.empty((60, 2)), np.empty((60, 2))
        evaluate_duel(duel_chances(later), distances, first, duel)
        evaluate_race(later, distances, first, shared)
        np.testing.assert_allclose(duel, shared, atol=1e-6)


@pytest.mark.parametrize("seats", [3, 4])
def test_more_seats_share_the_wins_as_their_turns_say(seats: int) -> None:
    later = race_model().survival
    dice = np.random.default_rng(seats)
    distances = dice.uniform(0, 12, (seats, 400))  # the others are nowhere twice
    distances[:, 100:200] = distances[:, [100]]  # and here always at the same place,
    distances[seats - 1, 100:200] = dice.uniform(0, 12, 100)  # but for the one who has played
    worth = np.empty((400, seats))
    evaluate_race(later, distances, 0, worth)
    scale = np.arange(len(later)) / RESOLUTION
    for row in range(400):
        alone = [
            np.interp(d, scale, later[:, t])
            for d in distances[:, row]
            for t in range(later.shape[1])
        ]
        after = np.array(alone).reshape(seats, -1)
        before = np.hstack([np.ones((seats, 1)), after[:, :-1]])
        for seat in range(seats):
            earlier, behind = after[:seat].prod(axis=0), before[seat + 1 :].prod(axis=0)
            wins = ((before[seat] - after[seat]) * earlier * behind).sum()
            assert worth[row, seat] == pytest.approx(wins, abs=1e-7)
