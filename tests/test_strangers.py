"""Programs as strangers would write them, each run as they would run it, and what it prints."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from cantstop import Game, Record

PROGRAMS = Path(__file__).parent / "strangers"
SOURCES = str(Path(__file__).parents[1] / "src")

PRINTED = {
    "pandas_tables": "rolls True\nerrors True\n"
    "columns ['n', 'turn', 'seat', 'question']\n"
    "wins 20.0",
    "asdict_and_json": "['chosen', 'estimate', 'n'] 1\n5+9\n6+8\n('1', '2')",
    "cairosvg_board": "500 True",
    "notebook": "<svg <Game v1,\n<svg <Position",
    "positional_arguments": "v1,players=2,win=1\n" * 4 + "True",
    "awk_bot": "True careful",
    "bot_that_raises": "True True",
    "copies_and_sets": "True True\n2\n0.5 True\nTrue",
    "typed": "typed",
    "csv_files": "events True\nverified True\ndrill True",
    "plot_data": "True 50\n0 True True",
    "tree_of_positions": "126 True",
    "own_bots": "10 10.0",
    "f_strings": "5+9 of 3: 5+9, 6+8, 7+7\n"
    "v1,players=2 -/- 1 - 2345 | v1,players=2 | move\n"
    "   5+9|<LegalMoves: 5+9, 6+8, 7+7>",
    "sorting_moves": "['3+12', '7+8'] True\nTrue True True\n15",
    "numpy_numbers": "3 True\nTrue",
    "in_an_event_loop": "[True, True, True, True]",
    "comments_survive": "True hm ?!",
}
"""What each program prints that needs no process of its own."""


def run(name: str, folder: Path, *arguments: str, sent: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", PROGRAMS / f"{name}.py", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": SOURCES, "PYTHONUTF8": "1"},
        input=sent,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_there_are_twenty_and_all_are_run() -> None:
    found = {path.stem for path in PROGRAMS.glob("*.py")}
    assert len(found) >= 20
    assert found == {*PRINTED, "stream_records", "many_processes", "record_from_stdin"}


@pytest.mark.parametrize("name", PRINTED)
def test_a_program_prints_what_its_writer_expects(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(PROGRAMS / f"{name}.py"), run_name="__main__")
    assert capsys.readouterr().out.strip() == PRINTED[name]


def test_many_records_take_the_memory_of_one(tmp_path: Path) -> None:
    assert run("stream_records", tmp_path, "5000") == (
        "500 rolls in 500 games\n5000 True MB more or less"
    )


def test_games_are_played_in_processes(tmp_path: Path) -> None:
    assert run("many_processes", tmp_path) == "True"


def test_records_go_through_a_pipe(tmp_path: Path) -> None:
    text = str(Record.of(Game(), ["Zoë", "Bob"]))
    (one, other) = Record.load_all(
        _file(tmp_path, run("record_from_stdin", tmp_path, sent=2 * text))
    )
    assert one == other == Record.parse(text).annotated(0, "seen")


def _file(folder: Path, text: str) -> Path:
    path = folder / "read"
    path.write_text(text, encoding="utf-8")
    return path
