"""The Gymnasium environments: the library's own checker, rewards, masks, regret, odd endings."""

import re
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import cantstop.rl  # noqa: F401  (makes the ids known)
from cantstop import CantStopError, Move, Position
from cantstop.draw import RUNNER_MARK
from cantstop.rl import CantStopVectorEnv, SoloEnv, VersusEnv, encoding_of, results
from cantstop.rules import Choice, Rules
from cantstop.solver import TableEvaluator, solve_on_cpu

ROOT = Path(__file__).parents[2]
SOLO = ["players=1", "players=1,win=5", "players=1,early", "players=1,lengths=1.2.3.2.1"]
VERSUS: list[tuple[Any, str]] = [
    ("careful", "players=2"),
    ("random", "players=3,win=4,start=roll-off"),
    (["careful", "bold", "random:5"], "players=4,sharing=leapfrog"),
    ("careful", "players=2,early,sharing=no-rest"),
]


def made(name: str, **settings: Any) -> Any:
    return gymnasium.make(name, **settings).unwrapped


@pytest.mark.parametrize("rules", SOLO)
def test_gymnasiums_checker_finds_nothing_alone(rules: str) -> None:
    check_env(made("CantStop/Solo-v0", rules=rules))


@pytest.mark.parametrize(("opponents", "rules"), VERSUS)
def test_gymnasiums_checker_finds_nothing_against_bots(opponents: Any, rules: str) -> None:
    check_env(made("CantStop/Versus-v0", opponents=opponents, rules=rules, seat=None))


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
@pytest.mark.parametrize("name", ["CantStop/Solo-v0", "CantStop/Versus-v0"])
def test_gymnasiums_checker_finds_nothing_with_pictures(name: str, mode: str) -> None:
    env = made(name, render_mode=mode)
    assert mode in env.metadata["render_modes"]
    check_env(env)


def test_a_picture_shows_the_runner_where_it_was_put() -> None:
    env = SoloEnv(render_mode="rgb_array")
    _, info = env.reset(seed=7)
    before: Any = env.render()
    assert (before.dtype, before.shape) == (np.uint8, (315, 600, 3))
    runner = np.array(list(bytes.fromhex(RUNNER_MARK.colour[1:])), np.uint8)
    assert not (before == runner).all(2).any()
    chosen = next(
        number for number in np.flatnonzero(info["action_mask"]) if len(set(columns(number))) == 2
    )
    env.step(chosen)
    after: Any = env.render()
    painted = np.flatnonzero((after == runner).all(2).any(0))
    # the columns 2 to 12 stand beside each other around the middle, 7
    for column in columns(chosen):
        where = 300 + (column - 7) * 46
        assert (abs(painted - where) < 23).any(), column


def columns(number: Any) -> tuple[int, ...]:
    action = encoding_of("players=1").actions[number]
    assert isinstance(action, Move)
    return tuple(action)


def test_the_threshold_of_the_solo_game_is_just_below_its_known_optimum() -> None:
    solved = re.search(
        r"known optimum: \*\*([\d.]+) turns", (ROOT / "docs/benchmark.md").read_text("utf-8")
    )
    assert solved is not None
    threshold = gymnasium.spec("CantStop/Solo-v0").reward_threshold
    assert threshold is not None
    assert -float(solved[1]) - 0.05 < threshold < -float(solved[1])
    assert gymnasium.spec("CantStop/Versus-v0").reward_threshold is None


def test_the_checker_finds_what_is_wrong() -> None:
    class Forgetful(SoloEnv):
        def reset(self, *, seed: int | None = None, options: Any = None) -> Any:  # noqa: ARG002
            return super().reset(options=options)

    with pytest.raises(AssertionError, match="seed"):
        check_env(Forgetful())


def test_there_are_79_actions_on_the_official_board() -> None:
    encoding = encoding_of(Rules())
    assert len(encoding.actions) == 79
    assert encoding.actions[:2] == (Move(2), Move(3))
    assert encoding.actions[11:13] == (Move(2, 2), Move(2, 3))
    assert encoding.actions[76:] == (Move(12, 12), Choice.STOP, Choice.ROLL)
    for columns in (3, 7, 39):
        rules = Rules.parse("lengths=" + ".".join(["1"] * columns))
        due = columns + columns * (columns + 1) // 2 + 2
        assert len(encoding_of(rules).actions) == due


