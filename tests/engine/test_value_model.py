"""The value networks as an evaluator, against arithmetic by the book, whatever the weights are."""

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import exp
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from cantstop.engine import (
    Anchors,
    EstimateError,
    Evaluator,
    ValueModel,
    best_evaluator,
    hint,
    race_model,
    solo_model,
    solve_turn,
    value_model,
)
from cantstop.engine.evaluators.errors import Stage, stage_of
from cantstop.engine.evaluators.value.file import weights_of, write_networks
from cantstop.engine.evaluators.value.model import read_value_model
from cantstop.engine.evaluators.value.network import (
    CHUNK,
    FINEST,
    PAIR_FIRST,
    SEAT,
    SQUARE_GRAIN,
    SQUARE_LIMIT,
    Weights,
    evaluate,
    round_hidden,
)
from cantstop.engine.evaluators.value.packed import DEEP, FAMILIES, Family
from cantstop.engine.evaluators.value.sums import BLOCK
from cantstop.rules import OFFICIAL, Board, InvalidRules, Phase, Position, Rules, Sharing
from engine.random_positions import random_positions
from engine.truth import Truth, turn_positions
from engine.value_networks import random_weights, write_random

GAMES = [rules for family in FAMILIES for rules in family.rule_sets]
LENGTHS = OFFICIAL.lengths
HALVES = (0, np.inf), (-np.inf, 0)
NOTES = {
    "errors": {
        "v1,players=2": {
            "all": {"rms": 1.0, "within_99": 3.0},
            "opening": {"rms": 0.25, "within_99": 0.75, "positions": 4000},
            "end": {"rms": 0.5, "within_99": 2},
        }
    }
}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> ValueModel:
    return read_value_model(write_random(tmp_path_factory.mktemp("value") / "random.bin", NOTES))


def anchors_of(rules: Rules, count: int, seed: int) -> Anchors:
    """Tokens anywhere, with up to all columns but one won, none of the games over."""
    dice = random.Random(seed)
    rows = []
    for _ in range(count):
        row = [[dice.randrange(length) for length in LENGTHS] for _ in range(rules.players)]
        most = min(rules.players * (rules.columns_to_win - 1), len(LENGTHS) - 1)
        for turn, column in enumerate(dice.sample(range(len(LENGTHS)), dice.randint(0, most))):
            for tokens in row:
                tokens[column] = 0
            row[turn % rules.players][column] = LENGTHS[column]
        rows.append(row)
    return Anchors(rules, dice.randrange(rules.players), np.array(rows, np.int8))


def by_the_book(weights: Weights, rules: Rules, seat: int, tokens: list[list[int]]) -> list[float]:
    """Every seat's chance in one anchor: each column looked up, each layer added up."""
    seats = [(seat + place) % rules.players for place in range(rules.players)]
    won = [sum(map(int.__eq__, tokens[at], LENGTHS)) for at in seats]
    needs = [rules.columns_to_win - columns for columns in won]

    def left(at: int, column: int) -> int:
        closed = any(tokens[other][column] == LENGTHS[column] for other in seats)
        return 0 if closed else LENGTHS[column] - tokens[seats[at]][column]

    first = np.zeros(weights.units)
    for mirrored in (False, True):
        total = weights.early.astype(float) if rules.early else np.zeros(weights.units)
        for couple, (one, other) in enumerate(combinations(range(rules.players), 2)):
            for column in range(len(LENGTHS)):
                place = len(LENGTHS) - 1 - column if mirrored else column
                row = left(one, column) * (LENGTHS[place] + 1) + left(other, column)
                total = total + weights.pairs[couple, PAIR_FIRST[place] + row]
            total = total + weights.needs[couple, (needs[one] - 1) * 5 + needs[other] - 1]
        squares = np.clip(total, 0, 8 - 2**-10) ** 2
        first += np.floor(squares * 512 + 0.5) / 512
    deep = np.maximum(weights.hidden @ first + weights.hidden_bias, 0)
    logits = (weights.out @ deep + weights.out_bias).tolist()
    if rules.players == 2:
        mover = 1 / (1 + exp(-logits[0]))
        shares = [mover, 1 - mover]
    else:
        shares = [exp(logit) / sum(map(exp, logits)) for logit in logits]
    return [shares[(at - seat) % rules.players] for at in range(rules.players)]


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_anchors_are_worth_what_the_networks_arithmetic_gives(
    rules: Rules, model: ValueModel
) -> None:
    weights = weights_of(model.networks[Family(rules.players, rules.sharing).name])
    anchors = anchors_of(rules, 2 * BLOCK + 17, seed=rules.columns_to_win)
    worth = model.evaluate(anchors)
    np.testing.assert_allclose(worth.sum(axis=1), 1, atol=1e-12)
    for row in range(0, len(anchors), 5):
        tokens = anchors.spaces[row].tolist()
        assert worth[row] == pytest.approx(
            by_the_book(weights, rules, anchors.seat, tokens), abs=2e-6
        )


