"""What docs/two-players.md tells: how losses are counted, and that its figures are today's."""

import json
import random
from itertools import pairwise
from pathlib import Path

import pytest

from cantstop.engine import best_evaluator, solve_rest, solve_turn
from cantstop.rules import Move, Position, Rules
from research.two_players.advice import ADVICE, StopAtTops
from research.two_players.first_turn import first_position, first_turn, opening_values
from research.two_players.games import Champion, Tally, play_turn, play_with_advice
from research.two_players.pictures import BOARDS

ROOT = Path(__file__).parents[2]
RESULTS = json.loads((ROOT / "research/two_players/results.json").read_text("utf-8"))
PAGE = (ROOT / "docs/two-players.md").read_text("utf-8")
RULES = Rules(2)


class Dice(random.Random):
    """Dice that are given."""

    def __init__(self, *faces: int) -> None:
        super().__init__()
        self.faces = list(faces)

    def randint(self, _a: int, _b: int) -> int:
        return self.faces.pop(0)


class Given:
    """Makes the moves that it is given, then stops."""

    def __init__(self, *moves: Move) -> None:
        self.moves = list(moves)

    def choose(self, *_: object) -> Move:
        return self.moves.pop(0)

    def stop(self, *_: object) -> bool:
        return not self.moves


def test_a_turn_loses_what_its_decisions_are_worse_than_the_best() -> None:
    anchor = Position.initial(RULES)
    turn = solve_turn(anchor, best_evaluator(RULES))
    tally = Tally()
    tally.begin_game()
    after = play_turn(turn, anchor, Given(Move(5, 9)), Dice(2, 3, 4, 5), tally)
    rolled = anchor.roll((2, 3, 4, 5))
    moved = rolled.move(Move(5, 9))
    assert after == moved.stop()
    values = turn.move_values(rolled)
    assert tally.by_moves == [pytest.approx(values[Move(6, 8)] - values[Move(5, 9)])]
    assert tally.by_stops == [pytest.approx(turn.roll_value(moved) - turn.stop_value(moved))]
    assert tally.decisions == 2
    assert tally.lost > 0.05


def test_best_play_loses_nothing_and_scores_half() -> None:
    tally = play_with_advice(Champion(), 4, seed=1)
    assert tally.by_moves == tally.by_stops == [0.0] * 4
    assert sum(tally.scores) / 4 == pytest.approx(0.5, abs=0.1)
    assert tally.decisions > 20


def test_who_stops_at_every_top_does_so() -> None:
    position = Position.parse("v1,players=2 -/2:3,7:12,12:3 1 6:11,8:3 -")
    turn = solve_turn(position, best_evaluator(RULES))
    assert not turn.should_stop(position)
    assert StopAtTops().stop(turn, position, 3)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_openings_are_those_of_the_networks_that_are_shipped(players: int) -> None:
    kept = RESULTS["openings"][str(players)]
    assert opening_values(players) == pytest.approx(kept["values"], abs=1e-4)
    assert all(one >= two for one, two in pairwise(kept["values"].values()))
    start = first_position(players)
    bust = first_turn(players).bust_chance(start)
    assert bust == pytest.approx(kept["first_turn"]["bust"], abs=1e-3)
    assert f"{100 * bust:.0f} %" in PAGE


@pytest.mark.parametrize("name", BOARDS)
def test_the_boards_ask_for_what_the_page_says(name: str) -> None:
    position = Position.parse(BOARDS[name])
    turn = solve_rest(position, best_evaluator(RULES))
    stop, again = (100 * worth(position) for worth in (turn.stop_value, turn.roll_value))
    assert (stop > again) == (name == "two-players-stop")
    assert f'cantstop hint "{position}"' in PAGE
    assert f"{stop:.1f}" in PAGE
    assert f"{again:.1f}" in PAGE


def test_the_page_shows_what_was_found() -> None:
    for name in ADVICE:
        found = RESULTS[f"advice: {name}"]
        assert f"| {found['wins']:.1f} ± {found['wins_interval']:.1f} |" in PAGE
    for players in (2, 3, 4):
        shares = RESULTS["seats"][f"v1,players={players}"]["seats"]
        assert " / ".join(f"{share:.1f}" for share in shares) in PAGE
    assert f"{RESULTS['courage']['turns']:,} turns" in PAGE