def play_first_legal(env: Any, seed: int) -> tuple[float, dict[str, Any]]:
    """Take the first legal move and stop after it: the game's return, and its last info."""
    _, info = env.reset(seed=seed)
    total, done = 0.0, False
    while not done:
        _, reward, terminated, truncated, info = env.step(int(np.argmax(info["action_mask"])))
        total += reward
        done = terminated or truncated
    return total, info


def test_alone_the_return_is_minus_the_turns() -> None:
    env = SoloEnv()
    for seed in range(5):
        total, info = play_first_legal(env, seed)
        assert total == -info["turns"] < -3


def test_against_bots_the_return_is_the_result() -> None:
    env = VersusEnv("random:1", seat=None)
    found = set()
    for seed in range(30):
        total, _ = play_first_legal(env, seed)
        won = env.position.outcome.winner == env.seat  # type: ignore[union-attr]
        assert total == (1 if won else -1)
        found.add(total)
    assert found == {1, -1}


def test_results_add_up_to_nothing_and_ties_are_shared() -> None:
    # W5: no column is open, and two of three seats have one each
    over = Position.parse("v1,players=3,win=3,lengths=1.1.1 2:1/3:1/4:1 1 - -")
    assert results(over) == (0, 0, 0)
    won = Position.parse("v1,players=3,win=2,lengths=1.1.1 2:1,3:1/4:1/- 1 - -")
    assert results(won) == (1, -0.5, -0.5)


def test_an_illegal_action_loses_the_turn_and_says_so() -> None:
    env = SoloEnv()
    _, info = env.reset(seed=1)
    assert not info["action_mask"][77]
    _, reward, _, _, info = env.step(np.int64(77))
    assert (reward, info["illegal"], info["turns"]) == (-1, True, 1)
    _, reward, _, _, info = env.step(np.int64(np.argmax(info["action_mask"])))
    assert (reward, info["illegal"]) == (0, False)


def test_a_game_that_goes_on_for_too_long_is_truncated() -> None:
    env = SoloEnv(max_turns=3)
    env.reset(seed=1)
    ends = [env.step(np.int64(77))[2:4] for _ in range(3)]
    assert ends == [(False, False), (False, False), (False, True)]


def test_a_game_that_is_lost_before_the_first_decision_ends_with_the_first_step() -> None:
    # one column wins, and a runner on the only space of any is enough
    env = VersusEnv("careful", "win=1,lengths=1.1.1", seat=1)
    observation, info = env.reset(seed=1)
    assert observation[-1] == 2
    assert np.flatnonzero(info["action_mask"]).tolist() == [env.encoding.roll]
    _, reward, terminated, truncated, _ = env.step(np.int64(0))
    assert (reward, terminated, truncated) == (-1, True, False)


def test_regret_is_what_the_solved_game_says_and_best_play_has_none() -> None:
    env = SoloEnv("win=2,lengths=1.2.3.2.1")
    solved = TableEvaluator(solve_on_cpu(env.rules).table)
    exact = SoloEnv(env.rules, regret=solved)
    lost, played, random = 0.0, 400, np.random.default_rng(1)
    for seed in range(played):
        _, info = exact.reset(seed=seed)
        done = False
        while not done:
            legal = np.flatnonzero(info["action_mask"])
            _, _, done, _, info = exact.step(random.choice(legal))
            assert info["regret"] >= 0
            lost += info["regret"] / played
        lost -= info["turns"] / played
    # turns = best play's + what was given away, but for luck, which is 0 on average
    assert abs(-lost - solved.table.start) < 0.25


def test_regret_on_the_official_board_is_zero_for_the_best_option() -> None:
    env = SoloEnv(regret=True)
    env.reset(seed=3)
    best = env.position.hint().options[0].action
    assert isinstance(best, Move)
    *_, info = env.step(np.int64(env.encoding.number(best)))
    assert info["regret"] == 0
    *_, info = env.step(np.int64(env.encoding.stop))  # never right after one move
    assert 0.05 < info["regret"] < 2


@pytest.mark.parametrize("name", ["CantStop/Solo-v0", "CantStop/Versus-v0"])
def test_make_vec_makes_the_compiled_environment(name: str) -> None:
    env: Any = gymnasium.make_vec(name, num_envs=5)
    assert isinstance(env.unwrapped, CantStopVectorEnv)
    observations, infos = env.reset(seed=1)
    assert observations in env.observation_space
    observations, rewards, *_ = env.step(infos["action_mask"].argmax(1))
    assert observations in env.observation_space
    assert rewards.shape == (5,)
    env.close()


