"""The engine is made ready before anybody waits for it, in a process that ends with its app."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from cantstop.bots import bot_named, decide
from cantstop.bots.warm_up import BackgroundWarmUp, warm_up
from cantstop.jit import watch_compiling
from cantstop.rules import Position

WAITS = """
import pathlib, sys, time
pathlib.Path(sys.argv[1], "runs").touch()
while not pathlib.Path(sys.argv[1], "go").exists():
    time.sleep(0.01)
"""


@pytest.fixture
def background(tmp_path: Path) -> Iterator[BackgroundWarmUp]:
    """A process that goes on until there is a file “go”."""
    found = BackgroundWarmUp((sys.executable, "-c", WAITS, str(tmp_path)))
    yield found
    found.close()


def test_afterwards_nothing_is_left_to_be_compiled() -> None:
    warm_up(lambda _share: None)
    told: list[str] = []
    with watch_compiling(told.append, lambda: None):
        for players in (1, 2, 3, 4):
            tokens = "/".join(["7:2", "-", "-", "-"][:players])
            for rest in ("- 2345", "6:1,7:3,8:2 -"):
                position = Position.parse(f"v1,players={players} {tokens} 1 {rest}")
                position.hint()
                decide(bot_named("champion"), position, 1)
    assert told == []


def test_who_needs_the_engine_waits_for_it_and_is_told(
    background: BackgroundWarmUp, tmp_path: Path
) -> None:
    told, done = threading.Event(), threading.Event()

    def wait() -> None:
        background.wait(told.set)
        done.set()

    background.start()
    threading.Thread(target=wait, daemon=True).start()
    assert told.wait(60)
    assert not done.is_set()
    (tmp_path / "go").touch()
    assert done.wait(60)


def test_nobody_waits_where_nothing_was_started(background: BackgroundWarmUp) -> None:
    told: list[str] = []
    background.wait(lambda: told.append("waits"))
    background.close()
    assert told == []


def test_whoever_waits_is_let_go_when_the_app_ends(
    background: BackgroundWarmUp, tmp_path: Path
) -> None:
    told = threading.Event()
    background.start()
    waiting = threading.Thread(target=background.wait, args=[told.set], daemon=True)
    waiting.start()
    assert told.wait(60)
    background.close()
    waiting.join(60)
    assert not waiting.is_alive()
    assert not (tmp_path / "go").exists()


def test_the_process_ends_when_its_app_is_gone() -> None:
    # the app's end of the pipe is closed before the process has done anything
    done = subprocess.run(
        [sys.executable, "-m", "cantstop.bots.warm_up"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")
