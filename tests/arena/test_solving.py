"""Turn-solving bots in compiled code: event for event what they play by the rules."""

from typing import Any

import numpy as np
import pytest

from cantstop.arena.advance import BUSTED, MOVED, STOPPED
from cantstop.arena.checkpoint import Totals
from cantstop.arena.plan import seatings_of
from cantstop.arena.reference import ReferenceGames
from cantstop.arena.solving import SolvingGames
from cantstop.bots import Bot, Decisions, any_bot
from cantstop.bots.compiled import compiled_forms
from cantstop.bots.expert import ExpertBot
from cantstop.bots.judgement import Judgement, JudgingBot
from cantstop.engine import Evaluator, best_evaluator, race_model, solve_turn
from cantstop.engine.compiled import TurnSolver
from cantstop.kernel.records import to_record
from cantstop.rules import Board, Move, Phase, Position, Rules, Sharing, Start, ways

SEED = 11
SMALL = Board((1, 3, 5, 3, 1))
TIMID = JudgingBot("timid", Judgement(person=7, misjudgement=0.2, boldness=-0.2, middle=0.1))

GAMES: list[tuple[Rules, list[Any]]] = [
    (Rules(), ["champion", "expert"]),
    (Rules(), ["champion", TIMID]),
    (Rules(early=True, sharing=Sharing.NO_REST), ["champion", "rule-of-28"]),
    (Rules(columns_to_win=5, sharing=Sharing.LEAPFROG), ["expert", "champion"]),
    (Rules(3, 4, early=True, sharing=Sharing.LEAPFROG), ["champion", "expert", "random:3"]),
    (Rules(3, 3, sharing=Sharing.NO_REST), ["glenn-linear", "champion", "expert"]),
    (Rules(4, 3, start=Start.ROLL_OFF), ["champion", "expert", "careful", TIMID]),
    (Rules(players=1), ["champion"]),
    (Rules(1, 5), ["expert"]),
    (Rules(2, 2, board=SMALL), ["champion", "expert"]),
    (Rules(2, 2, sharing=Sharing.NO_REST, board=SMALL), ["champion", "bold"]),
    (Rules(3, 1, board=Board.stepped(4, 1, 2)), ["champion", "max-expected-progress", "expert"]),
    (Rules(4, 2, sharing=Sharing.LEAPFROG, board=SMALL), ["expert", "champion", "bold", TIMID]),
    (Rules(3, 2, board=Board((1, 1, 1), runners=1)), ["champion", "expert", "bold"]),
]

Event = tuple[int, int, tuple[int, ...], int]


class Recorder(Bot):
    """Writes down what a bot decides."""

    name = "recorder"

    def __init__(self, bot: Decisions, into: list[Event]) -> None:
        self._bot, self._into = bot, into

    def choose(self, position: Position, moves: int) -> Move:
        move = self._bot.choose(position, moves)
        index = position.legal_moves.index(move)
        dice = tuple(sorted(position.dice or ()))
        self._into.append((position.seat, MOVED, dice, index))
        return move

    def stop(self, position: Position, moves: int) -> bool:
        stops = self._bot.stop(position, moves)
        if stops:
            self._into.append((position.seat, STOPPED, (), 0))
        return stops

    def drawing_from(self, streams: Any) -> "Recorder":
        assert isinstance(self._bot, Bot)
        return Recorder(self._bot.drawing_from(streams), self._into)


def bots_of(bots: list[Any]) -> list[Bot]:
    return [any_bot(bot) if isinstance(bot, str) else bot for bot in bots]


def solving(rules: Rules, bots: list[Any], control: bool = False, events: int = 0) -> SolvingGames:
    forms = compiled_forms(bots_of(bots))
    assert forms is not None
    return SolvingGames(rules, forms, SEED, control=control, events=events)


def names_of(bots: list[Any]) -> list[str]:
    return [bot.name for bot in bots_of(bots)]


@pytest.mark.parametrize(("rules", "bots"), GAMES, ids=lambda value: str(value)[:60])
def test_the_same_games_event_for_event(rules: Rules, bots: list[Any]) -> None:
    games, expected = solving(rules, bots, events=5000), list[Event]()
    recorded = [Recorder(bot, expected) for bot in bots_of(bots)]
    reference, seatings = ReferenceGames(rules, recorded, SEED), seatings_of(names_of(bots))
    rolls = list(ways(rules.board.sides, 4))
    for game in range(min(4, len(seatings.bots) + 1)):
        expected.clear()
        games.table.trace.length[0] = 0
        due = reference.play(seatings, game, game + 1)
        assert games.play(seatings, game, game + 1) == due
        followed = games.table.trace.events[: games.table.trace.length[0]].tolist()
        busts = sum(what == BUSTED for _, what, _, _ in followed)
        assert busts == due.count("busts")
        assert [
            (seat, what, rolls[roll] if what == MOVED else (), move)
            for seat, what, roll, move in followed
            if what != BUSTED
        ] == expected


