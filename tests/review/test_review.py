"""A review: every change of the win chances has one cause, and all of them add up."""

import pickle
import random
from collections.abc import Iterator
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import cantstop
from cantstop import (
    Board,
    Game,
    Move,
    Moved,
    Phase,
    Position,
    Rolled,
    Rules,
    Sharing,
    Start,
    read_record,
)
from cantstop.bots import bot_named, decide
from cantstop.engine import (
    EXACT,
    Anchors,
    EstimateError,
    Evaluator,
    best_evaluator,
    solve_turn,
)
from cantstop.language import Translator
from cantstop.review import WIN_CHANCE, Grade, Question, Reviewer, review
from cantstop.review.text import review_text
from cantstop.rules import Choice
from cantstop.solver import TableEvaluator, solve_game

GOLDEN = Path(__file__).parents[1] / "golden"
SMALL = Board((1, 2, 3, 2, 1))
GAMES = [
    Rules(),
    Rules(players=3, sharing=Sharing.NO_REST, start=Start.YOUNGEST),
    Rules(players=4, sharing=Sharing.LEAPFROG, start=Start.ROLL_OFF),
    Rules(columns_to_win=5, early=True),
    Rules(players=1),
    Rules(players=1, columns_to_win=2, board=SMALL),
    Rules(players=2, columns_to_win=2, early=True, start=Start.ROLL_OFF, board=SMALL),
    Rules(players=3, columns_to_win=3, sharing=Sharing.LEAPFROG, board=SMALL),
    Rules(players=4, columns_to_win=5, board=Board((1, 1, 1, 1, 1), runners=2)),
]


def play(rules: Rules, seed: int, events: int = 400) -> Game:
    """A game of whoever is at hand, or the beginning of one."""
    dice, game = random.Random(f"{rules} {seed}"), Game(rules)
    bots = [bot_named(dice.choice(["random:1", "careful", "bold"])) for _ in range(rules.players)]
    for _ in range(events):
        if game.outcome is not None:
            break
        match decide(bots[game.seat], game.position, game.moves_in_turn):
            case Choice.STOP:
                game.stop()
            case Choice.ROLL:
                count = game.position.dice_to_roll
                game.roll(tuple(dice.choices(range(1, rules.board.sides + 1), k=count)))
            case move:
                game.move(move)
    return game


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_start_luck_skill_and_drift_add_up_to_the_result(rules: Rules) -> None:
    for seed in range(3):
        game = play(rules, seed)
        found = review(game)
        for seat in found.seats:
            assert abs(seat.start + seat.luck + seat.skill + seat.drift - seat.result) < 1e-9
            squares = sum(change[seat.seat] ** 2 for _, change in found.drifts)
            assert seat.uncertainty == pytest.approx(max(squares**0.5, abs(seat.drift)))
            assert seat.error >= 0
        assert [moment.position for moment in found.moments] == list(game.positions)
        if rules.players > 1 and game.outcome is not None:
            results = [seat.result for seat in found.seats]
            assert [result > 0 for result in results] == [
                seat in game.outcome.winners for seat in range(rules.players)
            ]
            assert sum(results) == pytest.approx(1)
        if rules.players == 1 and game.outcome is not None:
            assert found.seats[0].result == -game.turn


@pytest.mark.parametrize(
    "rules",
    [
        Rules(players=1, columns_to_win=2, board=SMALL),
        Rules(players=2, columns_to_win=2, board=SMALL),
        Rules(players=2, columns_to_win=2, sharing=Sharing.NO_REST, early=True, board=SMALL),
        Rules(players=2, columns_to_win=2, sharing=Sharing.LEAPFROG, board=SMALL),
    ],
    ids=str,
)
def test_with_an_exact_table_nothing_drifts(rules: Rules) -> None:
    exact = TableEvaluator(solve_game(rules).table)
    for seed in range(10):
        found = review(play(rules, seed), exact)
        assert all(seat.uncertainty < 1e-9 for seat in found.seats)
        assert any(roll.luck for roll in found.rolls)


