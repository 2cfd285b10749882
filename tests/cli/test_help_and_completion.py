"""What a shell and ``--help`` say about the command: values by Tab, and no names of types."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cantstop import InvalidText, play_game
from cantstop.cli.app import app

COMMANDS = sorted(info.callback.__name__ for info in app.registered_commands if info.callback)
JARGON = (
    "<list[",
    "<str>",
    "<int>",
    "<float>",
    "<Path>",
    "<=x",
    "x>=",
    "INTEGER",
    "TEXT",
    "<secure",
)


def cantstop(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [sys.executable, "-m", "cantstop", *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("cantstop rules --edition r", ["ravensburger"]),
        ("cantstop play --edition ", ["classic", "trademark", "ravensburger", "asmodee"]),
        ("cantstop play --variant le", ["leapfrog"]),
        ("cantstop play --seat bot:ca", ["bot:careful"]),
        ("cantstop arena glenn-l", ["glenn-linear"]),
        ("cantstop odds --lang ", ["en", "fr", "nl", "it", "de"]),
        ("cantstop play --dice s", ["secure", "sealed"]),
        ("cantstop ver", ["verify"]),
    ],
)
def test_values_complete(line: str, values: list[str]) -> None:
    words = line.split(" ")
    done = cantstop(
        _CANTSTOP_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=str(len(words) - 1)
    )
    assert done.stdout.decode().split() == values


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_no_jargon(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    app([command.replace("_", "-"), "--help"], prog_name="cantstop", standalone_mode=False)
    shown = capsys.readouterr().out
    assert shown.startswith("Usage: cantstop")
    assert [word for word in JARGON if word in shown] == []


def test_an_encoding_without_the_boards_signs_gets_a_board_in_ascii() -> None:
    done = cantstop("show", "v1,players=2 -/- 1 6:1,8:1 -", PYTHONIOENCODING="cp1252")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"*" in done.stdout
    assert b"?" not in done.stdout


def test_what_an_encoding_lacks_is_replaced_and_never_a_traceback() -> None:
    done = cantstop("rules", "--edition", "Ж", PYTHONIOENCODING="cp1252")
    assert done.returncode == 2
    assert done.stderr.decode("cp1252").startswith("cantstop: There is no edition “?”")


def test_one_of_many_records_in_a_file_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.cantstop"
    records = [play_game(["careful", "bold"], dice=seed) for seed in (1, 2)]
    file.write_text("\n".join(map(str, records)))
    app(["show", str(file), "--game", "2"], prog_name="cantstop", standalone_mode=False)
    assert str(records[1].game().position) in capsys.readouterr().out
    for arguments in ([], ["--game", "3"], ["--game", "0"]):
        with pytest.raises(InvalidText, match="There are 2 records here: say which one"):
            app(["show", str(file), *arguments], prog_name="cantstop", standalone_mode=False)