def plain_anchors(anchors: Anchors) -> np.ndarray:
    """Anchors as the training code writes them."""
    rules = anchors.rules
    spaces = np.roll(anchors.spaces.astype(int), -anchors.seat, axis=1)
    won = spaces == np.array(LENGTHS)
    left = np.where(won.any(axis=1, keepdims=True), 0, np.array(LENGTHS) - spaces)
    needs = rules.columns_to_win - won.sum(axis=2, keepdims=True)
    return np.concatenate([left, needs], axis=2).reshape(-1, rules.players * SEAT).astype(np.int8)


@pytest.mark.parametrize("units", [8, 64, 72])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_networks_of_any_width_agree_with_the_plain_reference(
    players: int, units: int, tmp_path: Path
) -> None:
    model = read_value_model(write_random(tmp_path / "random.bin", units=units))
    for sharing, early in product(Sharing, (False, True)):
        rules = Rules(players, 4, early, sharing)
        anchors = anchors_of(rules, 300, seed=units)
        weights = weights_of(model.networks[Family(players, sharing).name])
        plain = evaluate(weights, plain_anchors(anchors), early)
        expected = np.roll(plain, anchors.seat, axis=1)
        np.testing.assert_allclose(model.evaluate(anchors), expected, atol=5e-6)


class Plain(Evaluator):
    """A network by the plain reference, asked about the ends of a turn by the module."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights

    def evaluate(self, anchors: Anchors) -> NDArray[np.float64]:
        found = evaluate(self._weights, plain_anchors(anchors), anchors.rules.early)
        return np.roll(found, anchors.seat, axis=1)

    def error(self, position: Position) -> EstimateError | None:
        return value_model().error(position)


@pytest.mark.parametrize("units", [8, 40, 72])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_modules_whole_numbers_find_what_the_plain_reference_says(
    players: int, units: int, tmp_path: Path
) -> None:
    """Each width has positions of its own; a turn from there has 50,000 states or more."""
    model = read_value_model(write_random(tmp_path / "random.bin", units=units))
    for sharing, early in ((Sharing.FREE, False), (Sharing.LEAPFROG, True)):
        rules = Rules(players, 4, early, sharing)
        plain = Plain(weights_of(model.networks[Family(players, sharing).name]))
        for position in random_positions(rules, 1, seed=units):
            found, expected = (
                np.frombuffer(solve_turn(position, evaluator).state_numbers()["value"])
                for evaluator in (model, plain)
            )
            np.testing.assert_allclose(found, expected, atol=5e-6)


def test_sums_beyond_the_limit_count_as_the_limit(tmp_path: Path) -> None:
    weights = random_weights(2, seed=1)
    large = replace(weights, early=np.full_like(weights.early, 31.9), needs=weights.needs + 20)
    networks = {family.name: random_weights(family.players, seed=1) for family in FAMILIES}
    write_networks(tmp_path / "large.bin", {**networks, "2-free": large.rounded()}, {})
    model = read_value_model(tmp_path / "large.bin")
    rules = Rules(2, early=True)
    weights = weights_of(model.networks[Family(2, Sharing.FREE).name])
    unlimited = replace(weights, early=weights.early - 10)
    for position in random_positions(rules, 3, seed=1):
        found, expected, other = (
            np.frombuffer(solve_turn(position, evaluator).state_numbers()["value"])
            for evaluator in (model, Plain(weights), Plain(unlimited))
        )
        np.testing.assert_allclose(found, expected, atol=5e-6)
        np.testing.assert_allclose(found, other, atol=5e-6)


@pytest.mark.parametrize("units", [8, 40, 64])
@pytest.mark.parametrize("size", [1e-6, 0.01, 0.3, 40.0])
def test_weights_are_the_finest_whole_numbers_whose_sums_cannot_overflow(
    units: int, size: float
) -> None:
    given = np.random.default_rng(units).standard_normal((DEEP, units)).astype(np.float32) * size
    given = given.astype(np.float32)
    hidden, grain = given.copy(), np.empty(DEEP)
    round_hidden(hidden, grain)
    whole = hidden / grain[:, None]
    assert (whole == np.rint(whole)).all()
    assert np.abs(whole).max() < 2**15
    assert np.abs(hidden - given).max(axis=1) == pytest.approx(0, abs=0.5 * grain.max())
    limit = SQUARE_LIMIT / SQUARE_GRAIN
    for row, one_grain in zip(whole, grain, strict=True):
        chunks = [row[at : at + CHUNK] for at in range(0, units, CHUNK)]
        most = max(abs(np.clip(part, *way).sum()) for part in chunks for way in HALVES)
        assert most * limit < 2**31
        finest = np.abs(row).max() * 2 >= 2**15 - 2 or most * limit * 2 >= 2**31 - 2**22
        assert finest or one_grain == FINEST


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_rounding_changes_little_of_what_the_networks_are_off_by(family: Family) -> None:
    """The errors were measured without it; a tenth, squared, is not seen in their digits."""
    network = value_model().networks[family.name]
    weights = weights_of(network)
    raw = np.frombuffer(network.arrays()["hidden"], "<f4").reshape(weights.hidden.shape)
    rules = Rules(family.players, 3, early=False, sharing=family.sharing)
    spaces = [
        [tokens[2:] for tokens in position.tokens.spaces]
        for position in random_positions(rules, 300, seed=8)
    ]
    anchors = plain_anchors(Anchors(rules, 0, np.array(spaces, np.int8)))
    before = evaluate(replace(weights, hidden=raw), anchors, early=False, rounded=False)
    change = evaluate(weights, anchors, early=False) - before
    stated = value_model().errors.figures[rules]["all"].rms
    assert np.sqrt(np.square(change).mean()) < 0.1 * stated


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_an_anchor_is_worth_the_same_whatever_is_asked_before_it(
    rules: Rules, model: ValueModel
) -> None:
    anchors = anchors_of(rules, 200, seed=5)
    together = model.evaluate(anchors)
    for row in range(0, 200, 13):
        alone = Anchors(rules, anchors.seat, anchors.spaces[row : row + 1])
        assert model.evaluate(alone).tolist() == together[row : row + 1].tolist()


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_a_mirrored_board_is_worth_exactly_the_same(rules: Rules, model: ValueModel) -> None:
    anchors = anchors_of(rules, 200, seed=6)
    mirrored = Anchors(rules, anchors.seat, anchors.spaces[:, :, ::-1])
    assert model.evaluate(mirrored).tolist() == model.evaluate(anchors).tolist()


def test_seats_are_counted_from_the_one_to_move(model: ValueModel) -> None:
    anchors = anchors_of(Rules(4), 50, seed=7)
    seat = (anchors.seat + 1) % 4
    turned = Anchors(anchors.rules, seat, np.roll(anchors.spaces, 1, axis=1))
    assert model.evaluate(turned).tolist() == np.roll(model.evaluate(anchors), 1, axis=1).tolist()


def test_W5_the_last_open_column_decides_and_anchors_before_it_are_known(model: ValueModel) -> None:
    position = Position.parse(
        "v1,players=4,win=5 2:3,3:5,4:7/5:9,6:11,7:12/7:5,8:11,9:9/7:4,10:7,11:5,12:3 2 - -"
    )
    turn = solve_turn(position, model)
    assert 0 < turn.bust_value < 1
    won = Position.parse(f"{str(position).rsplit(' ', 2)[0]} 7:13 -")
    assert turn.stop_value(won) == pytest.approx(1 / 3)  # three have three columns, and share


@cache
def ended(weights: Weights, position: Position, seat: int) -> Fraction:
    """What the end of a turn is worth to a seat, by the book."""
    if position.outcome is not None:
        winners = position.outcome.winners
        return Fraction(int(seat in winners), len(winners))
    tokens = [list(spaces[2:]) for spaces in position.tokens.spaces]
    return Fraction(by_the_book(weights, position.rules, position.seat, tokens)[seat])


@pytest.mark.parametrize(
    "text",
    [
        "v1,players=2 2:2,3:5,7:11,8:11,12:2/6:11,7:10,9:9,10:6 1 2:3,7:12 -",
        "v1,players=2,win=4,early 2:3,3:5,4:6,12:3/5:9,6:11,7:12,8:11 2 7:13 -",
        "v1,players=2,sharing=leapfrog 2:3,6:10,7:9,11:4/7:11,8:11,10:7 1 6:11,7:10 -",
        "v1,players=3,sharing=no-rest 2:3,6:10/4:7,7:12,8:11/7:11,9:8,10:7 3 7:13,9:9 -",
        "v1,players=4,win=5 2:3,3:5,4:7/5:9,6:11,7:12/7:5,8:11,9:9/7:4,10:7,11:5,12:3 2 - -",
    ],
)
def test_solved_turns_equal_a_plain_recursion_over_the_rules(text: str, model: ValueModel) -> None:
    position = Position.parse(text)
    rules, seat = position.rules, position.seat
    weights = weights_of(model.networks[Family(rules.players, rules.sharing).name])
    truth = Truth(lambda end: ended(weights, end, seat))
    turn = solve_turn(position, model)
    assert turn.value(position) == pytest.approx(float(truth.value(position)), abs=2e-6)
    for at in sorted(turn_positions(position), key=str)[::25]:
        assert turn.value(at) == pytest.approx(float(truth.value(at)), abs=2e-6)
        if at.phase is Phase.CHOICE and at.may_stop:
            assert turn.stop_value(at) == pytest.approx(float(truth.stop_value(at)), abs=2e-6)


def test_games_that_no_network_knows_are_refused(model: ValueModel) -> None:
    short = Rules(board=Board.stepped(sides=6, shortest=2))
    for rules in (Rules(1), Rules(2, 2), Rules(3, 6), short):
        spaces = np.zeros((1, rules.players, len(rules.board.lengths)), np.int8)
        with pytest.raises(InvalidRules, match="do not know this game"):
            model.evaluate(Anchors(rules, 0, spaces))


def test_the_best_evaluator_is_the_networks_where_they_know_the_game_else_the_race_model() -> None:
    for rules in GAMES:
        assert best_evaluator(rules) is value_model()
    assert best_evaluator(Rules(1)) is solo_model()
    short = Board.stepped(sides=6, shortest=2)
    for rules in (Rules(1, 4), Rules(2, 2), Rules(3, 6), Rules(board=short), Rules(1, board=short)):
        assert best_evaluator(rules) is race_model()


@pytest.mark.parametrize(
    ("tokens", "stage"),
    [
        ("-/6:5", Stage.OPENING),
        ("2:3/6:5", Stage.MIDDLE),
        ("2:3/12:3", Stage.MIDDLE),
        ("2:3/3:5,6:5,12:3", Stage.END),
    ],
)
def test_the_stage_of_a_game_is_told_by_the_columns_won(tokens: str, stage: Stage) -> None:
    assert stage_of(Position.parse(f"v1,players=2 {tokens} 1 7:1 -")) is stage


def test_a_hint_says_how_far_its_values_are_from_the_truth_as_measured(model: ValueModel) -> None:
    opening = hint(Position.parse("v1,players=2 -/6:5 1 - -"), model).error
    end = hint(Position.parse("v1,players=2,start=roll-off -/2:3,12:3 1 6:1,7:1 -"), model).error
    assert opening is not None
    assert (opening.rms, opening.within_99) == (0.0025, 0.0075)
    assert end is not None
    assert (end.rms, end.within_99) == (0.005, 0.02)


def test_a_stage_that_was_not_measured_has_the_error_of_the_whole_game(model: ValueModel) -> None:
    middle = model.error(Position.parse("v1,players=2 2:3/6:5 1 - -"))
    assert middle is not None
    assert (middle.rms, middle.within_99) == (0.01, 0.03)


def test_where_nothing_was_measured_nothing_is_said(model: ValueModel) -> None:
    assert model.error(Position.parse("v1,players=3 -/-/- 1 - -")) is None
    small = Position.parse("v1,players=2,lengths=1.3.5.3.1 -/- 1 - -")
    assert race_model().error(small) is None
