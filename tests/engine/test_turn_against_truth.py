"""The turn solver against brute force, for every variant and one to four players."""

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import inf
from typing import Any

import numpy as np
import pytest

from cantstop.engine import Anchors, solve_rest, solve_turn
from cantstop.rules import Board, IllegalAction, Phase, Position, Rules, Sharing
from engine.truth import Truth, turn_positions

SMALL = (
    Board.stepped(sides=2, shortest=2),
    Board.stepped(sides=2, shortest=2, runners=1),
    Board.stepped(sides=2, shortest=2, runners=2),
    Board((1, 2, 3, 2, 2), runners=2),
    Board((2, 1, 3, 2, 1), runners=3),
    Board((1, 1, 2, 1, 2), runners=4),
    Board((1, 1, 1, 1, 1), runners=5),
)
GAMES = [
    Rules(players, 3 - 2 * (number % 2), early, sharing, board=SMALL[number % len(SMALL)])
    for number, (early, sharing, players, _) in enumerate(
        product((False, True), Sharing, (1, 2, 3, 4), range(2))
    )
]
"""Every variant and player count on two boards each, to one column and to three."""


def worth_to(seat: int, worth: "Arbitrary") -> Callable[[Position], Fraction]:
    """What the end of a turn is worth to a seat."""
    return lambda end: worth.shares(end)[seat]


class Arbitrary:
    """Worth by no rule at all, so that no mistake can hide behind smooth values."""

    def of(self, spaces: tuple[tuple[int, ...], ...], players: int) -> list[Fraction]:
        dice = random.Random(repr(spaces))
        return [Fraction(dice.randrange(1000), 1000) for _ in range(players)]

    def evaluate(self, anchors: Anchors) -> np.ndarray:
        players = anchors.rules.players
        return np.array(
            [self.of(tuple(map(tuple, row)), players) for row in anchors.spaces.tolist()], float
        )

    def shares(self, position: Position) -> list[Fraction]:
        players, outcome = position.rules.players, position.outcome
        if outcome is None:
            return self.of(tuple(spaces[2:] for spaces in position.tokens.spaces), players)
        if players == 1:
            return [Fraction(0)]
        share = Fraction(1, len(outcome.winners))
        return [share if seat in outcome.winners else Fraction(0) for seat in range(players)]


def anchors_of(rules: Rules, seed: int) -> tuple[Position, ...]:
    """An anchor from the middle of a game played at random, and its last one."""
    dice = random.Random(seed)
    position, found = Position.initial(rules), []
    while position.outcome is None:
        if position.phase is Phase.ROLL:
            found.append(position)
        match position.phase:
            case Phase.MOVE:
                position = position.move(dice.choice(position.legal_moves))
            case Phase.BUST:
                position = position.bust()
            case Phase.CHOICE if position.may_stop and dice.random() < 0.5:
                position = position.stop()
            case _:
                position = position.roll(tuple(dice.choices(range(1, rules.board.sides + 1), k=4)))
    return found[len(found) // 2], found[-1]


def near(one: float, other: Fraction) -> bool:
    return abs(one - float(other)) < 1e-12


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_every_decision_of_the_turn_is_the_exact_best(rules: Rules) -> None:
    worth = Arbitrary()
    for anchor in anchors_of(rules, seed=1):
        seat = anchor.seat
        truth = Truth(worth_to(seat, worth))
        turn = solve_turn(anchor, worth)
        for position in turn_positions(anchor):
            assert near(turn.value(position), truth.value(position))
            if position.phase is Phase.CHOICE:
                check_choice(turn, truth, position)
            if position.phase is Phase.MOVE:
                best = turn.best_move(position)
                assert truth.value(position.move(best)) == truth.value(position)


def check_choice(turn: Any, truth: Any, position: Position) -> None:
    assert near(turn.roll_value(position), truth.roll_value(position))
    if position.may_stop:
        assert turn.stop_value(position) == float(truth.stop_value(position))
        assert turn.should_stop(position) == truth.stops(position)
    else:
        assert turn.stop_value(position) == -inf
        assert not turn.should_stop(position)


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_the_outlook_adds_up_to_the_value_and_knows_the_chance_to_bust(rules: Rules) -> None:
    worth = Arbitrary()
    for anchor in anchors_of(rules, seed=2):
        truth = Truth(worth_to(anchor.seat, worth))
        turn = solve_turn(anchor, worth)
        for position in sorted(turn_positions(anchor), key=str)[::20]:
            outlook = turn.outlook(position)
            assert near(outlook.bust, truth.bust_chance(position))
            check_outlook(outlook, anchor, worth, turn.value(position))


def check_outlook(outlook: Any, anchor: Any, worth: Any, value: Any) -> None:
    assert sum(chance for _, chance in outlook.ends) + outlook.bust == pytest.approx(1)
    after_bust = worth.of(tuple(s[2:] for s in anchor.tokens.spaces), anchor.rules.players)
    for seat, share in enumerate(outlook.worth):
        by_hand = outlook.bust * float(after_bust[seat])
        for end, chance in outlook.ends:
            assert end.may_stop
            by_hand += chance * float(worth.shares(end.stop())[seat])
        assert share == pytest.approx(by_hand, abs=1e-12)
    assert outlook.worth[anchor.seat] == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_the_rest_of_a_turn_is_worth_the_same_when_it_is_solved_alone(rules: Rules) -> None:
    worth = Arbitrary()
    anchor, _ = anchors_of(rules, seed=3)
    whole = solve_turn(anchor, worth)
    some = [p for p in turn_positions(anchor) if p.phase in (Phase.MOVE, Phase.CHOICE)]
    for position in sorted(some, key=str)[::40]:
        rest = solve_rest(position, worth)
        assert rest.value(position) == whole.value(position)
        assert rest.bust_chance(position) == pytest.approx(whole.bust_chance(position), abs=1e-12)
        if position.phase is Phase.MOVE:
            assert rest.move_values(position) == whole.move_values(position)
            after = position.move(rest.best_move(position))
            assert rest.should_stop(after) == whole.should_stop(after)


def test_the_rest_of_a_turn_does_not_answer_for_what_cannot_come_any_more() -> None:
    position = Position.parse("v1,players=2 -/- 1 6:1,8:1 -")
    rest = solve_rest(position, Arbitrary())
    assert rest.has(Position.parse("v1,players=2 -/- 1 6:2,8:1,12:3 -"))
    elsewhere = Position.parse("v1,players=2 -/- 1 6:1,7:1 -")
    assert not rest.has(elsewhere)
    with pytest.raises(IllegalAction, match="another turn"):
        rest.value(elsewhere)
