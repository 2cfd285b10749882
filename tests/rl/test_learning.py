"""The example agent learns: a few seconds of it are enough to be better than chance."""

import importlib.util
import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "examples" / "learning" / "learn_solo.py"


@pytest.fixture(scope="module")
def script() -> Iterator[Any]:
    spec = importlib.util.spec_from_file_location("learn_solo", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["learn_solo"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["learn_solo"]


def test_a_step_of_learning_brings_beliefs_nearer_to_what_was_seen(script: Any) -> None:
    network = script.Network(seed=1)
    tokens = script.np.array([[0] * 11, [3, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0]])
    runners = script.np.array([[0, 0, 0, 0, 2, 3, 1, 0, 0, 0, 0], [0] * 11])
    due = script.np.array([8.0, 3.0])
    for _ in range(300):
        network.learn(tokens, runners, due, 2e-3)
    assert network.turns(tokens, runners) == pytest.approx(due, abs=0.2)


def test_the_agent_moves_and_stops_as_its_beliefs_say(script: Any) -> None:
    class Timid(script.Network):  # type: ignore[misc]
        """Believes that every runner on the board costs twenty turns."""

        def turns(self, tokens: Any, runners: Any) -> Any:
            return 5.0 + 20 * (runners > 0).sum(1) - tokens.sum(1) / 100

    played = script.play(Timid(), 64, seed=1, opponents=None)
    assert len(played) == 64
    # it stops after every move, so that a turn is never lost but by its first roll
    assert 20 < played.mean() < 60


def test_learning_runs_and_writes_its_curve(script: Any, tmp_path: Path) -> None:
    curve = tmp_path / "curve.csv"
    args = Namespace(
        seed=1, games=32, minutes=0.01, rate=2e-3, explore=0.02, every=0.1, curve=curve
    )
    network = script.learn(args)
    assert curve.read_text("utf-8").startswith("seconds,games,turns")
    results = script.play(network, 32, seed=2, opponents="careful")
    assert set(results.tolist()) <= {-1.0, 1.0}
