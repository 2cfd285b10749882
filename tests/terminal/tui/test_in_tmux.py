"""The app in a real terminal, as a person would use it: start, play, resize, quit."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cantstop.processes import is_alive
from cantstop.record import read_record, record_text
from people import golden
from tmux import Tmux


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    terminal = Tmux(tmp_path / "tmux", tmp_path / "data")
    yield terminal
    terminal.run("kill-server")


def saved(tmux: Any) -> Any:
    (file,) = (tmux.home / "cantstop" / "games").iterdir()
    return read_record(file.read_text("utf-8"))


def test_start_play_resize_and_quit(tmux: Tmux) -> None:
    tmux.start("--seat", "Anne", "--seat", "Bob", "--seed", "7")
    assert "Can't Stop" in tmux.wait_for("Anne: roll the dice.")
    tmux.press("r")
    tmux.wait_for("Anne: pick a move.")
    tmux.press("1")
    screen = tmux.wait_for("Anne: roll again, or stop?")
    assert "★" in screen
    tmux.resize(120, 40)
    tmux.wait_for("▀▀▀▀▀ ▀▀▀▀▀")  # spaces are drawn larger
    assert len(tmux.screen.splitlines()) == 40
    tmux.resize(80, 24)
    tmux.wait_for("4   ·   ·   ·   ·   ·   10")  # and small again
    tmux.press("s")
    tmux.wait_for("Bob: roll the dice.")
    tmux.press("q")
    screen = tmux.wait_for("left with 0")
    assert "The game is saved. Go on with it by:" in screen
    assert "cantstop play --lang en --resume" in screen
    assert "★" not in screen
    assert saved(tmux).game().seat == 1


@pytest.mark.parametrize("end", ["C-c", "TERM", "INT"])
def test_whatever_ends_the_app_saves_the_game_and_restores_the_terminal(
    tmux: Tmux, end: str
) -> None:
    tmux.start("--seat", "Anne", "--seat", "Bob", "--seed", "7")
    tmux.wait_for("Anne: roll the dice.")
    tmux.press("r")
    tmux.wait_for("Anne: pick a move.")
    if end == "C-c":
        tmux.press(end)
    else:
        subprocess.run(["kill", f"-{end}", str(tmux.program)], check=True)
    assert "The game is saved." in tmux.wait_for("left with 130")
    assert saved(tmux).game().rolls == 1
    tmux.press("typed after", "Enter")
    tmux.wait_for("typed after")  # the terminal echoes again


def test_a_killed_app_loses_nothing(tmux: Tmux) -> None:
    tmux.start("--seat", "Anne", "--seat", "Bob", "--seed", "7")
    tmux.wait_for("Anne: roll the dice.")
    tmux.press("r")
    tmux.wait_for("Anne: pick a move.")
    os.kill(tmux.program, 9)
    tmux.wait_for("left with 137")
    assert saved(tmux).game().rolls == 1


def test_the_engine_is_made_ready_beside_the_app_and_not_after_it(tmux: Tmux) -> None:
    tmux.start("--seat", "Anne", "--seat", "Bob", "--seed", "7")
    tmux.wait_for("Anne: roll the dice.")
    beside = tmux.wait_for_child("cantstop.bots.warm_up")
    tmux.press("q")
    tmux.wait_for("left with 0")
    assert not is_alive(beside)


def test_a_simple_terminal_gets_lines_of_text(tmux: Tmux) -> None:
    tmux.start("--seat", "Anne", "--seat", "Bob", term="dumb")
    tmux.wait_for("Anne, press Enter to roll:")


def test_a_corrupt_save_is_one_sentence_and_stays_as_it_is(tmux: Tmux, tmp_path: Path) -> None:
    file = tmp_path / "game.cantstop"
    text = record_text(golden("classic-two")).replace("[Rules", "[Rulez")
    file.write_text(text, "utf-8")
    tmux.start("--resume", str(file))
    assert "cantstop: Line" in tmux.wait_for("left with 2")
    assert file.read_text("utf-8") == text


def test_a_cut_save_goes_on_with_a_notice_in_the_story(tmux: Tmux, tmp_path: Path) -> None:
    file = tmp_path / "game.cantstop"
    text = record_text(golden("classic-two"))
    file.write_text(text[: len(text) // 2], "utf-8")
    tmux.start("--resume", str(file))
    assert "the record is cut off here" in " ".join(tmux.wait_for("goes on.").split())


def test_a_closed_input_leaves_cleanly(tmux: Tmux) -> None:
    tmux.start("--seat", "Anne", "--seat", "Bob", after="0<&-")
    screen = tmux.wait_for("left with 0")
    assert "The game is saved." in screen


def test_without_options_the_app_asks_who_plays(tmux: Tmux) -> None:
    tmux.start()
    tmux.wait_for("Who plays?")
    tmux.press("C-c")
    tmux.wait_for("left with 130")
    assert not (tmux.home / "cantstop").exists()
