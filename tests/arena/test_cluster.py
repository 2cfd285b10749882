"""The same match on a Ray cluster of two workers, and with one of them killed."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cantstop.arena import Plan, compete
from cantstop.arena.pools import LocalPool
from cantstop.rules import Rules

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

# the first process that asks this bot is killed in the middle of its batch
FATAL = """
import os, signal
from pathlib import Path

MARK = Path(__file__).with_name("killed")

class Fatal:
    def choose(self, position, moves):
        if not MARK.exists():
            MARK.write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        return position.legal_moves[0]
    def stop(self, position, moves):
        return moves >= 2
"""


@pytest.fixture(scope="module")
def address() -> Iterator[Any]:
    """A cluster of this machine with two workers."""
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2})
    yield cluster.address
    cluster.shutdown()  # type: ignore[no-untyped-call]


def totals(results: Any) -> list[Any]:
    return [match.totals for match in results.matches]


@pytest.mark.filterwarnings("default")  # of Ray's own
def test_a_cluster_gives_the_same_totals_and_a_killed_worker_changes_nothing(
    address: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cantstop.arena.pools import RayPool

    plan = Plan.of(["rule-of-28", "random", "bold"], games=5001, rules=Rules(players=2), seed=8)
    with RayPool(address) as pool:
        assert pool.size == 2
    assert totals(compete(plan, pool=RayPool(address))) == totals(compete(plan, pool=LocalPool(1)))

    (tmp_path / "fatal_bots.py").write_text(FATAL, "utf-8")
    monkeypatch.chdir(tmp_path)
    deadly = Plan.of(["fatal_bots:Fatal", "careful"], games=60, seed=4)
    found = compete(deadly, pool=RayPool(address))
    killed = int((tmp_path / "killed").read_text("utf-8"))
    assert killed != os.getpid()
    assert found.finished
    assert totals(found) == totals(compete(deadly, pool=LocalPool(1)))
    assert found.matches[0].wins[0] > 0
