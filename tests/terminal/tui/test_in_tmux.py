"""The app in a real terminal, as a person would use it: start, play, resize, quit."""

import json
import os
import subprocess
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from browser_player import ServerProcess
from cantstop.client import Player, daily, play, play_daily
from cantstop.record import read_record, record_text
from patience import PATIENCE
from people import golden
from tmux import Tmux
from typist import Typist

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
DAILY_SECRET = "2b" * 32


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    terminal = Tmux(tmp_path / "tmux", tmp_path / "data")
    yield terminal
    terminal.close()


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
    assert "The game is saved. Resume it with:" in screen
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


def test_two_terminals_play_online_one_of_them_in_lines_of_text(tmux: Tmux, tmp_path: Path) -> None:
    server = ServerProcess(f"sqlite:///{tmp_path / 'tables.db'}").start()
    bob = None
    try:
        anne = (server.url, "--seat", "Anne", "--win", "1")
        tmux.start(*anne, width=120, height=40, command="open")
        tmux.wait_for("Waiting until all seats are taken.")
        (seat,) = (tmux.home / "cantstop" / "seats").iterdir()
        link = f"{server.url}/t/{seat.stem.partition('-')[2]}"
        bob = Typist(tmp_path / "bob", "--plain", link, "--name", "Bob", command="join")
        bobs = threading.Thread(target=bob.play)
        bobs.start()
        tmux.take_turn("Anne")
        # the rest is played from elsewhere with the same seat, and the app looks on
        play(f"{link}#seat={seat.read_text('ascii').strip()}", "bold")
        tmux.wait_for("wins the game")
        bobs.join(PATIENCE)
        assert not bobs.is_alive()
        assert any("wins the game" in line for line in bob.said)
        tmux.press("m")
        bob.hear("Anne asks for a rematch.")
        bob.type("rematch")
        tmux.wait_for(" – ")
        tmux.wait_for("It is Bob's turn.")
        tmux.press("q")
        screen = tmux.wait_for("left with 0")
        assert "Your seat stays yours. Come back with:" in screen
        assert f"{link}\n" in screen  # it was printed for the others before the app began
        bob.type("quit")
        assert bob.leave() == 0
    finally:
        if bob is not None:
            bob.close()
        server.kill()


def test_the_daily_game_of_a_server_is_played_in_the_app_and_its_result_is_printed(
    tmux: Tmux, tmp_path: Path
) -> None:
    secret = tmp_path / "daily-secret"
    secret.write_text(DAILY_SECRET, "utf-8")
    server = ServerProcess(
        f"sqlite:///{tmp_path / 'tables.db'}", more=("--daily-secret", str(secret)), starts=NOON
    ).start()
    try:
        options = ("--server", server.url, "--name", "Anne")
        tmux.start(*options, command="daily", width=120, height=40)
        tmux.take_turn("Anne")
        tmux.wait_for("Anne: roll the dice.")
        # the rest is played from elsewhere by the same device, and the app looks on
        tokens = json.loads((tmux.home / "cantstop" / "daily" / "devices.json").read_text("utf-8"))
        seat = play_daily(server.url, "Anne", device=tokens[server.url])
        assert seat.counts
        with Player(seat.link) as anne:
            assert anne.table.turn == 2
        play(seat.link, "bold")
        mine = daily(server.url, device=seat.device).mine
        assert mine is not None
        tmux.wait_for("Anne has finished in")
        tmux.press("q")
        screen = tmux.wait_for("left with 0")
        assert f": {mine.turns} turns, par 6.7" in screen
        assert "Place 1 of 1." in screen
        assert "Your streak on this machine: 1 day." in screen
    finally:
        server.kill()
