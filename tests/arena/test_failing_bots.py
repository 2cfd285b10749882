"""A bot that fails loses its game with a reason, the match goes on, and nothing leaks."""

import os
import shlex
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from cantstop import processes
from cantstop.arena import Plan, compete
from cantstop.arena.pools import LocalPool
from cantstop.rules import Rules

FAILURES = {
    "crashes": ("sys.exit(7)", "it exited with code 7."),
    "cheats": ("print('2+3+4', flush=True)", "it answered “2+3+4” instead of a move."),
    "illegal": ("print('1+1', flush=True)", "it answered 1+1, which is not legal there."),
    "babbles": (
        "[print('# tra la la', flush=True) for _ in range(5000)]",
        "it wrote endless comments.",
    ),
    "hangs": ("time.sleep(600)", "it did not answer in 0.5 s."),
}


def script(folder: Path, body: Any) -> str:
    """A program that is ready, and then does something else than answer."""
    path = folder / "bot.py"
    path.write_text(
        "import sys, time\n"
        "for line in sys.stdin:\n"
        "    if line.split()[0] in ('cantstop', 'rules'):\n"
        "        print('ready', flush=True)\n"
        "        continue\n"
        f"    {body}\n",
        "utf-8",
    )
    return "program:" + shlex.join([sys.executable, "-S", "-E", str(path)])


def children() -> set[int]:
    """The processes that this one has started and not reaped, but for the guard of all programs.

    That one comes with the first program, in whichever test that is, and stays.
    """
    own = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    found = {int(child) for file in own for child in file.read_text("utf-8").split()}
    guard = processes.__file__.encode()
    return {child for child in found if guard not in Path(f"/proc/{child}/cmdline").read_bytes()}


@pytest.mark.parametrize("kind", FAILURES)
def test_a_failing_program_loses_its_games_and_the_match_goes_on(tmp_path: Path, kind: str) -> None:
    body, reason = FAILURES[kind]
    before, threads = children(), threading.active_count()
    seconds = 0.5 if kind == "hangs" else 60  # the others answer, however busy the machine is
    plan = Plan.of([script(tmp_path, body), "careful"], games=4, seed=1, seconds=seconds)
    match = compete(plan, LocalPool(1)).matches[0]
    assert match.wins == [0, 4]
    assert match.standings[0].forfeits == ((reason, 4),)
    assert match.games == 4
    assert children() == before
    assert threading.active_count() == threads


def test_the_others_share_the_win_at_a_larger_table(tmp_path: Path) -> None:
    plan = Plan.of([script(tmp_path, "sys.exit(1)"), "careful", "bold"], games=6, seed=1)
    assert compete(plan, LocalPool(1)).matches[0].wins == [0, 3, 3]


def test_alone_a_failing_bot_wins_nothing(tmp_path: Path) -> None:
    plan = Plan.of([script(tmp_path, "sys.exit(1)")], games=2, seed=1)
    assert compete(plan, LocalPool(1)).matches[0].wins == [0]


def test_a_good_program_wins_games_and_ends_with_the_match() -> None:
    example = Path(__file__).parents[2] / "examples" / "bots" / "steady.pl"
    before = children()
    plan = Plan.of([f"program:perl {shlex.quote(str(example))}", "random"], games=10, seed=2)
    match = compete(plan, LocalPool(1)).matches[0]
    assert match.standings[0].forfeits == ()
    assert match.wins[0] > 5
    assert children() == before


PYTHON_BOTS = """
class Raises:
    def choose(self, position, moves):
        return 1 / 0
    def stop(self, position, moves):
        return True

class Cheats(Raises):
    def choose(self, position, moves):
        return (2, 12)

class Confused(Raises):
    def choose(self, position, moves):
        return None

class Falters(Raises):
    def choose(self, position, moves):
        return position.legal_moves[0]
    def stop(self, position, moves):
        raise LookupError("where\\nam I")
"""


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Raises", "ZeroDivisionError: division by zero"),
        ("Cheats", "2+12 is not a legal move here"),
        ("Confused", "None is not a move: give columns"),
        ("Falters", "LookupError: where am I"),
    ],
)
def test_a_failing_class_loses_its_games_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, reason: str
) -> None:
    (tmp_path / "failing_bots.py").write_text(PYTHON_BOTS, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    plan = Plan.of([f"failing_bots:{name}", "careful"], games=4, rules=Rules(), seed=3)
    match = compete(plan, LocalPool(1)).matches[0]
    assert match.wins == [0, 4]
    assert all(told.startswith(reason) for told, _ in match.standings[0].forfeits)
    assert sum(times for _, times in match.standings[0].forfeits) == 4
