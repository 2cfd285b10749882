"""What a shell and ``--help`` say about the command: values by Tab, and no names of types."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cantstop.bots import LADDER
from cantstop.cli.app import COMMANDS, ROOT
from cantstop.cli.completion import SCRIPTS, completions, install
from cantstop.language import LANGUAGES
from cantstop.rules import InvalidText

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
        ("cantstop play --seat o", ["open"]),
        ("cantstop arena glenn-l", ["glenn-linear"]),
        ("cantstop odds --lang ", ["en", "fr", "nl", "it", "de"]),
        ("cantstop play --dice s", ["secure", "sealed"]),
        ("cantstop ver", ["verify"]),
    ],
)
def test_values_complete(line: str, values: list[str]) -> None:
    assert completions("zsh", line, ROOT, COMMANDS.values()) == values


def test_bash_is_given_what_follows_the_colon_and_fish_what_a_value_means() -> None:
    for line in ("cantstop play --seat bot:ca", "cantstop play --seat=bot:ca"):
        assert completions("bash", line, ROOT, COMMANDS.values()) == ["careful"]
    line = "cantstop play --edition=as"
    assert completions("bash", line, ROOT, COMMANDS.values()) == ["asmodee"]
    assert completions("zsh", line, ROOT, COMMANDS.values()) == ["--edition=asmodee"]
    line = "cantstop --lang f"
    assert completions("fish", line, ROOT, COMMANDS.values()) == ["fr\tFrançais"]


def test_the_shell_asks_the_command() -> None:
    done = cantstop("--complete", "zsh", "cantstop rules --edition r")
    assert (done.returncode, done.stdout) == (0, b"ravensburger\n")


def test_bash_reads_its_script_and_completes(tmp_path: Path) -> None:
    (tmp_path / "cantstop").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cantstop "$@"\n')
    (tmp_path / "cantstop").chmod(0o700)
    program = SCRIPTS["bash"] + (
        "COMP_LINE='cantstop play --variant le'; COMP_POINT=${#COMP_LINE}; "
        "_cantstop; echo ${COMPREPLY[@]}"
    )
    done = subprocess.run(
        ["bash", "-c", program],
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        check=True,
    )
    assert done.stdout == b"leapfrog\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_installed_once(
    shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / ".bashrc").write_text("alias ll='ls -l'\n")
    changed = install(shell, {})
    once = changed.read_text()
    assert install(shell, {}) == changed
    assert changed.read_text() == once
    if shell == "bash":
        assert once.startswith("alias ll='ls -l'\nsource ")


def test_a_shells_settings_in_any_encoding_stay_and_a_home_that_is_none_gets_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / ".bashrc").write_bytes(b"# caf\xe9\n")
    assert install("bash", {}).read_bytes().startswith(b"# caf\xe9\nsource ")
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file" / "data"))
    for shell, environment in (
        ("bash", {}),
        ("fish", {"XDG_CONFIG_HOME": str(tmp_path / "file")}),
    ):
        with pytest.raises(InvalidText, match=r"file.* cannot be written: Not a directory\."):
            install(shell, environment)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_no_jargon(command: str, run: Callable[..., tuple[int, str, str]]) -> None:
    code, shown, err = run(command, "--help")
    assert (code, err) == (0, "")
    assert shown.startswith(f"Usage: cantstop {command} [OPTIONS]")
    for language in LANGUAGES:
        shown = run(command, "--help", "--lang", language)[1]
        assert [word for word in JARGON if word in shown] == [], language


def test_help_is_in_five_languages(run: Callable[..., tuple[int, str, str]]) -> None:
    for arguments in ([], ["play"], ["serve"]):
        said = {run(*arguments, "--help", "--lang", language)[1] for language in LANGUAGES}
        assert len(said) == len(LANGUAGES)
    assert "Verwendung: cantstop play [OPTIONEN]" in run("play", "-h", "--lang", "de")[1]
    assert "--resume DATEI" in run("play", "-h", "--lang", "de")[1]


def test_the_levels_are_named_where_seats_are(run: Callable[..., tuple[int, str, str]]) -> None:
    shown = run("play", "--help")[1]
    assert [name for name in LADDER if f"bot:{name.name}" not in shown] == []


def test_all_commands_are_in_the_overview(run: Callable[..., tuple[int, str, str]]) -> None:
    shown = run("--help")[1]
    assert all(f"\n  {name} " in shown for name in COMMANDS)


def test_an_encoding_without_the_boards_signs_gets_a_board_in_ascii() -> None:
    done = cantstop("show", "v1,players=2 -/- 1 6:1,8:1 -", PYTHONIOENCODING="cp1252")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"*" in done.stdout
    assert b"?" not in done.stdout


def test_what_an_encoding_lacks_is_replaced_and_never_a_traceback() -> None:
    done = cantstop("rules", "--edition", "Ж", PYTHONIOENCODING="cp1252")
    assert done.returncode == 2
    assert done.stderr.decode("cp1252").startswith("cantstop: There is no edition “?”")
