"""The command at a real terminal: a newcomer who only presses Enter, and Ctrl-C."""

import os
import pty
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

assert sys.platform != "win32"  # there are no pseudo-terminals


class Terminal:
    """A program at a pseudo-terminal, 80 characters wide."""

    def __init__(self, home: Any, *arguments: str) -> None:
        self._ours, theirs = pty.openpty()
        environment = os.environ | {
            "XDG_DATA_HOME": str(home),
            "COLUMNS": "80",
            "TERM": "dumb",
            "LANGUAGE": "en",
        }
        self.program = subprocess.Popen(
            [sys.executable, "-m", "cantstop", "play", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment,
        )
        os.close(theirs)
        self.shown = ""

    def wait_for(self, text: str) -> Any:
        """Read until a text is shown, and forget everything up to there."""
        while text not in self.shown:
            self.shown += os.read(self._ours, 4096).decode()
        before, _, self.shown = self.shown.partition(text)
        return before

    def interrupt(self) -> None:
        """Press Ctrl-C until something is shown: a signal just before the program waits is lost."""
        self.program.send_signal(signal.SIGINT)
        while not select.select([self._ours], [], [], 1)[0]:
            self.program.send_signal(signal.SIGINT)

    def type(self, line: str) -> None:
        os.write(self._ours, f"{line}\n".encode())

    def close(self) -> None:
        self.program.kill()
        self.program.wait()
        os.close(self._ours)


@pytest.fixture
def at_terminal(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    opened = []

    def open_terminal(*arguments: str) -> Any:
        opened.append(Terminal(tmp_path, *arguments))
        return opened[-1]

    yield open_terminal
    for terminal in opened:
        terminal.close()


def test_a_newcomer_gets_a_game_by_pressing_enter(at_terminal: Callable[..., Any]) -> None:
    terminal = at_terminal("--seed", "1")
    for question in ("How many players, 1 to 4? [2] ", "Your name? [Player 1] ", "? [careful] "):
        terminal.wait_for(question)
        terminal.type("")
    board = terminal.wait_for("Player 1, press Enter to roll: ")
    assert "╭─ 7 ─╮" in board
    assert max(map(len, board.splitlines())) <= 80
    terminal.type("")
    terminal.wait_for("Your move, 1 to ")
    terminal.type("1")
    terminal.wait_for("roll or stop? ")
    terminal.type("quit")
    terminal.wait_for("cantstop play --resume ")
    assert terminal.program.wait() == 0


def test_plain_draws_nothing(at_terminal: Callable[..., Any]) -> None:
    terminal = at_terminal("--seat", "Anne", "--seat", "Bob", "--plain")
    text = terminal.wait_for("Anne, press Enter to roll: ")
    assert "╭" not in text
    assert "Bob: no tokens yet." in text


def test_ctrl_c_saves_the_game_and_leaves_with_130(at_terminal: Callable[..., Any]) -> None:
    terminal = at_terminal("--seat", "Anne", "--seat", "Bob")
    terminal.wait_for("Anne, press Enter to roll: ")
    terminal.interrupt()
    terminal.wait_for("cantstop play --resume ")
    assert terminal.program.wait() == 130
