"""The command at a real terminal: a newcomer who only presses Enter, and Ctrl-C."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pseudo_terminal import Terminal


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
    for question in ("How many players, 1 to 4? [2] ", "Your name? [Player 1] ", "? [chick] "):
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
