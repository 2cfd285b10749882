"""The PettingZoo environment: the library's own tests, and what it does with illegal actions."""

import warnings
from typing import Any

import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.conversions import aec_to_parallel

from cantstop import IllegalAction, InvalidRules
from cantstop.rl import cantstop_v0

RULES = (
    "players=1",
    "players=2",
    "players=3",
    "players=4",
    "players=2,win=5,start=roll-off",
    "players=2,early",
    "players=3,sharing=no-rest",
    "players=4,sharing=leapfrog",
)


@pytest.mark.parametrize("rules", RULES)
def test_the_api_test_passes(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        api_test(cantstop_v0.env(rules), num_cycles=200)
    assert "Passed API test" in capsys.readouterr().out
    # every environment with an action mask hears these
    usual = (
        "Observation is not a NumPy array",
        "Observation space for each agent probably",
        "Action mask numpy array is all zeros",
    )
    strange = [str(one.message) for one in said if not str(one.message).startswith(usual)]
    assert strange == []


@pytest.mark.parametrize("rules", RULES)
def test_the_seed_test_passes(rules: str) -> None:
    seed_test(lambda: cantstop_v0.env(rules), num_cycles=100)


def test_the_seed_test_finds_dice_that_do_not_repeat() -> None:
    class Forgetful(cantstop_v0.raw_env):
        def reset(self, seed: int | None = None, options: Any = None) -> None:  # noqa: ARG002
            super().reset(None, options)

    with pytest.raises(AssertionError):
        seed_test(Forgetful, num_cycles=100)


def test_an_illegal_action_is_refused_and_the_usual_wrapper_ends_the_game() -> None:
    env: Any = cantstop_v0.raw_env()
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match="There are dice on the table already"):
        env.step(77)
    wrapped: Any = cantstop_v0.env()
    wrapped.reset(seed=1)
    wrapped.last()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wrapped.step(77)
    assert wrapped.terminations == {"player_0": True, "player_1": True}
    assert wrapped.rewards["player_0"] == -1


def test_a_game_that_goes_on_for_too_long_is_truncated() -> None:
    env: Any = cantstop_v0.env("players=2", max_turns=4)
    env.reset(seed=1)
    for _ in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if truncated:
            break
        env.step(int(observation["action_mask"].argmax()))
    assert truncated
    assert not terminated
    assert env.unwrapped.episode.turns == 4


def test_the_board_is_shown_as_text() -> None:
    env: Any = cantstop_v0.env(render_mode="ansi")
    env.reset(seed=1)
    assert "12" in env.render()


def test_nothing_can_be_done_before_a_game_has_begun() -> None:
    environment = cantstop_v0.raw_env()
    for misuse in (lambda: environment.step(0), lambda: environment.observe("player_0")):
        with pytest.raises(InvalidRules, match="reset the environment first"):
            misuse()


def test_a_parallel_environment_is_refused_since_one_seat_acts_at_a_time() -> None:
    with pytest.raises(AssertionError, match="not generally safe"):
        aec_to_parallel(cantstop_v0.env())
