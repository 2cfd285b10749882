"""Leaving a game: it is saved, and the command that resumes it is printed."""

import shlex
import signal
from pathlib import Path
from typing import Any

import pytest

from cantstop.dice import Seal, SealedDice, commitment
from cantstop.language import Translator
from cantstop.record import read_record, verify
from cantstop.terminal.console import Console
from cantstop.terminal.local_game import LocalGame
from cantstop.terminal.plain import Session
from cantstop.terminal.save_file import SaveError, SaveFile
from people import local_game

START = "v1,players=2 -/- 1 - -"
RESUME = ["cantstop", "play", "--resume"]


def leave(local: Any, folder: Path, *answers: Any, **settings: Any) -> tuple[Any, Any]:
    """Play until an answer is an exception; returns the exit code and what was written."""
    told = iter(answers)
    lines: list[str] = []

    def read(_: Any) -> Any:
        answer = next(told)
        if isinstance(answer, type):
            raise answer
        return answer

    session = Session(
        SaveFile(local, folder, **settings), Console(Translator(), read, lines.append)
    )
    return session.run(RESUME), lines


@pytest.mark.parametrize(("end", "code"), [("quit", 0), (EOFError, 0), (KeyboardInterrupt, 130)])
def test_an_unfinished_game_is_saved_however_it_is_left(
    tmp_path: Path, end: Any, code: int
) -> None:
    local = local_game(START, "Anne", "Bob")
    found, lines = leave(local, tmp_path / "our games", "roll", "1", end)
    assert found == code
    (file,) = (tmp_path / "our games").iterdir()
    assert read_record(file.read_text("utf-8")).events == local.game.events
    assert lines[-2] == "The game is saved. Resume it with:"
    assert shlex.split(lines[-1]) == [*RESUME, str(file)]


@pytest.mark.parametrize("start", [START, "v1,players=2,start=roll-off -/- start:1,2 - -",
                                   "v1,players=2 -/- 1 - 2345"])  # fmt: skip
def test_a_game_can_be_left_at_its_first_question(tmp_path: Path, start: Any) -> None:
    local = local_game(start, "Anne", "Bob")
    assert leave(local, tmp_path, EOFError)[0] == 0
    (file,) = tmp_path.iterdir()
    assert read_record(file.read_text("utf-8")).game().position == local.game.position


def test_a_game_that_has_a_file_is_left_in_it(tmp_path: Path) -> None:
    file = tmp_path / "game.cantstop"
    _, lines = leave(local_game(START, "Anne", "Bob"), tmp_path / "unused", "", EOFError, path=file)
    assert shlex.split(lines[-1])[-1] == str(file)
    assert not (tmp_path / "unused").exists()


def test_ctrl_c_in_a_game_of_bots_saves_it_too(tmp_path: Path) -> None:
    class Interrupting:
        sides = 6

        def roll(self, number: int, count: int = 4) -> Any:
            if number == 5:
                raise KeyboardInterrupt
            return (1, 2, 3, 4)[:count]

    local = local_game(START, "bot:bold", "bot:bold", dice=Interrupting())
    assert leave(local, tmp_path)[0] == 130
    (file,) = tmp_path.iterdir()
    assert read_record(file.read_text("utf-8")).game().rolls == 4


def test_a_second_ctrl_c_does_not_cost_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = SaveFile.save

    def interrupted(file: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        return save(file)

    monkeypatch.setattr(SaveFile, "save", interrupted)
    before = signal.getsignal(signal.SIGINT)
    assert leave(local_game(START, "Anne", "Bob"), tmp_path, KeyboardInterrupt)[0] == 130
    assert len(list(tmp_path.iterdir())) == 1
    assert signal.getsignal(signal.SIGINT) is before


def test_a_save_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SaveError):
        leave(local_game(START, "Anne", "Bob"), tmp_path / "file", EOFError)


def test_a_finished_game_is_kept_only_where_somebody_asked_for_it(tmp_path: Path) -> None:
    almost = "v1,players=2 6:11,7:13,8:10/- 1 8:11 -"
    code, lines = leave(local_game(almost, "Anne", "Bob"), tmp_path / "unused", "stop", EOFError)
    assert code == 0
    assert any("wins the game" in line for line in lines)
    assert not (tmp_path / "unused").exists()
    file = tmp_path / "game.cantstop"
    _, lines = leave(local_game(almost, "Anne", "Bob"), tmp_path, "stop", "", path=file)
    assert f"The record of the game is in {file}." in lines
    assert read_record(file.read_text("utf-8")).game().outcome is not None


@pytest.mark.parametrize(
    ("typed", "is_shown"), [("review", True), ("rev", True), ("", False), ("nonsense", False)]
)
def test_after_the_game_a_review_is_offered(tmp_path: Path, typed: str, is_shown: bool) -> None:
    almost = "v1,players=2 6:11,7:13,8:10/- 1 8:11 -"
    code, lines = leave(local_game(almost, "Anne", "Bob"), tmp_path, "stop", typed)
    assert code == 0
    assert any("accuracy" in line for line in lines) == is_shown


def test_bots_alone_are_asked_nothing_after_their_game(tmp_path: Path) -> None:
    almost = "v1,players=2 6:11,7:13,8:10/- 1 8:11 -"
    assert leave(local_game(almost, "bot:careful", "bot:careful"), tmp_path)[0] == 0


def test_help_warns_that_a_save_holds_the_secret_of_sealed_dice(tmp_path: Path) -> None:
    dice = SealedDice(Seal("table", commitment(bytes(32)), ("a", "b")), bytes(32))
    local = local_game(START, "Anne", "Bob")
    _, lines = leave(LocalGame(local.game, local.seats, dice), tmp_path, "help", EOFError)
    assert any("A save holds the secret of the sealed dice" in line for line in lines)
    _, lines = leave(local_game(START, "Anne", "Bob"), tmp_path, "help", EOFError)
    assert not any("secret" in line for line in lines)


def test_after_a_sealed_game_the_secret_is_told_and_the_dice_can_be_checked(tmp_path: Path) -> None:
    secret = bytes(range(32))
    dice = SealedDice(Seal("table", commitment(secret), ("a", "b")), secret)
    local = local_game("v1,players=2 -/- 1 - -", "bot:careful", "bot:bold")
    code, lines = leave(LocalGame(local.game, local.seats, dice), tmp_path)
    assert code == 0
    (file,) = tmp_path.iterdir()
    assert lines[-3] == f"The secret of the dice was {secret.hex()}."
    assert shlex.split(lines[-1]) == ["cantstop", "verify", str(file)]
    assert verify(read_record(file.read_text("utf-8"))).dice_checked