class Arbitrary(Evaluator):
    """Shares by no rule at all: no mistake hides behind smooth values, and nothing ties."""

    def shares(self, spaces: tuple[tuple[int, ...], ...]) -> list[Fraction]:
        dice = random.Random(repr(spaces))
        parts = [dice.randrange(1, 10**6) for _ in spaces]
        return [Fraction(part, sum(parts)) for part in parts]

    def evaluate(self, anchors: Anchors) -> np.ndarray:
        return np.array(
            [self.shares(tuple(map(tuple, row))) for row in anchors.spaces.tolist()], float
        )

    def error(self, position: Position) -> EstimateError:  # noqa: ARG002
        return EXACT


class Truth:
    """Everybody's worth by plain recursion: whoever moves takes what is best for them."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.known: dict[Position, list[Fraction]] = {}

    def ended(self, position: Position) -> list[Fraction]:
        outcome, players = position.outcome, position.rules.players
        if outcome is None:
            return Arbitrary().shares(tuple(spaces[2:] for spaces in position.tokens.spaces))
        share = Fraction(1, len(outcome.winners))
        return [share if seat in outcome.winners else Fraction(0) for seat in range(players)]

    def rolled(self, position: Position) -> list[Fraction]:
        parts = [
            [chance.probability * worth for worth in self.of(position.roll(chance.dice))]
            for chance in position.chances
        ]
        return [sum(column, Fraction(0)) for column in zip(*parts, strict=True)]

    def of(self, position: Position) -> list[Fraction]:
        if position not in self.known:
            self.known[position] = self._of(position)
        return self.known[position]

    def _of(self, position: Position) -> list[Fraction]:
        match position.phase:
            case Phase.MOVE:
                return max(
                    (self.of(position.move(move)) for move in position.legal_moves),
                    key=lambda worths: worths[self.seat],
                )
            case Phase.BUST:
                return self.ended(position.bust())
            case Phase.CHOICE if position.may_stop:
                stop, again = self.ended(position.stop()), self.rolled(position)
                return max(stop, again, key=lambda worths: worths[self.seat])
            case _:
                return self.rolled(position)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybodys_worth_is_that_of_a_plain_recursion(players: int) -> None:
    rules = Rules(players, 2, sharing=Sharing.NO_REST, board=Board((1, 2, 2, 2, 1), runners=2))
    game = play(rules, seed=players)
    anchor = next(one for one in reversed(game.positions) if one.phase is Phase.ROLL)
    truth, turn = Truth(anchor.seat), solve_turn(anchor, Arbitrary())

    def near(worths: tuple[float, ...], due: list[Fraction]) -> bool:
        return all(abs(one - float(other)) < 1e-12 for one, other in zip(worths, due, strict=True))

    for position in positions_of(anchor):
        assert near(turn.worths(position), truth.of(position))
        if position.may_roll:
            assert near(turn.roll_worths(position), truth.rolled(position))
        if position.may_stop:
            assert near(turn.stop_worths(position), truth.ended(position.stop()))


def positions_of(anchor: Position) -> Iterator[Position]:
    seen, waiting = {anchor}, [anchor]
    while waiting:
        position = waiting.pop()
        yield position
        after = [position.move(move) for move in position.legal_moves]
        if position.may_roll:
            after += [position.roll(chance.dice) for chance in position.chances]
        waiting += set(after) - seen
        seen |= set(after)


def test_luck_is_what_the_roll_changed_from_the_mean_over_all_rolls() -> None:
    rules = Rules(columns_to_win=2, board=SMALL)
    found, evaluator = review(play(rules, 5)), best_evaluator(rules)
    for roll in found.rolls:
        before = found.moments[roll.n - 1].position
        anchor = Position(before.tokens, before.seat, rules.board.no_runners)
        turn = solve_turn(anchor, evaluator)
        mean = sum(
            float(chance.probability) * turn.value(before.roll(chance.dice))
            for chance in before.chances
        )
        assert abs(roll.luck - (turn.value(before.roll(roll.dice)) - mean)) < 1e-12


def test_a_blunder_is_named_and_forced_moves_are_no_decisions() -> None:
    # one column short of the game, on the top of the last one: whoever does not stop gives it away
    game = Game.parse("v1,players=2 2:2,3:4,7:13,8:11,12:2/4:7,5:9,6:10 1 2:3,3:5,12:3 -")
    game.roll("3333")
    found = review(game)
    (decision,) = found.decisions
    assert (decision.chosen, decision.best) == (Choice.ROLL, Choice.STOP)
    assert decision.question is Question.PRESS
    assert decision.grade is Grade.BLUNDER
    assert decision.grade_of(decision.options[0]) is Grade.BEST
    assert decision.options[0].worth == 1.0
    assert found.worst_decisions() == (decision,)
    assert found.seats[0].accuracy == pytest.approx(0)


def test_decisions_become_dictionaries_as_tables_of_data_want_them() -> None:
    found = review(Game.replay(Position.initial(), [Rolled((2, 3, 4, 5)), Moved(Move(5, 9))]))
    (row,) = map(asdict, found.decisions)
    assert (row["turn"], row["seat"], row["chosen"]) == (1, 0, (5, 9))
    assert {str(option["action"]) for option in row["options"]} == {"5+9", "6+8", "7+7"}
    assert len(asdict(found)["moments"]) == 3


def test_an_error_within_the_noise_is_not_called_one() -> None:
    assert WIN_CHANCE.grade(0.03, EXACT) is Grade.INACCURACY
    assert WIN_CHANCE.grade(0.039, EstimateError(0.02, 0.05)) is Grade.FINE
    assert WIN_CHANCE.grade(0.041, EstimateError(0.02, 0.05)) is Grade.INACCURACY
    assert WIN_CHANCE.grade(0.0, EXACT) is Grade.BEST
    assert WIN_CHANCE.grade(0.06, None) is Grade.MISTAKE


@pytest.mark.parametrize("file", sorted(GOLDEN.glob("*.cantstop")), ids=lambda file: file.stem)
def test_every_golden_game_can_be_reviewed(file: Path) -> None:
    record = read_record(file.read_text(encoding="utf-8"))
    found = cantstop.review(record)
    assert found.names == record.names
    for seat in found.seats:
        assert abs(seat.start + seat.luck + seat.skill + seat.drift - seat.result) < 1e-9


def test_the_champion_gives_nothing_away() -> None:
    game, dice, champion = Game(), random.Random(4), bot_named("champion")
    while game.outcome is None:
        match decide(champion, game.position, game.moves_in_turn):
            case Choice.STOP:
                game.stop()
            case Choice.ROLL:
                game.roll(tuple(dice.choices(range(1, 7), k=4)))
            case move:
                game.move(move)
    assert all(seat.error < 1e-12 for seat in review(game).seats)


@pytest.mark.parametrize("rules", GAMES[4:8], ids=str)
def test_a_review_that_pauses_and_goes_on_elsewhere_is_the_same(rules: Rules) -> None:
    game = play(rules, 7, 60)
    reviewer, pauses = Reviewer(game), 0
    while not reviewer.run(0.0):
        pauses += 1
        reviewer = pickle.loads(pickle.dumps(reviewer))
    assert pauses == len(game.events) - 1
    assert reviewer.review() == review(game)


def test_a_review_is_short_in_a_shell_and_whole_in_print() -> None:
    game = Game()
    game.roll("2345")
    game.move("5+9")
    game.stop()
    found = review(game)
    assert repr(found) == "<Review v1,players=2 Player 1, Player 2: 2 decisions>"
    assert str(found) == review_text(found, Translator())
