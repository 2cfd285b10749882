"""Table files: round trip, damage, and solutions that are interrupted."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cantstop.engine import TooLarge, solve_turn
from cantstop.machine import available_memory
from cantstop.rules import Board, InvalidRules, Position, Rules
from cantstop.solver import (
    BadTable,
    TableEvaluator,
    open_solution,
    save_solution,
    solve_on_cpu,
)
from cantstop.solver import checkpoint as checkpoint_module
from cantstop.solver.memory import check_memory, size_text

SMALL = Rules(1, board=Board.stepped(3, 1))


@pytest.fixture(scope="module")
def solution() -> Any:
    return solve_on_cpu(SMALL)


@pytest.fixture
def path(solution: Any, tmp_path: Path) -> Path:
    path = tmp_path / "small.table"
    save_solution(solution, path)
    return path


def test_a_table_comes_back_as_it_was_and_lies_in_the_file(solution: Any, path: Path) -> None:
    again = open_solution(path, SMALL)
    table = again.table
    assert table.rules == SMALL
    assert table.start == again.value == solution.value
    assert (again.anchors, again.boards) == (solution.anchors, solution.boards)
    assert isinstance(table.values, np.memmap)
    assert np.array_equal(table.values, solution.table.values)


def test_a_table_of_other_rules_is_refused(path: Path) -> None:
    with pytest.raises(BadTable, match=r"small\.table has other rules: v1,players=1,lengths="):
        open_solution(path, Rules(1))


def test_a_place_that_cannot_be_written_is_told_in_one_sentence(solution: Any, path: Path) -> None:
    with pytest.raises(BadTable, match=r"below cannot be written: (Not a directory|File exists)"):
        save_solution(solution, path / "below")


def test_a_truncated_table_is_refused(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(BadTable, match=r"small\.table is truncated"):
        open_solution(path)


def test_a_damaged_table_is_refused(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-3] ^= 1
    path.write_bytes(content)
    with pytest.raises(BadTable, match="its checksum does not match"):
        open_solution(path)


@pytest.mark.parametrize("content", [b"", b"cantstop table 1\n", b"something else" * 1000])
def test_what_is_no_table_is_refused(path: Path, content: Any) -> None:
    path.write_bytes(content)
    with pytest.raises(BadTable, match="is not a table of this program"):
        open_solution(path)


def test_a_damaged_header_is_refused(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content.replace(b'"dtype"', b'"dtypo"', 1))
    with pytest.raises(BadTable, match="has a damaged header"):
        open_solution(path)


def test_a_table_that_is_not_there_is_told_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadTable, match="none cannot be read: No such file"):
        open_solution(tmp_path / "none")


def test_a_table_answers_only_for_its_own_rules(solution: Any) -> None:
    evaluator = TableEvaluator(solution.table)
    other = Position.initial(Rules(1, board=Board.stepped(3, 2)))
    with pytest.raises(InvalidRules, match="The table is for other rules"):
        solve_turn(other, evaluator)


def test_an_interrupted_solution_goes_on_where_it_was(
    solution: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint_module, "MIN_SECONDS", 0.0)
    unfinished = tmp_path / "kept" / "unfinished"
    last = 9

    def interrupt(progress: Any) -> None:
        if progress.level == last:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_on_cpu(SMALL, unfinished, interrupt)
    with pytest.raises(BadTable, match="is unfinished"):
        open_solution(unfinished)
    levels = []
    again = solve_on_cpu(SMALL, unfinished, lambda progress: levels.append(progress.level))
    assert min(levels) == last
    assert np.array_equal(again.table.values, solution.table.values, equal_nan=True)
    assert not unfinished.exists()


def test_what_an_interrupted_solution_of_another_game_left_is_not_used(
    tmp_path: Path, solution: Any
) -> None:
    unfinished = tmp_path / "unfinished"
    save_solution(solve_on_cpu(Rules(1, board=Board.stepped(2, 1))), unfinished)
    assert solve_on_cpu(SMALL, unfinished).value == solution.value
    unfinished.write_bytes(b"damaged")
    assert solve_on_cpu(SMALL, unfinished).value == solution.value


def test_progress_rises_to_the_whole_and_estimates_the_rest() -> None:
    reports: list[Any] = []
    solve_on_cpu(SMALL, report=reports.append)
    shares = [progress.share for progress in reports]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1)
    assert reports[-1].left == pytest.approx(0)
    assert reports[0].left is None or reports[0].left > 0


def test_a_board_too_large_for_memory_is_refused_before_it_starts() -> None:
    with pytest.raises(TooLarge, match=r"takes about 138\.4 GiB of memory, and there is"):
        solve_on_cpu(Rules(1))
    with pytest.raises(TooLarge, match="GiB of memory"):
        solve_on_cpu(Rules(2))


def test_three_players_are_refused() -> None:
    with pytest.raises(InvalidRules, match="one and two players"):
        solve_on_cpu(Rules(3, board=Board.stepped(2, 1)))


def test_memory_is_told_in_words_of_people() -> None:
    assert size_text(5 << 20) == "5.0 MiB"
    assert size_text(3 << 29) == "1.5 GiB"
    assert size_text(4 << 50) == "4,194,304 GiB"
    assert size_text(10**150) == "9e+140 GiB"
    check_memory(1, available_memory())
