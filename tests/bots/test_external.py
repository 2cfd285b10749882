"""Bots in other programs: the protocol, and everything that a program can do wrong."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cantstop.bots import BotFailure, any_bot
from cantstop.bots.external import ExternalBot, join_command, split_command
from cantstop.rules import InvalidRules, InvalidText, Position, Rules
from patience import PATIENCE

EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"
CHOOSING = Position.parse("v1,players=2 -/- 1 - 2345")
STOPPING = Position.parse("v1,players=2 -/- 1 6:1,8:1 -")


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Callable[..., ExternalBot]]:
    """Makes a bot of a Python script that answers `line`; closed when the test is over."""
    made: list[Any] = []

    def program(body: Any, seconds: float = 20.0) -> ExternalBot:
        script = tmp_path / f"bot{len(made)}.py"
        script.write_text(
            "import sys, os, time\n"
            "def say(text):\n    print(text, flush=True)\n"
            "for line in sys.stdin:\n"
            "    word = line.split()[0]\n"
            "    if word in ('cantstop', 'rules'):\n        say('ready')\n        continue\n"
            + textwrap.indent(textwrap.dedent(body), "    "),
            "utf-8",
        )
        bot = ExternalBot((sys.executable, "-S", "-E", str(script)), seconds)
        made.append(bot)
        return bot

    yield program
    for bot in made:
        bot.close()


def is_running(process: Any) -> bool:
    """Whether a process runs; one that has ended may not have been waited for by its parent."""
    try:
        os.kill(process, 0)
        stat = Path(f"/proc/{process}/stat")
        return (
            not stat.exists()
            or stat.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
        )
    except (ProcessLookupError, FileNotFoundError):
        return False


def wait_until(true: Callable[[], bool]) -> None:
    limit = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < limit
        time.sleep(0.01)


GOOD = "say('7+7' if word == 'choose' else 'roll' if ' 1 v1' in line else 'stop')\n"


def test_a_program_chooses_and_stops(program: Callable[..., ExternalBot]) -> None:
    bot = program(GOOD)
    assert bot.choose(CHOOSING, 0) == (7, 7)
    assert bot.stop(STOPPING, 1) is False
    assert bot.stop(STOPPING, 2) is True


def test_questions_hold_the_moves_made_the_position_and_the_legal_moves(
    program: Callable[..., ExternalBot], tmp_path: Path
) -> None:
    heard = tmp_path / "heard"
    bot = program(f"open({str(heard)!r}, 'a').write(line)\n{GOOD}")
    bot.choose(CHOOSING, 0)
    bot.stop(STOPPING, 1)
    assert heard.read_text("utf-8").splitlines() == [
        "choose 0 v1,players=2 -/- 1 - 2345 5+9 6+8 7+7",
        "stop 1 v1,players=2 -/- 1 6:1,8:1 -",
    ]


def test_comments_are_passed_over(program: Callable[..., ExternalBot]) -> None:
    assert program("say('# let me see'); say('#'); " + GOOD).choose(CHOOSING, 0) == (7, 7)


def test_the_program_runs_on_from_question_to_question_and_ends_when_closed(
    program: Callable[..., ExternalBot],
) -> None:
    bot = program(GOOD)
    bot.choose(CHOOSING, 0)
    process = bot.process
    bot.stop(STOPPING, 1)
    assert bot.process == process
    bot.close()
    assert bot.process is None
    assert not is_running(process)


def test_a_bot_that_nobody_uses_any_more_leaves_nothing_behind(
    program: Callable[..., ExternalBot],
) -> None:
    bot = ExternalBot(program(GOOD).command)
    bot.choose(CHOOSING, 0)
    process = bot.process
    del bot
    assert not is_running(process)


def test_what_a_program_has_started_ends_with_it(program: Callable[..., ExternalBot]) -> None:
    bot = program(
        """
        import subprocess
        child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])
        say(f'{child.pid}')
        """
    )
    with pytest.raises(BotFailure, match=r"answered “\d+”") as failure:
        bot.choose(CHOOSING, 0)
    child = int(re.findall(r"\d+", failure.value.reason)[0])
    wait_until(lambda: not is_running(child))  # it is killed with the program, not waited for


WRONGS = {
    "sys.exit(3)": "it exited with code 3.",
    "os.kill(os.getpid(), 9)": "it was killed by signal 9.",
    "os.close(1); time.sleep(600)": "it closed its output.",
    "say('2+12')": "it answered 2+12, which is not legal there.",
    "say('castle')": "it answered “castle” instead of a move.",
    "say('')": "it answered “” instead of a move.",
    "say('x' * 100)": "it answered “" + "x" * 40 + "” instead of a move.",
    "say('x' * 5000)": "it wrote a line of more than 4096 bytes.",
    "[say('# hm') for _ in range(2000)]": "it wrote endless comments.",
}


@pytest.mark.parametrize(("body", "reason"), WRONGS.items())
def test_a_wrong_answer_is_a_failure_with_a_reason_and_the_program_is_ended(
    program: Callable[..., ExternalBot], body: Any, reason: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # one that has closed its output is seen to run on; any other exits, however busy the machine is
    runs_on = "closed its output" in reason
    monkeypatch.setattr("cantstop.bots.program.EXIT_TIMEOUT", 0.01 if runs_on else 60.0)
    bot = program(body)
    bot.check(Rules())
    process = bot.process
    with pytest.raises(BotFailure) as failure:
        bot.choose(CHOOSING, 0)
    assert failure.value.reason == reason
    assert f"The bot “{bot.name}” failed in the position “{CHOOSING}”"[:150] in str(failure.value)
    assert bot.process is None
    assert not is_running(process)


def test_a_program_that_hangs_fails_when_its_time_is_over(
    program: Callable[..., ExternalBot],
) -> None:
    bot = program("time.sleep(600)", seconds=0.2)
    bot.timeout = 20.0
    bot.check(Rules())
    bot.timeout, process = 0.2, bot.process
    with pytest.raises(BotFailure, match=r"it did not answer in 0\.2 s\."):
        bot.choose(CHOOSING, 0)
    assert not is_running(process)


def test_neither_stop_nor_roll_is_a_failure(program: Callable[..., ExternalBot]) -> None:
    with pytest.raises(BotFailure, match="“maybe” instead of “stop” or “roll”"):
        program("say('maybe')").stop(STOPPING, 1)


def test_speaking_without_being_asked_is_a_failure(program: Callable[..., ExternalBot]) -> None:
    bot = program("say('7+7'); say('7+7')")
    bot.choose(CHOOSING, 0)
    assert bot._program is not None
    bot._program._lines.put(
        bot._program._lines.get(timeout=PATIENCE)
    )  # the second line is there now
    with pytest.raises(BotFailure, match="it spoke without being asked"):
        bot.choose(CHOOSING, 0)


def test_a_program_that_failed_is_started_anew(
    program: Callable[..., ExternalBot], tmp_path: Path
) -> None:
    mark = tmp_path / "failed-before"
    bot = program(
        f"""
        if not os.path.exists({str(mark)!r}):
            open({str(mark)!r}, 'w').close()
            sys.exit(1)
        say('7+7')
        """
    )
    with pytest.raises(BotFailure):
        bot.choose(CHOOSING, 0)
    assert bot.choose(CHOOSING, 0) == (7, 7)


def test_a_babbler_is_cut_short_and_leaves_nothing_behind() -> None:
    bot = ExternalBot((sys.executable, "-S", "-E", "-c", "while True: print('blah')"))
    with pytest.raises(BotFailure, match="“blah” instead of “ready”"):
        bot.choose(CHOOSING, 0)
    assert bot.process is None


def test_a_program_may_refuse_rules(tmp_path: Path) -> None:
    script = tmp_path / "picky.py"
    script.write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    print('refuse only solo' if 'players=2' in line else 'ready', flush=True)\n",
        "utf-8",
    )
    bot = ExternalBot((sys.executable, "-S", "-E", str(script)))
    bot.check(Rules(players=1))
    with pytest.raises(InvalidRules, match="does not play these rules: only solo"):
        bot.check(Rules(players=2))
    bot.close()


def test_a_program_that_does_not_start_fails_when_it_is_asked_for_its_rules() -> None:
    bot = ExternalBot((sys.executable, "-S", "-E", "-c", "raise SystemExit(4)"))
    with pytest.raises(BotFailure, match="exited with code 4"):
        bot.check(Rules())


def test_what_a_failing_program_wrote_last_to_its_standard_error_is_told(
    program: Callable[..., ExternalBot],
) -> None:
    body = """
        for number in range(1, 101):
            print('line', number, file=sys.stderr)
        {}['no such key']
        """
    with pytest.raises(BotFailure, match="it exited with code 1") as failure:
        program(body).choose(CHOOSING, 0)
    details = failure.value.details
    assert details[-1] == "KeyError: 'no such key'"
    assert "line 100" in details
    assert "line 1" not in details
    assert failure.value.__notes__ == list(details)  # Python prints them below the sentence


WINDOWS_COMMANDS = {
    r"C:\bots\new\bot.exe": (r"C:\bots\new\bot.exe",),
    r"C:\bots\bot.exe --table D:\tables\t": (r"C:\bots\bot.exe", "--table", r"D:\tables\t"),
    r'"C:\My Bots\bot.exe" -q': (r"C:\My Bots\bot.exe", "-q"),
    r'py "C:\My Bots\\" x': ("py", "C:\\My Bots\\", "x"),
    r"C:\Users\O'Neil\bot.exe": (r"C:\Users\O'Neil\bot.exe",),
    r'py -c "print(\"hi\")" ""': ("py", "-c", 'print("hi")', ""),
    r"\\server\share\bot.exe": (r"\\server\share\bot.exe",),
    r'"C:\open quote': (),
    "": (),
}


@pytest.mark.parametrize(("text", "words"), WINDOWS_COMMANDS.items())
def test_a_command_on_windows_keeps_its_backslashes(text: str, words: tuple[str, ...]) -> None:
    assert split_command(text, platform="win32") == words
    assert split_command(join_command(words, platform="win32"), platform="win32") == words


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)))
@pytest.mark.parametrize("platform", ["win32", "linux"])
def test_any_command_is_the_same_after_being_written_and_read(
    platform: str, command: list[str]
) -> None:
    assert split_command(join_command(command, platform=platform), platform=platform) == tuple(
        command
    )


def test_the_name_makes_the_same_bot_again() -> None:
    name = f"program:{shlex.join([sys.executable, '-c', 'print(1, 2)'])}"
    assert any_bot(name).name == name
    bot = any_bot(name)
    assert isinstance(bot, ExternalBot)
    assert bot.command == (sys.executable, "-c", "print(1, 2)")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("program:", "does not name a program"),
        ("program:'open quote", "does not name a program"),
        ("program:no-such-program --fast", "There is no program “no-such-program”"),
    ],
)
def test_a_name_that_is_no_program_is_one_sentence(text: str, said: str) -> None:
    with pytest.raises(InvalidText, match=said):
        any_bot(text)


def test_a_file_that_cannot_be_run_is_a_failure(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_bytes(b"\x00\x01 no program")
    broken.chmod(0o755)
    with pytest.raises(BotFailure, match="cannot be started"):
        ExternalBot((str(broken),)).choose(CHOOSING, 0)


def test_the_example_in_perl_plays() -> None:
    perl = shutil.which("perl")
    assert perl, "the example needs Perl"
    bot = ExternalBot((perl, str(EXAMPLES / "steady.pl")))
    assert bot.choose(CHOOSING, 0) == (7, 7)
    assert [bot.stop(STOPPING, moves) for moves in (1, 2, 3)] == [False, False, True]
    bot.close()


def test_python_exits_without_a_warning_about_programs_that_are_left_running() -> None:
    code = (
        "from cantstop.bots import any_bot\n"
        "from cantstop.rules import Position\n"
        f"bot = any_bot('program:perl {EXAMPLES / 'steady.pl'}')\n"
        "bot.choose(Position.parse('v1,players=2 -/- 1 - 2345'), 0)\n"
        "print(bot.process)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert not is_running(int(done.stdout))


KILLED = """
import sys
from cantstop.bots import any_bot
from cantstop.rules import Position
bot = any_bot({command!r})
bot.choose(Position.parse("v1,players=2 -/- 1 - 2345"), 0)
print(bot.process, flush=True)
sys.stdin.read()
"""


def test_a_program_and_its_children_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    script, child = tmp_path / "bot.py", tmp_path / "child"
    script.write_text(
        "import subprocess, sys, time\n"
        "for line in sys.stdin:\n"
        "    print('7+7' if line.startswith('choose') else 'ready', flush=True)\n"
        f"    if line.startswith('choose'):\n"
        "        left = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(3600)'])\n"
        f"        open({str(child)!r}, 'w').write(str(left.pid))\n"
        "time.sleep(3600)  # an input that is closed does not impress it\n",
        "utf-8",
    )
    command = f"program:{sys.executable} -S {script}"
    parent = subprocess.Popen(
        [sys.executable, "-c", KILLED.format(command=command)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with parent:
        assert parent.stdout is not None
        bot = int(parent.stdout.readline())
        wait_until(lambda: child.exists() and child.read_text() != "")
        assert is_running(bot)
        parent.kill()
    wait_until(lambda: not any(map(is_running, (bot, int(child.read_text())))))


def test_an_arena_that_is_killed_leaves_nobody(tmp_path: Path) -> None:
    pids, script = tmp_path / "pids", tmp_path / "bot.py"
    script.write_text(
        "import os, sys, time\n"
        "for line in sys.stdin:\n"
        "    if line.startswith('choose'):\n"
        f"        open({str(pids)!r}, 'a').write(f'{{os.getpid()}} {{os.getppid()}}\\n')\n"
        "        time.sleep(3600)\n"
        "    print('ready', flush=True)\n",
        "utf-8",
    )
    bot = f"program:{sys.executable} -S {script}"
    command = [sys.executable, "-m", "cantstop", "arena", bot, bot, "--games", "1000"]
    with subprocess.Popen(
        [*command, "--threads", "2", "--timeout", "3600"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as arena:
        wait_until(lambda: pids.exists() and pids.read_text().count("\n") == 2)
        arena.kill()
    started = [int(pid) for pid in pids.read_text().split()]
    assert len(set(started)) == 4
    wait_until(lambda: not any(map(is_running, started)))
