"""``cantstop solve`` as a person or a program calls it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cantstop.solver import checkpoint
from cantstop.solver.cuda.run import device

SMALL = ("solve", "--sides", "2", "--shortest", "1")


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_a_board_is_solved_for_programs(run: Callable[..., tuple[int, str, str]]) -> None:
    code, out, err = run("solve", "--sides", "4", "--shortest", "1", "--json")
    answer = json.loads(out)
    assert (code, err) == (0, "")
    assert answer["value"] == pytest.approx(2.187306974865, abs=1e-11)
    assert (answer["anchors"], answer["boards"]) == (12_913, 18_432)
    assert answer["rules"] == "v1,players=1,lengths=1.3.5.7.5.3.1"


def test_a_board_is_solved_for_people(run: Callable[..., tuple[int, str, str]]) -> None:
    code, out, _ = run(*SMALL)
    assert code == 0
    assert "Expected turns: 1.297948189812" in out
    assert "15 positions at the start of a turn, 16 with those that end the game" in out


def test_two_players_win_with_a_probability(run: Callable[..., tuple[int, str, str]]) -> None:
    _, out, _ = run(*SMALL, "--players", "2", "--runners", "2", "--columns", "2", "--lang", "de")
    assert "0.902998236332" in out
    assert "gewinnt" in out


def test_rules_come_as_text_as_well(run: Callable[..., tuple[int, str, str]]) -> None:
    _, out, _ = run("solve", "--rules", "players=2,sharing=no-rest,lengths=2.4.6.4.2", "--json")
    assert json.loads(out)["value"] == pytest.approx(0.711078748963, abs=1e-11)


@pytest.mark.parametrize("lengths", ["1.3.1", "1,3,1"])
def test_a_board_nobody_listed_has_lengths_of_its_own(
    run: Callable[..., tuple[int, str, str]], lengths: str
) -> None:
    _, out, _ = run("solve", "--lengths", lengths, "--json")
    assert json.loads(out)["value"] == pytest.approx(1.297948189812, abs=1e-11)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--lengths", "1.3.1", "--sides", "2"), "not both"),
        (("--lengths", "1.2"), "The number of columns cannot be 2"),
        (("--lengths", "1.x.1"), "lengths"),
        (("--sides", "0"), "The number of columns cannot be 0"),
        (("--sides", "2", "--shortest", "0"), "Column 2 cannot have 0 spaces"),
        (("--sides", "2", "--columns", "4"), "4 columns cannot be won"),
        (("--sides", "2", "--runners", "9"), "cannot have 9 runners"),
        (("--players", "3", "--sides", "2"), "Only games for one and two players"),
        (("--rules", "player=1"), "is not a part of the rules"),
        (("--device", "abacus"), "abacus"),
    ],
)
def test_what_cannot_be_solved_is_refused_in_one_line(
    fails: Callable[..., str], arguments: tuple[str, ...], complaint: str
) -> None:
    assert complaint in fails("solve", *arguments)


def test_a_board_too_large_is_refused_with_what_it_would_need(fails: Callable[..., str]) -> None:
    assert "takes about 138.4 GiB of memory, and there is" in fails("solve")
    assert "takes about 8e+10 GiB of memory" in fails("solve", "--players", "2")


def test_without_a_gpu_one_line_says_so(
    fails: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(device, "import_module", missing)
    assert 'pip install "cantstop-game[gpu]"' in fails(*SMALL, "--device", "cuda")
    assert "three runners" in fails(*SMALL, "--device", "cuda", "--players", "2")


def test_an_interrupted_solution_goes_on_with_the_same_command(
    run: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "MIN_SECONDS", 0.0)
    reported = []

    def watch(stop_at: Any) -> None:
        def progress_text(_: Any, progress: Any) -> str:
            reported.append(progress.level)
            if progress.level == stop_at:
                raise KeyboardInterrupt
            return ""

        monkeypatch.setattr("cantstop.cli.solve._progress_text", progress_text)

    watch(stop_at=5)
    code, out, err = run(*SMALL)
    assert (code, out) == (130, "")
    assert err == "Interrupted: the same command resumes from here.\n"
    reported.clear()
    watch(stop_at=None)
    code, out, _ = run(*SMALL)
    assert code == 0
    assert "1.297948189812" in out
    assert min(reported) == 5


def test_a_table_is_kept_and_read_the_next_time(
    run: Callable[..., tuple[int, str, str]], fails: Callable[..., str], tmp_path: Path
) -> None:
    path = tmp_path / "small.table"
    _, solved, _ = run(*SMALL, "--table", str(path))
    _, read, _ = run(*SMALL, "--table", str(path))
    assert solved.splitlines()[:3] == read.splitlines()[:3]
    assert "has other rules" in fails("solve", "--sides", "3", "--table", str(path))
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    assert "small.table is damaged" in fails(*SMALL, "--table", str(path))
    path.write_bytes(content[:-1])
    assert "small.table is truncated" in fails(*SMALL, "--table", str(path))


def test_progress_is_shown_where_a_person_looks(
    run: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    code, _, err = run(*SMALL)
    assert code == 0
    assert "100% of the work done" in err
    assert err.endswith("\r")
