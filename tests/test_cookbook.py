"""The programs of the cookbook, each run as a user would run it, and what it says."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser_player import ServerProcess
from cantstop import Record

ROOT = Path(__file__).parents[1]
PROGRAMS = ROOT / "examples" / "cookbook"
SOURCES = str(ROOT / "src")


def run(name: str, folder: Path, *arguments: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-W", "error", PROGRAMS / name, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": SOURCES, "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Any]:
    server = ServerProcess(f"sqlite:///{tmp_path / 'tables.db'}").start()
    yield server
    server.kill()


def test_there_are_eight_and_the_page_shows_them_all() -> None:
    page = (ROOT / "docs" / "cookbook.md").read_text("utf-8")
    programs = sorted(path.name for path in PROGRAMS.glob("*.py"))
    assert len(programs) == 8
    for name in programs:
        text = (PROGRAMS / name).read_text("utf-8")
        assert f'```python title="examples/cookbook/{name}"\n{text}```\n' in page, "make reference"


def test_a_game_is_played_kept_and_checked(tmp_path: Path) -> None:
    said = run("play_a_game.py", tmp_path)
    record = Record.load(tmp_path / "game.cantstop")
    assert said[0].startswith(f"{record.summary()['winner_name']} won after ")
    assert said[1] == "every roll is that of the seed"


def test_an_own_bot_competes(tmp_path: Path) -> None:
    said = run("own_bot.py", tmp_path)
    assert [line.split()[0] for line in said] == ["Patient", "careful"]
    assert sum(float(line.split()[1]) for line in said) == 100


def test_the_chance_to_bust_is_the_published_one(tmp_path: Path) -> None:
    # 92.0 % of rolls are usable with 6, 7 and 8, and 43.8 % with 2, 3 and 12 (docs/odds.md)
    assert run("bust_chance.py", tmp_path) == [
        "6:1,7:1,8:1: 13/162 = 8.0%",
        "2:1,3:1,12:1: 91/162 = 56.2%",
    ]


def test_the_best_triple_is_6_7_8(tmp_path: Path) -> None:
    said = run("best_triples.py", tmp_path)
    assert said[0] == "(6, 7, 8) 92.0%"
    assert len(said) == 3


def test_events_become_a_table(tmp_path: Path) -> None:
    said = run("events_to_csv.py", tmp_path)
    lines = (tmp_path / "events.csv").read_text("utf-8").splitlines()
    assert lines[0] == "game,n,turn,seat,name,event,dice,move,position,sign,comment"
    assert said[0].startswith(f"{len(lines) - 1} events of 5 games")


def test_a_board_is_drawn(tmp_path: Path) -> None:
    run("draw_board.py", tmp_path)
    picture = (tmp_path / "board.svg").read_text("utf-8")
    assert 'width="480"' in picture
    assert picture.count("data-last=") == 2
    assert picture.count("data-head=") == 1
    assert (tmp_path / "board.png").read_bytes()[:4] == b"\x89PNG"


def test_advice_has_the_best_first(tmp_path: Path) -> None:
    worths = [float(line.rpartition(" ")[2].rstrip("%")) for line in run("advice.py", tmp_path)]
    assert len(worths) >= 3
    assert worths == sorted(worths, reverse=True)
    assert all(0 < worth < 100 for worth in worths)


def test_two_bots_play_online(server: Any, tmp_path: Path) -> None:
    said = run("two_bots_online.py", tmp_path, server.url)
    assert said[0].startswith("watch them at ")
    assert said[1] in ("won by Ada", "won by Bob")
