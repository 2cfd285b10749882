"""A person at a terminal and a person at a browser, at one table."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser_player import Player
from cantstop import read_record, verify
from tmux import Tmux

# Three columns win: nobody has them after two turns of one move each.
TABLE = {
    "mode": "online",
    "edition": "classic",
    "seats": [{"kind": "human", "name": "Anne"}, {"kind": "open"}],
}


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    terminal = Tmux(tmp_path / "tmux", tmp_path / "data")
    yield terminal
    terminal.close()


def test_a_terminal_and_a_browser_play_a_game_and_the_terminal_is_killed_and_resumes(
    sit: Callable[..., Player], tmux: Tmux
) -> None:
    anne = sit()
    opened = anne.page.request.post("/api/tables", data=TABLE).json()
    link = f"{anne.url}/t/{opened['id']}"
    anne.go(f"/t/{opened['id']}#seat={opened['secret']}").sees(stage="open")
    tim = (link, "--name", "Tim")

    tmux.start(*tim, width=100, height=30, command="join")
    anne.sees(stage="playing").take_turn()
    tmux.take_turn("Tim")
    anne.take_turn()
    tmux.wait_for("Tim: roll the dice.")
    os.kill(tmux.program, 9)
    tmux.wait_for("left with 137")

    tmux.run("kill-session")
    tmux.start(*tim, width=100, height=30, command="join")
    tmux.take_turn("Tim")
    anne.sees(phase="roll", live=True)
    tmux.press("x")
    tmux.wait_for("Press X again")
    tmux.press("x")
    anne.sees(stage="over")
    expect(anne.find(".result")).to_have_text("Anne wins: Tim has resigned.")
    tmux.wait_for("Anne wins")

    record = read_record(anne.page.request.get(f"/api/tables/{opened['id']}/record").text())
    assert record.names == ("Anne", "Tim")
    assert record.game().turn == 5
    assert verify(record).dice_checked
