"""Matches with luck taken off: unbiased, and much closer to the truth."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cantstop.arena import Plan, compete
from cantstop.arena.checkpoint import Checkpoint, resumed
from cantstop.arena.pools import LocalPool
from cantstop.arena.reference import ReferenceGames
from cantstop.arena.results import MatchResult
from cantstop.bots.expert import ExpertBot
from cantstop.kernel.layout import LUCK_UNIT, TOTALS
from cantstop.kernel.play import Seatings
from cantstop.rules import Board, InvalidText, Rules
from cantstop.solver import TableEvaluator, solve_on_cpu

SMALL = Rules(2, 2, board=Board((1, 3, 5, 3, 1)))


def match(bots: list[str], games: int, rules: Rules = SMALL) -> MatchResult:
    plan = Plan.of(bots, games=games, rules=rules, seed=5, control=True)
    (found,) = compete(plan, pool=LocalPool(1)).matches
    return found


@pytest.mark.parametrize("bots", [["careful", "bold"], ["champion", "random:1"]])
def test_luck_is_zero_on_average_whoever_plays(bots: list[str]) -> None:
    found = match(bots, 1500).luck_free
    assert found is not None
    for bot in found:
        assert bot.luck.error
        assert abs(bot.luck.mean) < 3 * bot.luck.error


def test_the_rest_agrees_with_counting_and_is_closer() -> None:
    found = match(["champion", "bold"], 1500)
    counted, luck_free = found.standings[0], found.luck_free
    assert luck_free is not None
    share = luck_free[0].share
    interval = luck_free[0].interval
    assert share.error
    assert interval is not None
    assert counted.interval.low < share.mean < counted.interval.high
    assert interval.high - interval.low < (counted.interval.high - counted.interval.low) * 2 / 3
    assert luck_free[0].share.mean + luck_free[1].share.mean == pytest.approx(1)


def test_where_a_network_knows_the_game_a_few_games_are_worth_hundreds() -> None:
    games = 60
    found = match(["champion", "expert"], games, Rules())
    assert found.games_worth
    assert found.games_worth > 50
    assert found.luck_free
    assert found.luck_free[0].share.error
    assert found.luck_free[0].share.error < 0.05 / games**0.5


def test_three_players_share_a_game() -> None:
    rules = Rules(3, 2, board=SMALL.board)
    found = match(["champion", "bold", "careful"], 600, rules).luck_free
    assert found is not None
    assert sum(bot.share.mean for bot in found) == pytest.approx(1, abs=1e-4)
    for bot in found:
        assert bot.luck.error
        assert abs(bot.luck.mean) < 3 * bot.luck.error


def test_best_play_has_its_exact_value_for_whoever_starts() -> None:
    solution = solve_on_cpu(SMALL, threads=1)
    exact = TableEvaluator(solution.table)
    bots = [ExpertBot(evaluator=exact), ExpertBot(evaluator=exact)]
    always_first = Seatings(np.array([[0, 1]]), np.array([0]), 1)
    totals = ReferenceGames(SMALL, bots, 8, control=True).play(always_first, 0, 400)
    blocks, total = totals.count("luck_blocks"), totals.counts("rest_sums")[0]
    mean = total / blocks / LUCK_UNIT
    variance = totals.counts("rest_squares")[0] / blocks / LUCK_UNIT**2 - mean**2
    error = (variance / blocks) ** 0.5
    assert abs(mean - solution.table.start) < 3 * error
    assert error < 0.5 / blocks**0.5 / 2


def test_threads_and_resuming_change_nothing(tmp_path: Path) -> None:
    plan = Plan.of(["champion", "bold"], games=60, rules=SMALL, seed=5, control=True)
    whole = compete(plan, pool=LocalPool(1)).matches[0].totals
    file = tmp_path / "kept.json"
    compete(plan.with_games(20), pool=LocalPool(1), file=file)
    assert compete(plan, pool=LocalPool(2), file=file).matches[0].totals == whole
    with pytest.raises(InvalidText, match="holds other games"):
        resumed(Plan.of(["champion", "bold"], games=60, rules=SMALL, seed=5), file)


def test_a_file_from_before_luck_was_counted_goes_on(tmp_path: Path) -> None:
    plan, file = Plan.of(["careful", "bold"], games=20, seed=5), tmp_path / "kept.json"
    compete(plan, pool=LocalPool(1), file=file)
    content = json.loads(file.read_text("utf-8"))
    table = content["tables"][0]
    before = TOTALS.fields
    assert before is not None
    table["counts"] = table["counts"][: before["luck_blocks"][1] // TOTALS["games"].itemsize]
    file.write_text(json.dumps(content), "utf-8")
    checkpoint: Checkpoint = resumed(plan, file)
    assert checkpoint.played == 20
    assert "control" not in content["plan"]


def test_for_people_and_for_programs(run: Callable[..., tuple[int, str, str]]) -> None:
    arguments = (
        *("arena", "champion", "bold", "--rules", str(SMALL), "--games", "40", "--seed", "3"),
        "--control-variate",
    )
    code, out, err = run(*arguments, "--lang", "en")
    assert (code, err) == (0, "")
    assert "with the luck of all rolls subtracted (control variate" in out
    assert "times as many games" in out
    code, out, err = run(*arguments, "--json")
    found: Any = json.loads(out)["tables"][0]
    assert found["games_worth"] > 1
    low, high = found["without_luck"][0]["interval"]
    assert low < found["without_luck"][0]["share"] < high
    assert set(found["without_luck"][0]) == {"share", "error", "interval", "luck"}


def test_alone_there_is_nothing_to_win(fails: Callable[..., str]) -> None:
    assert "alone there are none" in fails("arena", "champion", "--control-variate")
