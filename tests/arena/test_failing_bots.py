"""A bot that fails ends the match, once and with the reason, and nothing leaks."""

import os
import shlex
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from cantstop import play_game, processes
from cantstop.arena import Plan, compete
from cantstop.arena.checkpoint import resumed
from cantstop.arena.pools import LocalPool
from cantstop.arena.trial import try_out
from cantstop.bots import BotFailure, any_bot
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
    found = set()
    for file in Path(f"/proc/{os.getpid()}/task").glob("*/children"):
        with suppress(OSError):  # a thread of another test may end now
            found |= {int(child) for child in file.read_text("utf-8").split()}
    guard = processes.__file__
    return {child for child in found if guard not in command_line(child)}


def command_line(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text("utf-8")
    except OSError:  # it has ended
        return ""


@pytest.mark.parametrize("kind", FAILURES)
def test_a_failing_program_ends_the_match_and_leaves_nothing_behind(
    tmp_path: Path, kind: str
) -> None:
    body, reason = FAILURES[kind]
    before, threads = children(), set(threading.enumerate())
    seconds = 0.5 if kind == "hangs" else 60  # the others answer, however busy the machine is
    plan = Plan.of([script(tmp_path, body), "careful"], games=10**6, seed=1, seconds=seconds)
    with pytest.raises(BotFailure) as failure:
        compete(plan, pool=LocalPool(1))
    assert failure.value.reason == reason
    assert children() <= before
    assert set(threading.enumerate()) <= threads


def test_a_program_that_does_not_start_is_started_once(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    broken = f"open({str(starts)!r}, 'a').write('x'); raise SystemExit(3)"
    bot = "program:" + shlex.join([sys.executable, "-S", "-E", "-c", broken])
    for play in (
        lambda: compete([bot, "careful", "bold"], rules="players=2", games=10**6),
        lambda: list(try_out(any_bot(bot))),
        lambda: play_game([bot, "careful"]),
    ):
        starts.write_text("")
        with pytest.raises(BotFailure, match="it exited with code 3"):
            play()
        assert starts.read_text() == "x"


def test_games_that_were_played_before_a_failure_are_kept_in_the_file(tmp_path: Path) -> None:
    count = tmp_path / "count"
    count.touch()
    body = (
        f"asked = open({str(count)!r}, 'ab'); asked.write(b'x'); words = line.split(); "
        "asked.tell() > 2000 and sys.exit(1); "
        "print(words[-1] if words[0] == 'choose' else 'stop', flush=True)"
    )
    plan = Plan.of([script(tmp_path, body), "careful"], games=10**6, seed=1)
    kept = tmp_path / "kept"
    with pytest.raises(BotFailure, match="it exited with code 1"):
        compete(plan, pool=LocalPool(1), file=kept)
    assert 0 < resumed(plan, kept).played < 1000


def test_a_good_program_wins_games_and_ends_with_the_match() -> None:
    example = Path(__file__).parents[2] / "examples" / "bots" / "steady.pl"
    before = children()
    plan = Plan.of([f"program:perl {shlex.quote(str(example))}", "random"], games=10, seed=2)
    match = compete(plan, pool=LocalPool(1)).matches[0]
    assert match.wins[0] > 5
    assert children() <= before


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


@pytest.mark.parametrize("threads", [1, 2], ids=["here", "in processes"])
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Raises", "ZeroDivisionError: division by zero"),
        ("Cheats", "2+12 is not a legal move here"),
        ("Confused", "None is not a move: give columns"),
        ("Falters", "LookupError: where am I"),
    ],
)
def test_a_failing_class_ends_the_match_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, reason: str, threads: int
) -> None:
    (tmp_path / "failing_bots.py").write_text(PYTHON_BOTS, "utf-8")
    monkeypatch.chdir(tmp_path)
    plan = Plan.of([f"failing_bots:{name}", "careful"], games=10**6, rules=Rules(), seed=3)
    with pytest.raises(BotFailure) as failure:
        compete(plan, pool=LocalPool(threads))
    assert failure.value.reason.startswith(reason)
    raised = failure.value.details
    if reason.startswith(("2+12", "None")):
        assert raised == ()  # its own code has raised nothing
    else:
        assert "failing_bots.py" in raised[1]