def test_the_vector_environment_repeats_itself_and_goes_on_to_other_dice() -> None:
    def played(env: CantStopVectorEnv, seed: int | None) -> list[Any]:
        found = [env.reset(seed=seed)[0]]
        found += [env.step_at_random()[0] for _ in range(200)]
        return [observations.tolist() for observations in found]

    one, other = CantStopVectorEnv(7, "players=2"), CantStopVectorEnv(7, "players=2")
    first = played(one, 5)
    assert played(other, 5) == first
    assert played(other, 5) == first
    assert played(other, None) != first
    assert played(other, 6) != first


def test_what_was_told_is_never_changed() -> None:
    env = CantStopVectorEnv(4, "players=1")
    observations, infos = env.reset(seed=1)
    kept = observations.copy(), infos["action_mask"].copy(), infos["turns"].copy()
    for _ in range(20):
        env.step_at_random()
    for before, now in zip(kept, (observations, *(infos[k] for k in ("action_mask", "turns")))):  # noqa: B905
        assert (before == now).all()


def begun(environment: Any) -> Any:
    environment.reset(seed=1)
    return environment


def test_numbers_of_numpy_and_rules_as_text_are_taken() -> None:
    environment = CantStopVectorEnv(np.int64(3), "players=1")  # type: ignore[arg-type]
    environment.reset(seed=7)
    assert environment.position(-1) == environment.position(2)
    with pytest.raises(IndexError):
        environment.position(3)
    encoding = encoding_of("players=1")
    assert encoding is encoding_of(Rules(players=1))
    for action in encoding.actions:
        text = str(action)
        assert encoding.number(text) == encoding.number(action)


@pytest.mark.parametrize(
    ("misuse", "sentence"),
    [
        (lambda: SoloEnv("players=2"), "The rules are for another number of players: 2, not 1."),
        (lambda: VersusEnv("careful", "players=1"), "One player alone has no opponents"),
        (
            lambda: VersusEnv(["careful"], "players=3"),
            "The rules are for another number of players: 3, not 2.",
        ),
        (lambda: VersusEnv("nobody"), "nobody"),
        (
            lambda: VersusEnv("careful", seat=2),
            "There is no seat 2: seats count from 0, and the number of players is 2",
        ),
        (lambda: SoloEnv(render_mode="human"), "is not a render mode here"),
        (lambda: SoloEnv().step(np.int64(0)), "reset the environment first"),
        (lambda: CantStopVectorEnv(1).step([0]), "reset the environment first"),
        (lambda: CantStopVectorEnv(0), "0 is not a number of games"),
        (lambda: CantStopVectorEnv(2, None, "champion"), "no compiled form of champion"),
        (lambda: encoding_of(Rules()).action(79), "numbered from 0 to 78"),
        (lambda: CantStopVectorEnv(2).step([0, 79]), "numbered from 0 to 78"),
        (lambda: CantStopVectorEnv(2).step([0]), "Every game takes one action: 2 in all"),
        (lambda: CantStopVectorEnv(2).step([0.5, 1]), "Actions are whole numbers, not float64"),
        (lambda: CantStopVectorEnv(2).step(None), "Actions are whole numbers, not None"),
        (
            lambda: CantStopVectorEnv(2).reset(options={"reset_mask": np.array([True, False])}),
            "cannot be begun anew one by one",
        ),
        (lambda: CantStopVectorEnv(True), "True is not a number of games"),
        (lambda: CantStopVectorEnv(2, max_turns=0), "max_turns is at least 1"),
        (lambda: SoloEnv(max_turns="x"), "max_turns is a whole number, not “x”"),  # type: ignore[arg-type]
        (lambda: SoloEnv(regret="x"), "'x' cannot tell regret"),  # type: ignore[arg-type]
        (lambda: VersusEnv([]), "One player alone has no opponents"),
        (lambda: VersusEnv("careful", seat=1.0), "1.0 is not a seat"),  # type: ignore[arg-type]
        (lambda: encoding_of(Rules()).action(1.5), "1.5 is not an action"),  # type: ignore[arg-type]
        (lambda: encoding_of(Rules()).number("2+14"), r"2\+14 is not a move on this board"),
        (lambda: begun(SoloEnv()).step(1.5), "1.5 is not an action"),
        (lambda: begun(SoloEnv()).step(np.array([1])), r"\[1\] is not an action"),
    ],
)
def test_misuse_gets_a_sentence(misuse: Any, sentence: str) -> None:
    with pytest.raises(CantStopError, match=sentence) as found:
        misuse()
    assert str(found.value).endswith(".")
