"""The OpenSpiel game: the library's own simulation test, chance nodes, and a playthrough.

``python tools/rl_playthrough.py`` rewrites the playthrough; look at the diff.
"""

from pathlib import Path
from typing import Any

import pyspiel
import pytest
from open_spiel.python.algorithms import expected_game_score
from open_spiel.python.policy import UniformRandomPolicy

from cantstop.rl import load_game
from cantstop.rules import CantStopError, IllegalAction, Rules
from rl_playthrough import FILE, GAMES, playthrough

RULES = (
    "players=1",
    "players=2",
    "players=3",
    "players=4",
    "players=2,win=5,start=roll-off",
    "players=2,early",
    "players=3,sharing=no-rest",
    "players=4,sharing=leapfrog",
    "players=1,win=2,lengths=1.2.3.2.1",
    "players=2,win=5,lengths=1.2.3.2.1,runners=2",
)


@pytest.mark.parametrize("rules", RULES)
def test_random_games_pass_and_are_the_same_after_serialisation(rules: str) -> None:
    pyspiel.random_sim_test(load_game(rules), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("rules", RULES)
def test_the_string_of_a_game_says_everything(rules: str) -> None:
    game = load_game(rules, max_turns=77)
    again: Any = pyspiel.load_game(str(game))
    assert again.rules == Rules.parse(rules)
    assert again.max_turns == 77
    assert str(again) == str(game)


def test_a_state_comes_back_from_its_text() -> None:
    game = load_game("players=3,start=roll-off")
    state = game.new_initial_state()
    for _ in range(40):
        outcomes = state.chance_outcomes() if state.is_chance_node() else None
        state.apply_action(outcomes[-1][0] if outcomes else state.legal_actions()[0])
    text = pyspiel.serialize_game_and_state(game, state)
    _, again = pyspiel.deserialize_game_and_state(text)
    assert str(again) == str(state)
    assert again.history() == state.history()


def test_chance_nodes_have_the_probabilities_of_four_dice() -> None:
    state = load_game().new_initial_state()
    outcomes = dict(state.chance_outcomes())
    texts = {state.action_to_string(-1, number): chance for number, chance in outcomes.items()}
    assert len(texts) == 126
    assert texts["6666"] == pytest.approx(1 / 1296)
    assert texts["1234"] == pytest.approx(24 / 1296)
    assert sum(texts.values()) == pytest.approx(1)


def test_a_tiny_game_has_the_value_that_its_tree_has() -> None:
    # The only runner is on a top after the first move: to stop wins, and every roll is a bust,
    # with which the game is given up after one turn. A player who decides by a coin has half.
    game = load_game("players=2,win=1,lengths=1.1.1,runners=1", max_turns=1)
    policy = UniformRandomPolicy(game)
    score = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    assert score == pytest.approx([0.5, -0.5])


@pytest.mark.parametrize("name", GAMES)
def test_the_playthrough_is_what_it_was(name: str) -> None:
    path = Path(str(FILE).format(name=name))
    assert path.read_text("utf-8").splitlines() == playthrough(name).splitlines()


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ("sharing=nothing", "it is one of: free, no-rest, leapfrog"),
        ("start=late", "it is one of: first-seat, roll-off, youngest"),
        ("lengths=1_x_1", "“x”, which is not a whole number"),
        ("players=9", "for 1 to 4 players"),
        ("max_turns=0", "max_turns is at least 1"),
    ],
)
def test_parameters_that_cannot_be_get_a_sentence(parameters: str, sentence: str) -> None:
    with pytest.raises(CantStopError, match=sentence):
        pyspiel.load_game(f"python_cantstop({parameters})")


def test_a_roll_that_there_is_not_gets_a_sentence() -> None:
    state = load_game("players=2").new_initial_state()
    with pytest.raises(IllegalAction, match="they are numbered from 0 to 125"):
        state.apply_action(126)
