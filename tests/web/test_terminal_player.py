"""Somebody at a terminal and somebody at a browser, at one table."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from browser_player import Player
from cantstop import read_record, verify
from tmux import Tmux

# One column wins, so that the game is short.
TABLE = {
    "mode": "online",
    "edition": "custom",
    "win": 1,
    "seats": [{"kind": "human", "name": "Anne"}, {"kind": "open"}],
}


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    terminal = Tmux(tmp_path / "tmux", tmp_path / "data")
    yield terminal
    terminal.run("kill-server")


def play_on(tmux: Any, until: Any) -> Any:
    """Play whenever the terminal says that it is Tim's turn: a move or two, then a stop."""
    due = {
        "Tim: roll the dice.": "r",
        "Tim: pick a move.": "1",
        "Tim: roll again, or stop?": "s",
    }
    while not (found := [text for text in until if text in tmux.screen]):
        text = tmux.wait_for_any([*due, *until])
        if text in due:
            tmux.press(due[text])
            tmux.wait_until_gone(text)
    return found[0]


def test_a_terminal_and_a_browser_play_a_game_and_the_terminal_is_killed_and_resumes(
    sit: Callable[..., Player], tmux: Tmux
) -> None:
    anne = sit()
    opened = anne.page.request.post("/api/tables", data=TABLE).json()
    link = f"{anne.url}/t/{opened['id']}"
    anne.go(f"/t/{opened['id']}#seat={opened['secret']}").sees(stage="open")
    command = ("--join", link, "--seat", "Tim")

    tmux.start(*command, width=100, height=30)
    anne.sees(stage="playing").keep_playing()
    assert play_on(tmux, ["turn 3", "turn 4", "turn 5", "turn 6", "wins the game"])
    os.kill(tmux.program, 9)
    tmux.wait_for("left with 137")

    tmux.run("kill-session")
    tmux.start(*command, width=100, height=30)
    play_on(tmux, ["wins the game"])
    anne.sees_the_end()
    winner = "Anne" if "You win!" in anne.find(".result").inner_text() else "Tim"
    assert f"{winner} wins the game" in tmux.screen

    record = read_record(anne.page.request.get(f"/api/tables/{opened['id']}/record").text())
    assert record.names == ("Anne", "Tim")
    assert verify(record).dice_checked
