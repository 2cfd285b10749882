"""Matches: the same results however the work is divided, interrupted or resumed."""

import json
import os
import signal
import sys
import textwrap
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from cantstop.arena import Plan, compete
from cantstop.arena.batch import play_batch
from cantstop.arena.checkpoint import Checkpoint, resumed
from cantstop.arena.pools import LocalPool
from cantstop.rules import InvalidText, Rules

GAMES = 3001
PLAN = Plan.of(["rule-of-28", "random", "bold"], games=GAMES, rules=Rules(players=2), seed=8)


class SlowPool:
    """Plays one batch at a time, when asked for its result; notes what it got."""

    size = 1

    def __init__(self, interrupt_after: Any = None) -> None:
        self.batches: list[Any] = []
        self.interrupt_after = interrupt_after

    def submit(self, batch: Any) -> Future[Any]:
        self.batches.append(batch)
        future: Future[Any] = Future()
        future.set_result(play_batch(batch))
        if len(self.batches) == self.interrupt_after:
            os.kill(os.getpid(), signal.SIGINT)
        return future

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: Any) -> None:
        pass


def totals(results: Any) -> list[Any]:
    return [match.totals for match in results.matches]


@pytest.fixture(scope="module")
def due() -> list[Any]:
    return totals(compete(PLAN, pool=LocalPool(1)))


def test_every_table_plays_exactly_the_games_that_were_asked_for(due: list[Any]) -> None:
    assert [match.count("games") for match in due] == [GAMES] * 3


@pytest.mark.parametrize("threads", [2, 5])
def test_any_number_of_threads_gives_the_same_totals(due: list[Any], threads: int) -> None:
    assert totals(compete(PLAN, pool=LocalPool(threads))) == due


def test_shares_cover_all_games_once_and_end_where_blocks_do(due: list[Any]) -> None:
    pool = SlowPool()
    assert totals(compete(PLAN, pool=pool)) == due
    for match in range(3):
        batches = [batch for batch in pool.batches if batch.match == match]
        assert [batch.first_game for batch in batches] == [0, *(s.last_game for s in batches[:-1])]
        assert {batch.first_game % 2 for batch in batches} == {0}
        assert batches[-1].last_game == GAMES


def test_progress_is_told_up_to_the_last_game() -> None:
    told: list[Any] = []
    compete(PLAN, pool=LocalPool(2), tell=told.append)
    assert told == sorted(told)
    assert told[-1] == 3 * GAMES


def test_an_interrupted_match_has_results_and_goes_on_where_it_was(
    due: list[Any], tmp_path: Path
) -> None:
    file = tmp_path / "match.json"
    first = compete(PLAN, pool=SlowPool(interrupt_after=4), file=file)
    assert not first.finished
    assert 0 < first.games < 3 * GAMES
    pool = SlowPool()
    second = compete(PLAN, pool=pool, file=file)
    assert second.finished
    assert totals(second) == due
    assert sum(batch.games for batch in pool.batches) == 3 * GAMES - first.games


def test_a_finished_match_is_not_played_again(due: list[Any], tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    compete(PLAN, pool=LocalPool(2), file=file)
    pool = SlowPool()
    assert totals(compete(PLAN, pool=pool, file=file)) == due
    assert pool.batches == []


def test_a_match_can_be_prolonged(tmp_path: Path) -> None:
    file, longer = tmp_path / "match.json", PLAN.with_games(GAMES + 999)
    compete(PLAN, pool=LocalPool(1), file=file)
    results = compete(longer, pool=LocalPool(1), file=file)
    fresh = compete(longer, pool=LocalPool(1))
    assert results.wins == fresh.wins
    assert results.games == fresh.games


@pytest.mark.parametrize(
    "other",
    [
        Plan.of(["rule-of-28", "random"], games=GAMES, seed=8),
        Plan.of(PLAN.bots, games=GAMES, rules=Rules(players=2), seed=9),
        Plan.of(PLAN.bots, games=GAMES, rules=Rules(players=2, early=True), seed=8),
        PLAN.with_games(10),
    ],
)
def test_a_file_of_other_games_is_refused_and_left_alone(tmp_path: Path, other: Any) -> None:
    file = tmp_path / "match.json"
    Checkpoint.blank(PLAN).save(file)
    kept = file.read_bytes()
    with pytest.raises(InvalidText, match="holds other games: its bots"):
        compete(other, file=file)
    assert file.read_bytes() == kept


@pytest.mark.parametrize(
    "content", ["", "no json", "[]", "{}", '{"plan": 1}', '{"format": 1, "tables": []}']
)
def test_a_file_that_is_none_of_ours_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "match.json"
    file.write_text(content, "utf-8")
    with pytest.raises(InvalidText, match="cannot be used to resume: it is not an arena file"):
        resumed(PLAN, file)


def test_a_place_that_cannot_be_written_to_is_refused_before_the_first_game(tmp_path: Path) -> None:
    with pytest.raises(InvalidText, match="cannot be used to resume"):
        compete(PLAN, pool=SlowPool(), file=tmp_path / "nowhere" / "match.json")
    with pytest.raises(InvalidText, match="cannot be used to resume"):
        compete(PLAN, pool=SlowPool(), file=tmp_path)


def test_the_file_holds_plain_numbers(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    compete(PLAN.with_games(10), pool=LocalPool(1), file=file)
    content = json.loads(file.read_text("utf-8"))
    assert content["plan"]["bots"] == list(PLAN.bots)
    assert [match["done"] for match in content["tables"]] == [[[0, 10]]] * 3


def test_python_bots_play_in_processes_with_the_same_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow_bots.py").write_text(
        textwrap.dedent(
            """
            class Last:
                def choose(self, position, moves):
                    return position.legal_moves[-1]
                def stop(self, position, moves):
                    return moves >= 2
            """
        ),
        "utf-8",
    )
    monkeypatch.chdir(tmp_path)
    plan = Plan.of(["slow_bots:Last", "careful"], games=30, seed=4)
    one, two = compete(plan, pool=LocalPool(1)), compete(plan, pool=LocalPool(2))
    assert totals(one) == totals(two)
    sys.modules.pop("slow_bots", None)


@pytest.mark.parametrize("threads", [0, -1, 5000])
def test_a_senseless_number_of_threads_is_refused(threads: int) -> None:
    with pytest.raises(InvalidText, match=f"{threads} threads cannot be used"):
        LocalPool(threads)