EVALUATED = [
    "v1,players=2 2:1,7:4/6:9,8:3,12:2 2 - -",
    "v1,players=2,win=5,early 2:1,7:13/6:9,8:11,12:2 1 - -",
    "v1,players=2,sharing=no-rest 7:4,8:3/6:11,7:6,8:4 1 - -",
    "v1,players=2,sharing=leapfrog 7:4,8:3/6:11,7:6,8:4 1 - -",
    "v1,players=3 7:4,8:3/6:11,7:6,8:4/2:2,5:5,9:9 3 - -",
    "v1,players=3,sharing=leapfrog,win=4 7:4,8:3/6:11,7:6,8:4/2:2,7:5,9:9 1 - -",
    "v1,players=4,sharing=no-rest,early 7:4/6:11,7:6/2:2,5:5/3:1,8:11,12:3 4 - -",
]


@pytest.mark.parametrize("text", EVALUATED)
@pytest.mark.parametrize("evaluator", [best_evaluator, lambda _: race_model()])
def test_turns_have_the_values_of_the_turn_solver(text: str, evaluator: Any) -> None:
    position = Position.parse(text)
    model: Evaluator = evaluator(position.rules)
    turn = solve_turn(position, model)
    due = {name: np.frombuffer(data) for name, data in turn.state_numbers().items()}
    found = TurnSolver(position.rules, model).solve(to_record(position, 0), np.zeros(1, np.int64))
    assert found.bust == pytest.approx(turn.bust_value, abs=1e-6)
    # the module does not fuse multiplications, as Numba does
    for name, values in due.items():
        mine = getattr(found.values, name)[: len(values)]
        np.testing.assert_allclose(mine, values, rtol=0, atol=1e-6)


def test_an_evaluator_of_ones_own_has_no_compiled_form() -> None:
    assert compiled_forms([ExpertBot(evaluator=race_model())]) is None
    with pytest.raises(TypeError, match="Evaluator has no compiled form"):
        TurnSolver(Rules(), type("Evaluator", (Evaluator,), {})())


def test_games_of_a_part_are_the_same_as_in_the_whole() -> None:
    rules, bots = Rules(2, 2, board=SMALL), ["champion", "bold"]
    parts, seatings = Totals(), seatings_of(bots)
    for first, last in [(6, 20), (0, 6), (20, 31)]:
        parts.add(solving(rules, bots, control=True).play(seatings, first, last))
    assert parts == solving(rules, bots, control=True).play(seatings, 0, 31)


@pytest.mark.parametrize(
    ("rules", "bots", "games"),
    [
        (Rules(), ["champion", "expert"], 2),
        (Rules(sharing=Sharing.NO_REST), ["careful", "champion"], 1),
        (Rules(2, 2, board=SMALL), ["expert", "bold"], 6),
        (Rules(3, 2, board=SMALL), ["expert", "bold", "champion"], 6),
    ],
    ids=str,
)
def test_luck_is_what_the_turn_solver_says(rules: Rules, bots: list[str], games: int) -> None:
    reference = ReferenceGames(rules, bots_of(bots), SEED, control=True)
    mine = solving(rules, bots, control=True)
    seatings = seatings_of(bots)
    for game in range(games):
        due = reference.play(seatings, game, game + 1)
        assert mine.play(seatings, game, game + 1) == due
        # the reference asks the module, which rounds otherwise than Numba, at every roll of a game
        assert mine.table.luck.tolist() == pytest.approx(reference.luck.tolist(), abs=1e-5)


def test_luck_of_a_roll_is_zero_on_average_by_brute_force() -> None:
    rules = Rules(2, 2, board=SMALL)
    position = Position.initial(rules)
    turn = solve_turn(position, best_evaluator(rules))
    for _ in range(3):
        mean = sum(
            float(chance.probability) * turn.value(position.roll(chance.dice))
            for chance in position.chances
        )
        assert mean == pytest.approx(turn.roll_value(position), abs=1e-12)
        rolled = position.roll((1, 2, 3, 3))
        assert rolled.phase is Phase.MOVE
        position = rolled.move(rolled.legal_moves[0])
